// Structured data of a page for search engines, by schema.org, in a block that no browser runs.
import type { Context } from "./page-context.ts";
import { dataBlock, type Json, type Markup } from "./html.ts";
import type { Page } from "./page.ts";
import { pictureOf } from "./share-card.ts";
import type { Crumb } from "./breadcrumbs.ts";

export function structuredData(context: Context, page: Page): Markup | undefined {
  const things = [siteIn(context, page), articleIn(context, page), trailIn(context, page.trail ?? [])];
  const said = things.filter((thing) => thing !== undefined);
  return said.length === 0 ? undefined : dataBlock({ "@context": "https://schema.org", "@graph": said });
}

/** The site as a whole on the page to choose a language, and the site in its language on a front page. */
function siteIn(context: Context, { at, description }: Page): Json | undefined {
  const { settings, language } = context;
  if (at.row === "chooserPage") return { "@type": "WebSite", name: settings.name, url: context.url(at) };
  if (at.row !== "frontPage") return undefined;
  return {
    "@type": "WebSite",
    name: settings.name,
    url: context.url(at),
    description,
    inLanguage: language,
  };
}

/** The article of a page; undefined for a page without a text. */
function articleIn(context: Context, page: Page): Json | undefined {
  const { settings, language } = context;
  const { kind, receivedAt } = page;
  if (kind !== "article" || receivedAt === undefined) return undefined;
  const publisher = {
    "@type": "Organization",
    name: settings.name,
    url: context.url({ row: "chooserPage" }),
  };
  return {
    "@type": "Article",
    headline: page.title,
    description: page.description,
    inLanguage: language,
    datePublished: receivedAt,
    mainEntityOfPage: context.url(page.canonical ?? page.at),
    image: context.url(pictureOf(page)),
    author: publisher,
    publisher,
  };
}

function trailIn(context: Context, trail: readonly Crumb[]): Json | undefined {
  if (trail.length < 2) return undefined;
  const items = trail.map(({ name, at }, index) => {
    return { "@type": "ListItem", position: index + 1, name, item: context.url(at) };
  });
  return { "@type": "BreadcrumbList", itemListElement: items };
}
