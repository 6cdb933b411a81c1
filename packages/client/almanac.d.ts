// Types of almanac.js, which reads and verifies published readings in browsers and in Node 20 or later.
// docs/client.md explains its use, each error, and how to pin keys.

/**
 * Opens a site. It makes no request until you call a method.
 *
 *     const almanac = createAlmanac({ url: "https://almanac.example/", storage: localStorage });
 *     const { data, stale } = await almanac.horoscope({ language: "hi", period: "daily", sign: "leo" });
 */
export function createAlmanac(options: AlmanacOptions): Almanac;

export interface AlmanacOptions {
  /** The full root URL of the site: `https://almanac.example/`. */
  url: string | URL;
  /**
   * Ed25519 public keys, as PEM or base64. One of them must have signed the site, so nobody without the private key can imitate
   * it. If you omit this option, signatures are not checked. With an empty list, no site is accepted.
   */
  keys?: readonly string[];
  /**
   * Storage for the last valid readings and the highest version, such as `localStorage`. Its errors are ignored. Default: memory.
   */
  storage?: AlmanacStorage;
  /** Replaces the global `fetch`. */
  fetch?: (url: string, init: { signal: AbortSignal; cache?: "no-cache" }) => Promise<Response>;
  /** Milliseconds since 1970. Replaces `Date.now`, which is compared with the site's expiry. */
  now?: () => number;
  /** Timeout per file, including its body. Default: 10,000. */
  timeoutMs?: number;
}

/**
 * Whether a path is a valid published path: below `v1/` or a language, with segments of `a` to `z`, digits and hyphens, and one
 * dot before the file extension. The client ignores all other paths of a state, even if it is signed.
 */
export function isPublishedPath(path: string): boolean;

export interface AlmanacStorage {
  getItem(name: string): string | null | undefined | Promise<string | null | undefined>;
  setItem(name: string, value: string): unknown;
}

/**
 * Every method rejects with an `AlmanacError`. If the site is unreachable or invalid, but an earlier result is stored, the method
 * resolves to that result with `stale: true`. Calls that you make together read the same state of the site.
 */
export interface Almanac {
  /** The text of one sign: the current one, or the one of a date. */
  horoscope(ask: SetQuery & { sign: Sign }): Promise<Shown<Horoscope>>;
  /** The texts of all twelve signs. */
  horoscopes(ask: SetQuery): Promise<Shown<Horoscopes>>;
  /** A card reading: today's, or the one of a date. */
  cards(ask: { language: Language; operation: CardOperation; date?: string }): Promise<Shown<Cards>>;
  /** The text for two signs, in this order: Aries with Leo differs from Leo with Aries. */
  pair(ask: { language: Language; sign1: Sign; sign2: Sign }): Promise<Shown<PairText>>;
  /** The labels of a language: names of signs and sections, dates in words, and formats of lists and numbers. */
  words(ask: { language: Language }): Promise<Shown<Words>>;
  /** Any other JSON file of the site, by its path, such as `v1/index.json`. Its bytes are verified, but not its fields. */
  document(path: string): Promise<Shown<unknown>>;
  /**
   * The whole published state, for programs that build pages in advance. Rejects if the site is unreachable. To load only some
   * parts of a large site, select them by name: `en/current`, `en/2026-11` for the pages of that month, `shared` for the rest.
   */
  state(isWanted?: (part: string) => boolean): Promise<SiteState>;
}

export interface SiteState {
  version: number;
  /** The key that signed the state, as base64. */
  key?: string;
  /** Expiry of the state. The site renews it long before. */
  expires: string;
  /** Files by path, such as `v1/en/daily/latest.json`. `object` is the file's hash. Root files and `assets/` are omitted. */
  files: Readonly<Record<string, { object: string; size: number; type: string }>>;
  /** A JSON file of this state, even after the next publish. */
  document(path: string): Promise<unknown>;
}

export interface SetQuery {
  language: Language;
  period: Period;
  /**
   * A date such as `2026-11-21`, which also selects the week, month or year that contains it. `2026-11` and `2026` also select a
   * month and a year. Default: the site's current reading. The date changes at midnight in the language's time zone, regardless
   * of the reader's time zone.
   */
  date?: string;
}

/** `stale` is true if `data` is the last valid reading instead of the current one. `reason` is then the error. */
export type Shown<Data> = Sight<Data> & ({ stale: false } | { stale: true; reason: AlmanacError });

interface Sight<Data> {
  data: Data;
  /** The version of the site's state. Readings with the same version belong together. */
  version: number;
  /** The key that signed that state, as base64. */
  key?: string;
}

export class AlmanacError extends Error {
  name: AlmanacErrorName;
}

/**
 * - `Unreachable`: no response in time, or a status other than 200
 * - `Frozen`: the state has expired, because this is an old copy or the local clock is wrong
 * - `RolledBack`: the state is older than one seen before
 * - `Mixed`: bytes or readings don't belong to the state
 * - `Forged`: none of the keys signed the state
 * - `UnknownFormat`: this version of the client cannot read the format
 * - `TooLarge`: a file is larger than allowed
 * - `NotPublished`: the site is valid, but has no such reading, or the text was withdrawn
 * - `Unsupported`: no Web Crypto API (pages need HTTPS), no Ed25519, or an invalid key
 *
 * The last two always reject, even if an earlier reading is stored.
 */
// oxfmt-ignore
export type AlmanacErrorName =
  | "Unreachable" | "Frozen" | "RolledBack" | "Mixed" | "Forged" | "UnknownFormat" | "TooLarge" | "NotPublished" | "Unsupported";

/** Fields of every file with readings. Times are in UTC: `2026-11-21T18:30:00.000Z`. */
export interface Timed {
  /** A hash of all readings of the set. Readings of the same edition have the same hash. */
  set: string;
  /** Start of the period in which the text is current, in the language's time zone. */
  validFrom: string;
  validUntil: string;
  /** Time at which the next text is due. */
  nextAt: string;
  /** Time of the service's response, or of the newest response. */
  receivedAt: string;
  /** Time at which a publish first showed the text, or the newest text. Absent in files published by an earlier version. */
  shownFrom?: string;
  /** Whether a person has approved the text, or all texts. */
  reviewed?: true;
}

export interface Horoscope extends Timed {
  reading: HoroscopeReading;
}

export interface Horoscopes extends Timed {
  $schema: string;
  /** All twelve signs, except those in `withdrawn`. */
  readings: { [S in Sign]?: HoroscopeReading };
  /** Signs whose text was withdrawn. Absent if there are none. */
  withdrawn?: Sign[];
}

export interface Cards extends Timed {
  $schema: string;
  /** `family` distinguishes the types. */
  reading: CardsReading | SpreadReading | TriangleReading | WisdomReading | TarotReading;
}

export interface PairText extends Timed {
  $schema: string;
  reading: PairReading;
}

/** Paragraphs of plain text. Insert them into a page as text, never as markup. */
export type Paragraphs = string[];
type LuckKind = "colors" | "numbers" | "alphabets" | "cosmicTip" | "singles" | "couples";
type Section = "personal" | "health" | "profession" | "emotions" | "travel";

interface Common {
  format: 1;
  language: Language;
  /** `2026-11-21` for a day, the first day for a week, `2026-11`, `2026`, or `2026-Q4` for a season. */
  period: string;
  /** When a person last corrected texts of this reading, and their paths, such as `sections.personal`. Absent if nobody did. */
  corrected?: { at: string; fields: string[] };
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
  /** 0 to 100. */
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

/** Labels of the site's own pages. */
export interface Words {
  $schema: string;
  language: Language;
  /** The language's own name for itself. */
  name: string;
  direction: "ltr" | "rtl";
  signs: { [S in Sign]: string };
  /** The dates between which the sun is in each sign. */
  sunDates: { [S in Sign]: string };
  operations: { [O in Operation]: string };
  periods: { [P in Period]: string };
  sections: { [S in Section]: string };
  /** Label of the score `luck`. */
  luck: string;
  luckKinds: { [K in LuckKind]: string };
  pairSections: { [S in "overall" | "positive" | "negative" | "elements" | "idealDate"]: string };
  pairScores: { [S in "general" | "communication" | "sex"]: string };
  /** Positions of cards in a reading with several cards. */
  places: { [P in Place]: string };
  orientations: { [O in "upright" | "reversed"]: string };
  cardSections: { [S in "keywords" | "advice" | "career" | "love" | "finance"]: string };
  /** Other labels. */
  page: { [W in PageWord]: string };
  /** The period of each current horoscope and card reading, also in words. */
  current: { [O in Operation]?: { period: string; words: string } };
  /** Weekdays in the order of the language's week. `day` 0 is Sunday. */
  weekdays: { day: number; name: string; inDate: string; short: string }[];
  /** Months from January. `name` is for a month with a year, and `inDate` for a full date, which differs in many languages. */
  months: { name: string[]; inDate: string[]; short: string[] };
  /** Separators of a list: `two` for two items; otherwise `start` after the first, `middle`, and `end` before the last. */
  list: { two: string; start: string; middle: string; end: string };
  /** `digits` are 0 to 9. `percent` contains `{number}`. */
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
