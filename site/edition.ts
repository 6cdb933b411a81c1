// The input and the output of rendering: an edition with the site's settings, and files.
import type { Configuration } from "../readings/configuration.schema.ts";
import type { IndexRule } from "../readings/index-rules.ts";
import { type Language, type CardOperation, type Operation, type Sign, signs } from "../readings/tables.ts";
import type { PeriodKind } from "../readings/calendar.ts";
import { listedPictureHosts } from "../readings/picture-hosts.ts";
import type { HoroscopeReading, Reading } from "../readings/reading.schema.ts";
import type { LanguageDocument, SeenCard } from "./data.schema.ts";
import type { OwnPage, Theme } from "./theme/theme.ts";
import { parsePath } from "./paths.ts";
import { tree, type TreePath } from "./tree.ts";

export interface SiteSettings {
  readonly id: string;
  readonly name: string;
  /** The URL of the site's root, which may have a path. */
  readonly url: string;
  /** The only hosts whose pictures may be shown, by https. Default: the known hosts. */
  readonly pictureHosts?: readonly string[];
  /** Contact for the accessibility statement. If it is absent, there is no statement. */
  readonly accessibility?: { readonly contact: string };
  /** The hub that feeds name, which notifies subscribers at once. */
  readonly hub?: string;
  /** Contact for reports of security problems. */
  readonly security?: { readonly contact: string };
  /** The key by which search engines recognize messages about changed pages. */
  readonly indexNow?: { readonly key: string };
  /** Whether pages say that their texts are machine-made or machine-translated. */
  readonly machineMade?: boolean;
  /** The rules that decide which pages search engines list (index-policy.ts). */
  readonly indexing?: readonly IndexRule[];
  /** The owner's theme, which was read and checked with the configuration. */
  readonly theme?: Theme;
}

export interface Received<One> {
  readonly reading: One;
  /** The time of the service's response, such as `2026-11-20T08:05:00.000Z`. */
  readonly receivedAt: string;
  /** The time at which readers first see the text (publish/render/shown-since.ts); absent if it is not recorded. */
  readonly shownFrom?: string;
  /** The same for a corrected text before its correction. */
  readonly firstShown?: string;
  /** Whether a person has approved the text as it is. */
  readonly reviewed?: boolean;
}

export type ReceivedReading = Received<Reading>;
export type ReceivedHoroscope = Received<HoroscopeReading>;

export function horoscopesIn(received: readonly ReceivedReading[]): ReceivedHoroscope[] {
  return received.flatMap(({ reading, ...times }) =>
    reading.family === "horoscope" ? [{ reading, ...times }] : [],
  );
}

/** Sorts readings by sign. */
export function inSignOrder<One extends { readonly reading: { readonly sign: Sign } }>(
  received: readonly One[],
): One[] {
  return received.toSorted(
    (one, other) => signs.indexOf(one.reading.sign) - signs.indexOf(other.reading.sign),
  );
}

/** A whole set. A current set has the current paths in addition to the dated ones. */
export interface ReadingSet {
  readonly operation: Operation;
  readonly period: string;
  readonly current: boolean;
  readonly readings: readonly ReceivedReading[];
  /** Signs whose text an operator has withdrawn: the set is complete without them. */
  readonly withdrawn?: readonly Sign[];
  /** Whether only its pages are rendered, because the decisions of the index policy on them have changed. */
  readonly pagesAlone?: boolean;
}

/** Every card that an operation has shown on any published day. */
export interface Deck {
  readonly operation: CardOperation;
  readonly cards: readonly SeenCard[];
}

/** A month of the archive, with the nearest earlier and later months in it. */
export interface ArchiveMonth {
  readonly month: string;
  readonly before?: string;
  readonly after?: string;
}

/** Horoscopes that are no longer configured: their current pages lead to the archive's newest month. */
export interface EndedHoroscope {
  readonly kind: PeriodKind;
  readonly month: string | undefined;
}

export interface LanguageEdition {
  readonly language: Language;
  /** The language's time zone, which decides when its date changes. */
  readonly zone: string;
  /** The local date that is today. */
  readonly date: string;
  readonly sets: readonly ReadingSet[];
  /** The decks of the operations that have a set here. */
  readonly decks?: readonly Deck[];
  /** The months in which a dated page of a sign may be added or removed. */
  readonly months?: readonly ArchiveMonth[];
  readonly ended?: readonly EndedHoroscope[];
  /** The owner's pages, of all languages. */
  readonly pages?: readonly OwnPage[];
  readonly hasAccessibility?: boolean;
  /** The periods of the current sets that are not shown, because they wait for review. */
  readonly waiting?: LanguageDocument["waiting"];
  /** Whether only past sets are rendered, with their decks and months, and the current pages stay. */
  readonly pastAlone?: boolean;
}

export interface RenderedFile {
  /** The path, without a leading slash: `en/daily/aries/index.html`. */
  readonly path: string;
  /** The path's row in the table, with its values. */
  readonly at: TreePath;
  readonly bytes: Uint8Array;
  readonly type: string;
  /** The time at which readers first see the newest text on the page, which is the page's last change. */
  readonly shownFrom?: string;
  /** Whether search engines are to list the page (index-policy.ts). */
  readonly isListed?: boolean;
}

/** The settings from the configuration. A site with its own copies shows no picture of another host. */
export function siteSettingsOf(
  { site, pictures, indexing }: Pick<Configuration, "site" | "pictures" | "indexing">,
  theme?: Theme,
): SiteSettings {
  const pictureHosts = pictures.mirror === undefined ? listedPictureHosts(pictures) : [];
  return { ...site, indexing, ...(theme && { theme }), pictureHosts };
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  json: "application/json; charset=utf-8",
  xml: "application/xml; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
  ico: "image/x-icon",
  woff2: "font/woff2",
  css: "text/css; charset=utf-8",
  webmanifest: "application/manifest+json",
  js: "text/javascript; charset=utf-8",
  ts: "text/plain; charset=utf-8", // a person may open it; browsers don't run it
};
const feedTypes: Readonly<Record<string, string>> = {
  json: "application/feed+json; charset=utf-8",
  xml: "application/rss+xml; charset=utf-8",
};

/** The content type of a path, even of a foreign file in the store. */
export function typeOf(path: string, at: TreePath | undefined = parsePath(path)): string {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  const isFeed = at !== undefined && tree[at.row].isFeed === true;
  return (isFeed ? feedTypes[ending] : types[ending]) ?? "application/octet-stream";
}
