// The parts of a page's head for programs: the same page in other languages, structured data, and the card for shared links.
import { readFileSync } from "node:fs";
import { type Language, languageNames, signs } from "../../readings/tables.ts";
import type { Draft, Context } from "../context.ts";
import { dataBlock, html, type Json, type Markup } from "../html.ts";
import { pathOf } from "../paths.ts";
import { pictureFor, sharedPicture } from "./drawings.ts";
import type { TreePath } from "../tree.ts";
import type { PlacedPage } from "./page.ts";

// Links to the same page in other languages, for search engines. Only current pages have them, and each names all others, because
// search engines ignore a link that is not returned.
type OfLanguage = Extract<TreePath, { readonly language: Language }>;

/** The name of a page without its language, which all its translations share. */
export function withoutLanguage(at: OfLanguage): string {
  return pathOf(at).slice(at.language.length + 1);
}

export function alternateLinks(context: Context, at: TreePath): Markup[] {
  const { language, alternates } = context;
  const page: TreePath = at.row === "chooserPage" ? { row: "frontPage", language } : at;
  if (!("language" in page)) return [];
  const path = withoutLanguage(page);
  const isOwn = page === at || context.indexing({ at: page }) === "listed";
  const others = alternates?.get(path);
  const all = languageNames.filter((one) => (one === language ? isOwn : others?.get(one)));
  const [first = language] = all;
  if (all.length < 2) return [];
  const chooser: TreePath = { row: "chooserPage" };
  const hasChooser = page.row === "frontPage" && context.indexing({ at: chooser }) === "listed";
  return [
    ...all.map((one) => alternate(context, one, { ...page, language: one })),
    // For readers of none of these languages: the page to choose one, else the site's first language.
    alternate(context, "x-default", hasChooser ? chooser : { ...page, language: first }),
  ];
}

function alternate(context: Context, language: string, at: TreePath) {
  return html`<link rel="alternate" hreflang="${language}" href="${context.fullAddress(at)}" />`;
}

/** Structured data for search engines, by schema.org, in a block that no browser runs. */
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
  const { kind, title, description, shownFrom, reviewed } = page;
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
    reviewed,
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

// The card that other sites show for a shared link, as Open Graph tags.
/** Every picture is of this size: `npm run pictures` draws them. */
export const pictureSize = { width: 1200, height: 630 } as const;

export function sharing(context: Context, page: PlacedPage): Markup {
  const { settings, language } = context;
  const picture = sharedPicture(context, page);
  return html`<meta property="og:type" content="${page.kind}" />
    <meta property="og:site_name" content="${settings.name}" />
    <meta property="og:title" content="${page.title}" />
    <meta property="og:description" content="${page.description}" />
    <meta property="og:url" content="${context.url(page.canonical)}" />
    <meta property="og:locale" content="${locales.get(language)}" />
    <meta property="og:image" content="${context.url(picture)}" />
    <meta property="og:image:width" content="${pictureSize.width}" />
    <meta property="og:image:height" content="${pictureSize.height}" />
    <meta property="og:image:alt" content="${saidBy(context, page, picture)}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

/** The alternative text of the picture: the sign's name, or the site's name and tagline. */
function saidBy({ settings, signNames, labels }: Context, page: PlacedPage, { row }: TreePath): string {
  if (page.picture !== undefined) return signNames[page.picture];
  return row === "languagePicture" ? `${settings.name} · ${labels.tagline}` : settings.name;
}

/** Open Graph wants a country with the language: `pt_BR`, where most of its readers are. Worked out once, because it is slow. */
const locales = new Map<Language, string>(
  languageNames.map((language) => {
    const { region } = new Intl.Locale(language).maximize();
    return [language, region === undefined ? language : `${language}_${region}`];
  }),
);

// The pictures of shared links: of the site and of each sign, without words and in each language. `npm run pictures` draws them.
const shown = [undefined, ...signs];
/** The last chunk of a PNG, which is empty: its length, its name and its check sum. */
const pictureEnd = Buffer.from("\0\0\0\0IEND\xaeB`\x82", "latin1");

/** Those of pages that are of no language, and of other people's own uses. */
export const wordlessPictures = shown.map((sign): Draft => {
  const bytes: Uint8Array = readFileSync(new URL(`../pictures/${sign ?? "site"}.png`, import.meta.url));
  return { at: pictureFor(sign, undefined), render: () => [bytes] };
});

const byLanguage = new Map(languageNames.map((language) => [language, picturesOf(language)]));

export function languagePictures(language: Language): readonly Draft[] {
  return byLanguage.get(language) ?? [];
}

/** A language's pictures are in one file, one after the other: three hundred files would be slow to read at each start. */
function picturesOf(language: Language): Draft[] {
  const file = readFileSync(new URL(`../pictures/languages/${language}.pngs`, import.meta.url));
  let start = 0;
  return shown.map((sign) => {
    const end = file.indexOf(pictureEnd, start) + pictureEnd.length;
    const bytes: Uint8Array = file.subarray(start, end);
    start = end;
    return { at: pictureFor(sign, language), render: () => [bytes] };
  });
}
