// Every path of the published tree, which consumers rely on: whoever builds one by hand links to nothing.
import type { Language } from "../readings/languages.ts";
import type { Operation } from "../readings/operations.ts";
import type { PeriodKind } from "../readings/periods.ts";
import type { Sign } from "../readings/signs.ts";

export const sharedPaths = {
  chooser: "index.html",
  notFound: "404.html",
  robots: "robots.txt",
  icon: "assets/icon.svg",
  client: "assets/almanac.js",
  clientTypes: "assets/almanac.d.ts",
  index: "v1/index.json",
  openApi: "v1/openapi.json",
  status: "v1/status.json",
  statusPage: "status/index.html",
  /** The index of all sitemaps. */
  sitemaps: "sitemap.xml",
  /** Of the pages that belong to no language. */
  sitemap: "sitemap-site.xml",
} as const;

/** What is shown where a page is shared: a sign's picture, or the site's. */
export function picturePath(sign?: Sign): string {
  return `assets/pictures/${sign ?? "site"}.png`;
}

/** Of a language's current pages, or of those that are dated in a month. It lies above all that it lists, as it has to. */
export function sitemapPath(language: Language, month?: string): string {
  return `${language}/sitemap${month === undefined ? "" : `-${month}`}.xml`;
}

export function frontPath(language: Language): string {
  return `${language}/index.html`;
}

export function aboutPath(language: Language): string {
  return `${language}/about/index.html`;
}

/** The current page, or with a key the dated one. */
export function signPath(language: Language, kind: PeriodKind, sign: Sign, key?: string): string {
  return `${language}/${kind}/${sign}/${key === undefined ? "" : `${key}/`}index.html`;
}

/** The way to a sign's dated pages: those of a month, `2026-11`. */
export function archivePath(language: Language, sign: Sign, month: string): string {
  return `${language}/archive/${sign}/${month}/index.html`;
}

/** The current day of a sign as a card for other people's pages. */
export function embedPath(language: Language, sign: Sign): string {
  return `${language}/embed/${sign}/index.html`;
}

export function isEmbedPath(path: string): boolean {
  return /^[a-z]{2,3}\/embed\//.test(path);
}

export function operationPath(language: Language, operation: Operation): string {
  return `${language}/${operation}/index.html`;
}

/** Every card that an operation has shown so far. */
export function deckPath(language: Language, operation: Operation): string {
  return `${language}/decks/${operation}/index.html`;
}

export function deckDataPath(language: Language, operation: Operation): string {
  return `v1/${language}/decks/${operation}.json`;
}

export function pairPath(language: Language, sign1: Sign, sign2: Sign): string {
  return `${language}/love-compatibility/${sign1}-${sign2}/index.html`;
}

export function personPath(language: Language, person: string): string {
  return `${language}/people/${person}/index.html`;
}

export function feedPath(language: Language, format: "json" | "xml"): string {
  return `${language}/feed.${format}`;
}

/** The daily texts of one sign. */
export function signFeedPath(language: Language, sign: Sign, format: "json" | "xml"): string {
  return `${language}/daily/${sign}/feed.${format}`;
}

/** The letter of all signs or, with a sign, of that one alone; as data there is one for all. */
export function newsletterPath(
  language: Language,
  date: string,
  format: "html" | "txt" | "json",
  sign?: Sign,
): string {
  return `${language}/newsletter/${date}${sign === undefined ? "" : `/${sign}`}.${format}`;
}

export function languageDataPath(language: Language): string {
  return `v1/${language}/index.json`;
}

export function signDataPath(language: Language, kind: PeriodKind, key: string, sign: Sign): string {
  return `v1/${language}/${kind}/${key}/${sign}.json`;
}

/** All twelve; the current ones under `latest`. */
export function signsDataPath(language: Language, kind: PeriodKind, key: string): string {
  return `v1/${language}/${kind}/${key}.json`;
}

export function cardDataPath(language: Language, operation: Operation, date: string): string {
  return `v1/${language}/${operation}/${date}.json`;
}

export function pairDataPath(language: Language, sign1: Sign, sign2: Sign): string {
  return `v1/${language}/love-compatibility/${sign1}-${sign2}.json`;
}

export function schemaPath(name: string): string {
  return `v1/schemas/${name}.json`;
}

export const pictureEndings = ["png", "jpg", "webp", "gif"] as const;
export type PictureEnding = (typeof pictureEndings)[number];

/** A card's picture under its own hash. */
export function cardPicturePath(hash: string, ending: PictureEnding): string {
  return `assets/pictures/${hash}.${ending}`;
}

const picture = new RegExp(`^assets/pictures/[0-9a-f]{64}\\.(?:${pictureEndings.join("|")})$`);

export function isCardPicturePath(path: string): boolean {
  return picture.test(path);
}

/** The order in which the site is written: what others link to first, what links to all of it last. */
export const stages = ["dated", "latest", "front"] as const;
export type Stage = (typeof stages)[number];

const dated = /\/\d{4}(?:-\d{2}){0,2}[/.]|^assets\/|^v1\/schemas\//;
const front =
  /^[^/]*$|^status\/|^[a-z]{2,3}\/(?:(?:love-compatibility|about)\/)?index\.html$|^v1\/(?:[a-z]{2,3}\/)?[a-z]+\.json$|\/(?:feed\.(?:json|xml)|sitemap[\d-]*\.xml)$/;

/** Dated files and what all pages use, then the current ones, then indexes and front pages. */
export function stageOf(path: string): Stage {
  if (dated.test(path)) return "dated";
  return front.test(path) ? "front" : "latest";
}

const segment = "[A-Za-z0-9][A-Za-z0-9._-]*";
const safePath = new RegExp(`^${segment}(?:/${segment})*$`);

/** A period or an id that was not checked before can't lead out of the tree. */
export function requireSafePath(path: string): void {
  if (!safePath.test(path) || path.includes("..")) {
    throw new RangeError(`"${path}" is no path of a site: letters, digits, dots and hyphens between slashes`);
  }
}
