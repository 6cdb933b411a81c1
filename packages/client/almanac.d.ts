// What almanac.js gives: the published readings, each checked before it is given, in browsers and Node 20 or later.
// How to use it, what each error means and how to pin keys: docs/client.md.

/**
 * Opens a site. Nothing is fetched before something is asked.
 *
 *     const almanac = createAlmanac({ url: "https://almanac.example/", storage: localStorage });
 *     const { data, stale } = await almanac.horoscope({ language: "hi", period: "daily", sign: "leo" });
 */
export function createAlmanac(options: AlmanacOptions): Almanac;

export interface AlmanacOptions {
  /** The site's root, in full: `https://almanac.example/`. */
  url: string | URL;
  /**
   * The Ed25519 public keys of which one must have signed the site, in PEM form or as its bare base64. With them nobody
   * without the private key can show anything as this site. Left out, signatures are not looked at; an empty list trusts nobody.
   */
  keys?: readonly string[];
  /**
   * Where the last good readings and the newest version seen are kept beyond the page or process, such as `localStorage`.
   * What it throws is passed over. Without one they are kept in memory.
   */
  storage?: AlmanacStorage;
  /** In place of the global `fetch`. */
  fetch?: (url: string, init: { signal: AbortSignal; cache?: "no-cache" }) => Promise<Response>;
  /** Milliseconds since 1970, in place of `Date.now`: against it the site's expiry is held. */
  now?: () => number;
  /** For each of the files on the way, its body included; 10,000 unless said. */
  timeoutMs?: number;
}

/**
 * Whether a consumer may keep or address a file by this path of a site: under `v1/` or a language, each segment of `a` to `z`,
 * digits and hyphens, and one dot before the ending. Other paths of a state are ignored, whoever signed it.
 */
export function isPublishedPath(path: string): boolean;

export interface AlmanacStorage {
  getItem(name: string): string | null | undefined | Promise<string | null | undefined>;
  setItem(name: string, value: string): unknown;
}

/**
 * Every method rejects with an `AlmanacError`. Where the site can't be had or is refused and the same was had before, it
 * resolves to that, `stale`. Calls that are made together are answered from one and the same state of the site.
 */
export interface Almanac {
  /** The current text of a sign, or the one that held on a date. */
  horoscope(ask: SetQuery & { sign: Sign }): Promise<Shown<Horoscope>>;
  /** All twelve signs at once. */
  horoscopes(ask: SetQuery): Promise<Shown<Horoscopes>>;
  /** Today's card reading, or a date's. */
  cards(ask: { language: Language; operation: CardOperation; date?: string }): Promise<Shown<Cards>>;
  /** The text for two signs. That of Aries with Leo is not the one of Leo with Aries. */
  pair(ask: { language: Language; sign1: Sign; sign2: Sign }): Promise<Shown<PairText>>;
  /** What a page in the language needs besides the texts: names of signs and sections, worded dates, rules for lists and numbers. */
  words(ask: { language: Language }): Promise<Shown<Words>>;
  /** Any other JSON document of the site, by its path, such as `v1/index.json`: its bytes are checked, not its shape. */
  document(path: string): Promise<Shown<unknown>>;
  /**
   * What is published now, for programs that build pages ahead of time; rejects where the site can't be had. Of a site of many
   * years the parts can be chosen by name: `en/current`, `en/2026-11` for what is dated in that month, `shared` for the rest.
   */
  state(isWanted?: (part: string) => boolean): Promise<SiteState>;
}

export interface SiteState {
  version: number;
  /** Which of `keys` signed it, as bare base64. */
  key?: string;
  /** By then the site will have renewed it. */
  expires: string;
  /** By path, such as `v1/en/daily/latest.json`; `object` is the hash of its bytes. Files of the root and `assets/` are left out. */
  files: Readonly<Record<string, { object: string; size: number; type: string }>>;
  /** One of the JSON files, of this very state whatever is published meanwhile. */
  document(path: string): Promise<unknown>;
}

export interface SetQuery {
  language: Language;
  period: Period;
  /**
   * A date such as `2026-11-21`: of the week, month or year it is in. A month (`2026-11`) and a year (`2026`) do for
   * themselves. Left out, it is what the site has as the current one: the day turns at the midnight of the language's home
   * zone, and the reader's own zone has no part in it.
   */
  date?: string;
}

/** `stale`: the last good one, and the reason why it is not what the site shows now. */
export type Shown<Data> = Sight<Data> & ({ stale: false } | { stale: true; reason: AlmanacError });

interface Sight<Data> {
  data: Data;
  /** The number of the site's state that it is from: readings with the same one go together. */
  version: number;
  /** Which of `keys` signed that state, as bare base64. */
  key?: string;
}

export class AlmanacError extends Error {
  name: AlmanacErrorName;
}

/**
 * - `Unreachable`: no answer in time, or none that is good;
 * - `Frozen`: the site's state has expired, so this is an old copy, or this machine's clock is wrong;
 * - `RolledBack`: an older state than one that was seen before;
 * - `Mixed`: bytes or readings that are not those of the state they are said to be from;
 * - `Forged`: signed by none of the keys;
 * - `UnknownFormat`: nothing that this version of the client can read;
 * - `TooLarge`: more bytes than there should be;
 * - `NotPublished`: the site is sound and does not have it (a sign, date or language that is not there, or was withdrawn);
 * - `Unsupported`: no Web Cryptography here (pages need https), no Ed25519 in it, or a key that is none.
 *
 * The last two are never answered with a stale reading.
 */
// oxfmt-ignore
export type AlmanacErrorName =
  | "Unreachable" | "Frozen" | "RolledBack" | "Mixed" | "Forged" | "UnknownFormat" | "TooLarge" | "NotPublished" | "Unsupported";

/** What is said of every reading besides. Instants are in UTC: `2026-11-21T18:30:00.000Z`. */
export interface Timed {
  /** A hash over all readings of the set: equal where two readings are of one edition. */
  set: string;
  /** When this is the current text in its language's home zone. */
  validFrom: string;
  validUntil: string;
  /** When the next one is due. */
  nextAt: string;
  /** When the reading, or the newest of several, was received. */
  receivedAt: string;
  /** From when readers see this text, or the newest of several; absent in files that an earlier version has published. */
  shownFrom?: string;
}

export interface Horoscope extends Timed {
  reading: HoroscopeReading;
}

export interface Horoscopes extends Timed {
  $schema: string;
  /** All twelve, but for those in `withdrawn`. */
  readings: { [S in Sign]?: HoroscopeReading };
  /** Whose text the publisher has taken away; absent where there is none. */
  withdrawn?: Sign[];
}

export interface Cards extends Timed {
  $schema: string;
  /** `family` tells them apart. */
  reading: CardsReading | SpreadReading | TriangleReading | WisdomReading | TarotReading;
}

export interface PairText extends Timed {
  $schema: string;
  reading: PairReading;
}

/** Plain text, a paragraph each: to be put into a page as text, never as markup. */
export type Paragraphs = string[];
type LuckKind = "colors" | "numbers" | "alphabets" | "cosmicTip" | "singles" | "couples";
type Section = "personal" | "health" | "profession" | "emotions" | "travel";

interface Common {
  format: 1;
  language: Language;
  /** `2026-11-21` for a day, its first day for a week, `2026-11`, `2026`, `2026-Q4` for a season. */
  period: string;
}

export interface HoroscopeReading extends Common {
  family: "horoscope";
  operation: `${Period}-horoscope`;
  sign: Sign;
  sections: { [S in Section]: Paragraphs };
  luck: {
    kind?: LuckKind;
    label: string;
    value: string;
  }[];
  /** `#FFD700` */
  colors: string[];
  /** Of 100. */
  scores: { [S in Section | "luck"]?: number };
}

export interface PairReading extends Common {
  family: "pair";
  operation: "love-compatibility";
  sign1: Sign;
  sign2: Sign;
  overall: Paragraphs;
  positive: Paragraphs;
  negative: Paragraphs;
  elements: Paragraphs;
  idealDate: Paragraphs;
  scores: { general?: number; communication?: number; sex?: number };
}

export interface Card {
  name: string;
  text: Paragraphs;
  images: string[];
}

export interface CardsReading extends Common {
  family: "cards";
  operation:
    | "divine-angel-reading"
    | "power-life-reading"
    | "egyptian-prediction"
    | "ex-flame-reading"
    | "in-depth-love-reading"
    | "dream-come-true-reading"
    | "erotic-love-reading"
    | "past-lives-connection-reading";
  cards: Card[];
}

export interface SpreadCard {
  name: string;
  summary: Paragraphs;
  keywords: string[];
  advice: Paragraphs;
  images: string[];
}

export interface SpreadReading extends Common {
  family: "spread";
  operation: "past-present-future-reading";
  past: SpreadCard;
  present: SpreadCard;
  future: SpreadCard;
}

export interface TriangleReading extends Common {
  family: "triangle";
  operation: "love-triangle-reading";
  you: Card;
  firstLove: Card;
  secondLove: Card;
}

export interface WisdomReading extends Common {
  family: "wisdom";
  operation: "wisdom-reading";
  yin: Card;
  yang: Card;
}

export interface TarotReading extends Common {
  family: "tarot";
  operation: "daily-tarot" | "daily-tarot-legacy";
  name: string;
  category: string;
  orientation?: "upright" | "reversed";
  career: Paragraphs;
  love: Paragraphs;
  finance: Paragraphs;
  images: string[];
}

/** The words of the site's own pages. */
export interface Words {
  $schema: string;
  language: Language;
  /** The language's own name for itself. */
  name: string;
  direction: "ltr" | "rtl";
  signs: { [S in Sign]: string };
  /** The days between which the sun is in a sign. */
  sunDates: { [S in Sign]: string };
  operations: { [O in Operation]: string };
  periods: { [P in Period]: string };
  sections: { [S in Section]: string };
  /** The name of the score `luck`. */
  luck: string;
  luckKinds: { [K in LuckKind]: string };
  pairSections: { [S in "overall" | "positive" | "negative" | "elements" | "idealDate"]: string };
  pairScores: { [S in "general" | "communication" | "sex"]: string };
  /** Where a card lies in a reading of several. */
  places: { [P in Place]: string };
  orientations: { [O in "upright" | "reversed"]: string };
  cardSections: { [S in "keywords" | "advice" | "career" | "love" | "finance"]: string };
  /** What stands around the texts. */
  page: { [W in PageWord]: string };
  /** Of each horoscope and reading of cards that is current: its date, week, month or year, and that worded. */
  current: { [O in Operation]?: { period: string; words: string } };
  /** In the order of the language's week; 0 is Sunday. */
  weekdays: { day: number; name: string; inDate: string; short: string }[];
  /** From January; `name` with a year alone, `inDate` with a day, which is another form in many languages. */
  months: { name: string[]; inDate: string[]; short: string[] };
  /** What stands between the parts of a list: of two; else after the first, between others, before the last. */
  list: { two: string; start: string; middle: string; end: string };
  /** `digits` from 0 to 9; `percent` with `{number}`. */
  numbers: { system: string; digits: string[]; decimal: string; percent: string };
  plurals: ("zero" | "one" | "two" | "few" | "many" | "other")[];
}

type Place = "past" | "present" | "future" | "you" | "firstLove" | "secondLove" | "yin" | "yang";
// oxfmt-ignore
type PageWord =
  | "today" | "yesterday" | "tomorrow" | "previous" | "next" | "signs" | "mySign" | "cards" | "archive" | "scores" | "bringsLuck" | "readOn"
  | "withdrawn";
type Operation =
  | HoroscopeReading["operation"]
  | PairReading["operation"]
  | CardOperation
  | "which-animal-are-you-reading";

export type CardOperation = Cards["reading"]["operation"];
export type Period = "daily" | "weekly" | "monthly" | "yearly";
// oxfmt-ignore
export type Sign =
  | "aries" | "taurus" | "gemini" | "cancer" | "leo" | "virgo" | "libra" | "scorpio" | "sagittarius" | "capricorn" | "aquarius" | "pisces";
// oxfmt-ignore
export type Language =
  | "en" | "hi" | "zh" | "ja" | "ar" | "ru" | "pt" | "es" | "fr" | "de" | "it" | "nl" | "pl"
  | "tr" | "uk" | "hu" | "el" | "bn" | "mr" | "ta" | "te" | "ml" | "kn" | "fil" | "id" | "gu";
