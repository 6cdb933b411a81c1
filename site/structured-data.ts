// Structured data of a page for search engines, by schema.org, in a block that no browser runs.
import type { Context } from "./page-context.ts";
import { dataBlock, type Json, type Markup } from "./html.ts";
import type { PlacedPage } from "./page.ts";
import { sharedPicture } from "./theme/theme-pictures.ts";

export function structuredData(context: Context, page: PlacedPage): Markup | undefined {
  const things = [siteIn(context, page), articleIn(context, page), trailIn(context, page)];
  const said = things.filter((thing) => thing !== undefined);
  return said.length === 0 ? undefined : dataBlock({ "@context": "https://schema.org", "@graph": said });
}

/** The site as a whole on the page to choose a language, and the site in its language on a front page. */
function siteIn(context: Context, { at, description }: PlacedPage): Json | undefined {
  if (at.row !== "chooserPage" && at.row !== "frontPage") return undefined;
  const site = { "@type": "WebSite", name: context.settings.name, url: context.url(at) };
  return at.row === "chooserPage" ? site : { ...site, description, inLanguage: context.language };
}

/** The article of a page; undefined for a page without a text. */
function articleIn(context: Context, page: PlacedPage): Json | undefined {
  const { kind, title, description, shownFrom } = page;
  if (kind !== "article" || shownFrom === undefined) return undefined;
  const publisher = {
    "@type": "Organization",
    name: context.settings.name,
    url: context.url({ row: "chooserPage" }),
  };
  return {
    "@type": "Article",
    headline: title,
    description,
    inLanguage: context.language,
    datePublished: shownFrom,
    mainEntityOfPage: context.url(page.canonical),
    image: context.url(sharedPicture(context, page)),
    author: publisher,
    publisher,
    digitalSourceType: context.settings.machineMade === true ? byMachine : undefined,
  };
}

/** In the words of schema.org. */
const byMachine = "https://schema.org/TrainedAlgorithmicMediaDigitalSource";

function trailIn(context: Context, { trail }: PlacedPage): Json | undefined {
  const items = trail.map(({ name, at }, index) => {
    return { "@type": "ListItem", position: index + 1, name, item: context.url(at) };
  });
  return items.length < 2 ? undefined : { "@type": "BreadcrumbList", itemListElement: items };
}
