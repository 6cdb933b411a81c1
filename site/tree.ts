// The table of published paths: a row for each kind of path. site/paths.ts builds and parses paths from it, and everything that
// depends on a path's kind is in its row. Consumers rely on every path: changing one breaks the contract.
import { languageNames, isOfCards, type Operation, operationNames, signs } from "../readings/tables.ts";
import { periodKinds } from "../readings/calendar.ts";
import { personIdPattern } from "../readings/request.ts";
import { type ShapeName, shapeNames } from "./data.schema.ts";

/** Values of a path's `{slots}`: one of a list, or any text that matches the expression. */
export const slots = {
  language: languageNames,
  kind: periodKinds,
  sign: signs,
  sign1: signs,
  sign2: signs,
  operation: operationNames.filter(isOfCards),
  shape: shapeNames,
  picture: ["png", "jpg", "webp", "gif"],
  /** A period key: a day, a week's first day, a month or a year. The form does not check whether the date exists. */
  key: /^\d{4}(?:-\d{2}){0,2}$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  month: /^\d{4}-\d{2}$/,
  person: personIdPattern,
  /** The name of an owner's page. */
  page: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  asset: ["css", "js", "png", "jpg", "webp", "gif", "svg", "avif", "ico", "woff2"],
  /** The name of an owner's file at the site's root, which is none of Almanac's. */
  rootName:
    /^(?!(?:index\.html|404\.html|robots\.txt|security\.txt|sitemap\.xml|sitemap-site\.xml|indexnow\.txt)$)[\w-]+(?:\.[\w-]+)*\.(?:html|txt|xml|json)$/,
  hash: /^[0-9a-f]{64}$/,
  ending: /^[a-z0-9]+$/,
} as const satisfies Readonly<Record<string, readonly string[] | RegExp>>;
type SlotName = keyof typeof slots;

/** The order in which the site is written: pages that others link to first, pages that link to all of them last. */
export const stages = ["dated", "latest", "front"] as const;
type Stage = (typeof stages)[number];

/** The contents of a path (site/paths.ts): readings, something made from several, or nothing of the service. */
export type Shows =
  /** The text of a request, and all twelve signs' texts of one. */
  | "text"
  | "twelve"
  /** The text, or all twelve texts, of the newest request of its kind. */
  | "current text"
  | "current twelve"
  /** The text of two signs, which the next season replaces. */
  | "pair"
  /** The newest of all operations of a language, its pairs, the cards of an operation. */
  | "edition"
  | "pairs"
  | "deck"
  /** A calendar of a sign's dated pages; a list of a language's pages. */
  | "month"
  | "list"
  /** The summaries of all languages; a copy of a card's picture; Almanac's own words, code and pictures. */
  | "site"
  | "picture"
  | "own"
  /** No file of the tree: a file that says which state is the current one, or holds its bytes. */
  | "record";

export interface Row {
  readonly path: string;
  readonly stage: Stage;
  readonly shows: Shows;
  /** The operation whose text the path shows, where the path does not name it. */
  readonly of?: Operation;
  /** Whether search engines learn of the page: by a sitemap and, for a current page, by its translations. */
  readonly isListed?: true;
  /** Whether it is a feed, which is written before the page that leads to it. */
  readonly isFeed?: true;
  /** Whether the page stays, without a text, when the configuration drops its operation (site/pages/sign-page.ts). */
  readonly staysEnded?: true;
  /** For data: the schemas of the file. */
  readonly schemas?: readonly ShapeName[];
  /** Its description in docs/published-tree.md and, for data, in OpenAPI. */
  readonly about: string;
}

/**
 * The paths of data are in the order in which OpenAPI lists them. What is dated is published with the other files of its
 * month, what has a language and no date with the current files of that language, all else with what the languages share.
 */
// oxfmt-ignore
const rows = {
  index: { path: "v1/index.json", stage: "front", shows: "site", schemas: ["index"], about: "Languages, operations and the newest reading of each" },
  status: { path: "v1/status.json", stage: "front", shows: "site", schemas: ["status"],
    about: "Newest and next edition of each language, and missing readings" },
  languageIndex: { path: "v1/{language}/index.json", stage: "front", shows: "edition", schemas: ["language"],
    about: "Operations and newest readings of one language" },
  words: { path: "v1/{language}/words.json", stage: "front", shows: "own", schemas: ["words"],
    about: "Labels of one language: names of signs, operations and sections, formats of dates, lists and numbers" },
  currentSigns: { path: "v1/{language}/{kind}/latest.json", stage: "latest", shows: "current twelve", schemas: ["signs"],
    about: "All twelve signs, current {kind} text" },
  signsData: { path: "v1/{language}/{kind}/{key}.json", stage: "dated", shows: "twelve", schemas: ["signs"], about: "All twelve signs, one {kind} text" },
  signData: { path: "v1/{language}/{kind}/{key}/{sign}.json", stage: "dated", shows: "text", schemas: ["sign"], about: "One sign, one {kind} text" },
  currentCards: { path: "v1/{language}/{operation}/latest.json", stage: "latest", shows: "current text", schemas: ["card"], about: "Today's card reading of {operation}" },
  cardsData: { path: "v1/{language}/{operation}/{date}.json", stage: "dated", shows: "text", schemas: ["card"], about: "Card reading of {operation} on one date" },
  deckData: { path: "v1/{language}/decks/{operation}.json", stage: "latest", shows: "deck", schemas: ["deck"],
    about: "Every card that an operation has shown" },
  pairData: { path: "v1/{language}/love-compatibility/{sign1}-{sign2}.json", stage: "latest", shows: "pair", of: "love-compatibility",
    schemas: ["pair"], about: "Love compatibility reading of two signs" },
  newsletterData: { path: "{language}/newsletter/{date}.json", stage: "dated", shows: "twelve", of: "daily-horoscope",
    schemas: ["newsletter"], about: "Newsletter of one day: subjects and URLs" },
  pointer: { path: "v1/pointer.json", stage: "front", shows: "record", schemas: ["pointer"], about: "Hash of the current manifest" },
  manifest: { path: "v1/manifests/{hash}.json", stage: "dated", shows: "record", schemas: ["manifest", "part"], about: "State of the site, or a part of it" },
  object: { path: "v1/objects/{hash}.{ending}", stage: "dated", shows: "record", about: "One file of a state, byte for byte" },
  marker: { path: "v1/marker.json", stage: "front", shows: "record", about: "IDs of the site and its vault" },
  openApi: { path: "v1/openapi.json", stage: "front", shows: "site", about: "OpenAPI description of the site's JSON" },
  schema: { path: "v1/schemas/{shape}.json", stage: "dated", shows: "own", about: "JSON Schema of one kind of file" },

  signPage: { path: "{language}/{kind}/{sign}/index.html", stage: "latest", shows: "current text", isListed: true, staysEnded: true,
    about: "A sign's current {kind} horoscope" },
  datedPage: { path: "{language}/{kind}/{sign}/{key}/index.html", stage: "dated", shows: "text", isListed: true, about: "A sign's {kind} horoscope of one period" },
  cardPage: { path: "{language}/{operation}/index.html", stage: "latest", shows: "current text", isListed: true,
    about: "Today's reading of an operation with cards" },
  deckPage: { path: "{language}/decks/{operation}/index.html", stage: "latest", shows: "deck", isListed: true,
    about: "All cards published for an operation, with their texts" },
  drawPage: { path: "{language}/decks/{operation}/draw/index.html", stage: "latest", shows: "deck", isListed: true,
    about: "Draw one of the cards published for an operation" },
  pairPage: { path: "{language}/love-compatibility/{sign1}-{sign2}/index.html", stage: "latest", shows: "pair", of: "love-compatibility",
    isListed: true, about: "Love compatibility of two signs" },
  pairsPage: { path: "{language}/love-compatibility/index.html", stage: "front", shows: "pairs", of: "love-compatibility", isListed: true,
    about: "Choice of two signs for love compatibility" },
  partnerPage: { path: "{language}/love-compatibility/{sign}/index.html", stage: "front", shows: "pairs", of: "love-compatibility",
    isListed: true, about: "The pairs of one sign" },
  personPage: { path: "{language}/people/{person}/index.html", stage: "latest", shows: "text", of: "which-animal-are-you-reading",
    isListed: true, about: "Reading of a person in the configuration" },
  archivePage: { path: "{language}/archive/{sign}/{month}/index.html", stage: "dated", shows: "month", isListed: true, about: "A sign's days in one month" },
  archiveStart: { path: "{language}/archive/index.html", stage: "front", shows: "list", isListed: true, about: "Months of the archive, by sign" },
  cardsPage: { path: "{language}/cards/index.html", stage: "front", shows: "edition", isListed: true, about: "Today's cards of all operations" },
  followPage: { path: "{language}/follow/index.html", stage: "front", shows: "list", isListed: true, about: "Feeds and newsletters to follow in this language" },
  frontPage: { path: "{language}/index.html", stage: "front", shows: "edition", isListed: true, about: "Home page of a language, with the twelve signs" },
  accessibilityPage: { path: "{language}/accessibility/index.html", stage: "front", shows: "own", isListed: true,
    about: "Accessibility statement with your contact" },
  ownPage: { path: "{language}/pages/{page}/index.html", stage: "front", shows: "own", isListed: true, about: "Your page from `theme/pages/`" },
  aboutPage: { path: "{language}/about/index.html", stage: "front", shows: "own", isListed: true, about: "About the site and the source of its texts" },
  chooserPage: { path: "index.html", stage: "front", shows: "site", isListed: true, about: "Home page of the site, with a choice of languages" },
  statusPage: { path: "status/index.html", stage: "front", shows: "site", isListed: true, about: "Status page: the newest and next edition of each language" },
  notFoundPage: { path: "404.html", stage: "front", shows: "own", about: "404 page of the site" },
  languageNotFound: { path: "{language}/404.html", stage: "front", shows: "own", about: "404 page of a language" },
  gonePage: { path: "{language}/410.html", stage: "front", shows: "own", about: "410 page of a language, for dated pages that have left the site" },
  /** A card for other people's pages, which is hidden from search engines. */
  embed: { path: "{language}/embed/{sign}/index.html", stage: "latest", shows: "current text", of: "daily-horoscope",
    about: "A sign's daily horoscope in a box for other sites" },

  feed: { path: "{language}/feed.json", stage: "front", shows: "current twelve", of: "daily-horoscope", isFeed: true, staysEnded: true,
    about: "JSON Feed of all twelve signs" },
  signFeed: { path: "{language}/daily/{sign}/feed.json", stage: "front", shows: "current text", of: "daily-horoscope", isFeed: true,
    staysEnded: true, about: "JSON Feed of one sign" },
  rss: { path: "{language}/feed.xml", stage: "front", shows: "current twelve", of: "daily-horoscope", isFeed: true, staysEnded: true,
    about: "RSS feed of all twelve signs" },
  signRss: { path: "{language}/daily/{sign}/feed.xml", stage: "front", shows: "current text", of: "daily-horoscope", isFeed: true,
    staysEnded: true, about: "RSS feed of one sign" },
  newsletter: { path: "{language}/newsletter/{date}.html", stage: "dated", shows: "twelve", of: "daily-horoscope", about: "Newsletter of all twelve signs, as HTML" },
  newsletterText: { path: "{language}/newsletter/{date}.txt", stage: "dated", shows: "twelve", of: "daily-horoscope",
    about: "Newsletter of all twelve signs, as plain text" },
  signNewsletter: { path: "{language}/newsletter/{date}/{sign}.html", stage: "dated", shows: "text", of: "daily-horoscope", about: "Newsletter of one sign, as HTML" },
  signNewsletterText: { path: "{language}/newsletter/{date}/{sign}.txt", stage: "dated", shows: "text", of: "daily-horoscope",
    about: "Newsletter of one sign, as plain text" },

  sitemap: { path: "{language}/sitemap.xml", stage: "front", shows: "list", about: "Sitemap of a language's current pages" },
  monthSitemap: { path: "{language}/sitemap-{month}.xml", stage: "front", shows: "list", about: "Sitemap of a language's pages of one month" },
  sitemapOfSite: { path: "sitemap-site.xml", stage: "front", shows: "site", about: "Sitemap of pages without a language" },
  sitemapIndex: { path: "sitemap.xml", stage: "front", shows: "site", about: "List of all sitemaps" },
  robots: { path: "robots.txt", stage: "front", shows: "own",
    about: "Rules for crawlers and the URL of the sitemaps" },
  /** Data that a browser needs to install the site, or one language of it, as an app. */
  webManifest: { path: "manifest.webmanifest", stage: "dated", shows: "own", about: "Web app manifest of the site" },
  languageManifest: { path: "{language}/manifest.webmanifest", stage: "dated", shows: "own", about: "Web app manifest of one language" },
  /** Fixed path for programs that read no page. */
  favicon: { path: "favicon.ico", stage: "dated", shows: "own", about: "Icon at the path that programs try first" },
  securityText: { path: ".well-known/security.txt", stage: "front", shows: "own", about: "Contact for security reports" },
  indexNowKey: { path: "indexnow.txt", stage: "front", shows: "own", about: "Key of the site for IndexNow" },
  icon: { path: "assets/icon.svg", stage: "dated", shows: "own", about: "The site's icon, unless your theme has one" },
  client: { path: "assets/almanac.js", stage: "dated", shows: "own", about: "JavaScript client" },
  clientTypes: { path: "assets/almanac.d.ts", stage: "dated", shows: "own", about: "TypeScript types of the JavaScript client" },
  /** The element that shows a reading in another page. */
  element: { path: "assets/almanac-reading.js", stage: "dated", shows: "own", about: "Web component `<almanac-reading>`" },
  elementTypes: { path: "assets/almanac-reading.d.ts", stage: "dated", shows: "own", about: "TypeScript types of the web component" },
  /** Brings the site's JSON into a folder, in Node. */
  pull: { path: "assets/almanac-pull.js", stage: "dated", shows: "own", about: "Node script that copies the site's JSON into a folder" },
  /** Shown where a page is shared. */
  sitePicture: { path: "assets/pictures/site.png", stage: "dated", shows: "own", about: "Sharing image of the site, without text" },
  signPicture: { path: "assets/pictures/{sign}.png", stage: "dated", shows: "own", about: "Sharing image of a sign, without text" },
  /** The same with the sign's name, or the site's tagline, in the language's script. */
  languagePicture: { path: "{language}/pictures/site.png", stage: "dated", shows: "own", about: "Sharing image of a language, with the tagline" },
  languageSignPicture: { path: "{language}/pictures/{sign}.png", stage: "dated", shows: "own", about: "Sharing image of a sign, with its name" },
  /** A file of the owner's theme. */
  themeFile: { path: "assets/theme/{hash}.{asset}", stage: "dated", shows: "own", about: "A file of your theme, such as a logo or a font" },
  cardPicture: { path: "assets/pictures/{hash}.{picture}", stage: "dated", shows: "picture", about: "Copy of a card's picture (`pictures.mirror`)" },
  rootFile: { path: "{rootName}", stage: "front", shows: "own", about: "Your file from `theme/root/`, such as `ads.txt`" },
  wellKnownFile: { path: ".well-known/{rootName}", stage: "front", shows: "own",
    about: "Your file from `theme/root/.well-known/`" },
} as const satisfies Readonly<Record<string, Row>>;

export type RowName = keyof typeof rows;
export const tree: Readonly<Record<RowName, Row>> = rows;

export type PictureEnding = (typeof slots)["picture"][number];

type Value<Slot extends SlotName> = (typeof slots)[Slot] extends readonly (infer One)[] ? One : string;
type SlotsIn<Path extends string> = Path extends `${string}{${infer Slot extends SlotName}}${infer Rest}`
  ? Slot | SlotsIn<Rest>
  : never;

/** A parsed path: `{ row: "signPage", language: "en", kind: "daily", sign: "leo" }`. */
export type TreePath = { [Name in RowName]: TreePathOf<Name> }[RowName];
export type TreePathOf<Name extends RowName> = { readonly row: Name } & {
  readonly [Slot in SlotsIn<(typeof rows)[Name]["path"]>]: Value<Slot>;
};
export type PathShowing<Kind extends Shows> = {
  [Name in RowName]: (typeof rows)[Name]["shows"] extends Kind ? TreePathOf<Name> : never;
}[RowName];
export type RootFilePath = TreePathOf<"rootFile"> | TreePathOf<"wellKnownFile">;
