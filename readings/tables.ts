// The tables of the service: languages, operations, endpoints and signs. Client, sandbox, plan, pages and --help read them. To add an
// operation, add a row here and, if its answer is of a new kind, a family in reading.schema.ts.

/**
 * The 26 languages that a site can be in: BCP 47 here and everywhere, the service's own code only on the wire. Each has that code
 * where it is another, its script, and its home zone unless the configuration has another.
 */
export const languages = {
  en: { script: "Latin", zone: "America/New_York" },
  hi: { script: "Devanagari", zone: "Asia/Kolkata" },
  zh: { script: "Han", zone: "Asia/Shanghai" },
  ja: { script: "Japanese", zone: "Asia/Tokyo" },
  ar: { script: "Arabic", zone: "Africa/Cairo" },
  ru: { script: "Cyrillic", zone: "Europe/Moscow" },
  pt: { script: "Latin", zone: "America/Sao_Paulo" },
  es: { script: "Latin", zone: "Europe/Madrid" },
  fr: { script: "Latin", zone: "Europe/Paris" },
  de: { script: "Latin", zone: "Europe/Berlin" },
  it: { script: "Latin", zone: "Europe/Rome" },
  nl: { script: "Latin", zone: "Europe/Amsterdam" },
  pl: { script: "Latin", zone: "Europe/Warsaw" },
  tr: { script: "Latin", zone: "Europe/Istanbul" },
  uk: { script: "Cyrillic", zone: "Europe/Kyiv" },
  hu: { script: "Latin", zone: "Europe/Budapest" },
  el: { wire: "gr", script: "Greek", zone: "Europe/Athens" },
  bn: { script: "Bengali", zone: "Asia/Dhaka" },
  mr: { wire: "ma", script: "Devanagari", zone: "Asia/Kolkata" },
  ta: { wire: "tm", script: "Tamil", zone: "Asia/Kolkata" },
  te: { wire: "tl", script: "Telugu", zone: "Asia/Kolkata" },
  ml: { script: "Malayalam", zone: "Asia/Kolkata" },
  kn: { script: "Kannada", zone: "Asia/Kolkata" },
  fil: { wire: "ta", script: "Latin", zone: "Asia/Manila" },
  id: { wire: "bah", script: "Latin", zone: "Asia/Jakarta" },
  gu: { script: "Gujarati", zone: "Asia/Kolkata" },
} as const;

export type Language = keyof typeof languages;
export type Script = (typeof languages)[Language]["script"];

export const languageNames = Object.keys(languages).filter(isLanguage);

/** The service's code for a language. */
export function wireOf(language: Language) {
  const row = languages[language];
  return "wire" in row ? row.wire : language;
}

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(languages, text);
}

/** The four sets of the interface document; Set A is every language but Gujarati. */
const setA = languageNames.filter((language) => language !== "gu");
const setB = "en hi pt fr es ru de nl it pl ar ja zh ta te tr fil bn mr ml kn".split(" ").filter(isLanguage);
export const languageSets: Record<LanguageSet, readonly Language[]> = {
  A: setA,
  "A+gu": languageNames,
  B: setB,
  "B+hu+uk": [...setB, "hu", "uk"],
  English: ["en"],
};
type LanguageSet = "A" | "A+gu" | "B" | "B+hu+uk" | "English";

/** The language that a person names without a doubt: its code in any case (`EN`), or its name in English or in itself. */
export function namedLanguage(text: string): Language | undefined {
  const wanted = plainName(text);
  if (isLanguage(wanted)) return wanted;
  return languageNames.find((language) => namesOf(language).includes(wanted));
}

/** The language a person may have meant by a code that is none of ours, such as `pt-BR`, or the service's `gr` for `el`. */
export function guessLanguage(text: string): Language | undefined {
  const wanted = text.toLowerCase();
  if (wanted === "bengali") return "bn"; // the name in most other languages
  const base = shortCode(wanted.split(/[-_]/)[0] ?? wanted);
  const byCode = isLanguage(base) ? base : languageNames.find((language) => wireOf(language) === wanted);
  return namedLanguage(text) ?? byCode;
}

/** `deu` and `ger` are `de`. */
function shortCode(code: string) {
  const [short = code] = /^[a-z]{3}$/.test(code) ? Intl.getCanonicalLocales(code) : [];
  return short;
}

/** Each language's names with the language, for whoever looks for the nearest one. */
export function languagesByName(): ReadonlyMap<string, Language> {
  return new Map(languageNames.flatMap((language) => namesOf(language).map((name) => [name, language])));
}

function namesOf(language: Language): string[] {
  return ["en", language].map((within) =>
    plainName(new Intl.DisplayNames(within, { type: "language" }).of(language) ?? language),
  );
}

/** Folds a name to what is typed without accents: `francais` is `Français`. Marks of other scripts are letters and stay. */
function plainName(text: string) {
  return text
    .trim()
    .normalize("NFD")
    .replaceAll(/(?<=\p{Script=Latin}|\p{Script=Greek})[\u0300-\u036F]+/gu, "")
    .normalize("NFC")
    .toLowerCase();
}

/** The kinds of canonical reading that an answer becomes. */
export type Family = "horoscope" | "pair" | "cards" | "spread" | "triangle" | "wisdom" | "animal" | "tarot";

/** Form fields beyond `api_key`, which every operation takes. */
export type Field =
  | "lan"
  | "sign"
  | "sign_1"
  | "sign_2"
  | "week"
  | "month"
  | "year"
  | "h_day"
  | "tzone"
  | "cards_count"
  | "card_image"
  | "full_name"
  | "day";

/** How often an operation is called: each calendar period, each local day for a card, each season for a pair, once for a person. */
type DueEvery = "daily" | "weekly" | "monthly" | "yearly" | "seasonal" | "once";

interface OperationRow {
  readonly path: string;
  /** Absent: the English or the translator endpoint, by language. */
  readonly endpoint?: "legacy";
  readonly family: Family;
  readonly languages: LanguageSet;
  readonly due: DueEvery;
  readonly required: readonly Field[];
  readonly optional: readonly Field[];
  /** Horoscopes only: the fields of `data` that hold the texts and name the period. */
  readonly answer?: { readonly texts: string; readonly period: string };
  readonly about: string;
}

const lan = ["lan"] as const;
const card = ["lan", "card_image"] as const;
const cards = ["lan", "cards_count", "card_image"] as const;

// oxfmt-ignore
export const operations = {
  "daily-horoscope": {
    path: "/api/v5/daily-horoscope", family: "horoscope", languages: "A", due: "daily",
    required: ["sign", "h_day", "tzone"], optional: lan,
    answer: { texts: "prediction", period: "date" }, about: "a sign's horoscope for the day",
  },
  "weekly-horoscope": {
    path: "/api/v5/weekly-horoscope", family: "horoscope", languages: "A", due: "weekly",
    required: ["sign", "week", "tzone"], optional: lan,
    answer: { texts: "weekly_horoscope", period: "week" }, about: "a sign's horoscope for the week (Sunday to Saturday)",
  },
  "monthly-horoscope": {
    path: "/api/v5/monthly-horoscope", family: "horoscope", languages: "A", due: "monthly",
    required: ["sign", "month", "tzone"], optional: lan,
    answer: { texts: "monthly_horoscope", period: "month" }, about: "a sign's horoscope for the month",
  },
  "yearly-horoscope": {
    path: "/api/v5/yearly-horoscope", family: "horoscope", languages: "A", due: "yearly",
    required: ["sign", "year", "tzone"], optional: lan,
    answer: { texts: "yearly_horoscope", period: "year" }, about: "a sign's horoscope for the year",
  },
  "love-compatibility": {
    path: "/api/v2/love-compatibility", family: "pair", languages: "B", due: "seasonal",
    required: ["sign_1", "sign_2"], optional: lan, about: "compatibility of two signs",
  },
  "divine-angel-reading": {
    path: "/api/v3/divine-angel-reading", family: "cards", languages: "A", due: "daily",
    required: lan, optional: ["cards_count", "card_image"], about: "angel cards",
  },
  "power-life-reading": {
    path: "/api/v3/power-life-reading", family: "cards", languages: "A", due: "daily",
    required: [], optional: cards, about: "Power of Life cards",
  },
  "egyptian-prediction": {
    path: "/api/v3/egyptian-prediction", family: "cards", languages: "A", due: "daily",
    required: [], optional: cards, about: "Egyptian cards",
  },
  "ex-flame-reading": {
    path: "/api/v3/ex-flame-reading", family: "cards", languages: "A+gu", due: "daily",
    required: [], optional: cards, about: "cards about a former love",
  },
  "in-depth-love-reading": {
    path: "/api/v3/in-depth-love-reading", family: "cards", languages: "A+gu", due: "daily",
    required: [], optional: cards, about: "an in-depth love reading",
  },
  "past-present-future-reading": {
    path: "/api/v3/past-present-future-reading", family: "spread", languages: "A", due: "daily",
    required: [], optional: card, about: "three cards: past, present, future",
  },
  "love-triangle-reading": {
    path: "/api/v2/love-triangle-reading", family: "triangle", languages: "B", due: "daily",
    required: [], optional: card, about: "three cards: you and two people you love",
  },
  "wisdom-reading": {
    path: "/api/v2/wisdom-reading", family: "wisdom", languages: "B", due: "daily",
    required: [], optional: card, about: "two cards: yin and yang",
  },
  "which-animal-are-you-reading": {
    path: "/api/v2/which-animal-are-you-reading", family: "animal", languages: "A", due: "once",
    required: ["full_name", "day", "month", "year"], optional: lan, about: "the animal that a person resembles, based on name and birth date",
  },
  "daily-tarot": {
    path: "/api/v2/daily-tarot", family: "tarot", languages: "B+hu+uk", due: "daily",
    required: [], optional: lan, about: "one tarot card, read for career, love and finance",
  },
  "dream-come-true-reading": {
    path: "/api/v2/dream-come-true-reading", family: "cards", languages: "B", due: "daily",
    required: [], optional: lan, about: "one card about a dream",
  },
  "erotic-love-reading": {
    path: "/api/v2/erotic-love-reading", family: "cards", languages: "B", due: "daily",
    required: [], optional: lan, about: "one card about desire",
  },
  "past-lives-connection-reading": {
    path: "/api/v2/past-lives-connection-reading", family: "cards", languages: "B", due: "daily",
    required: [], optional: lan, about: "one card about past lives",
  },
  "daily-tarot-legacy": {
    path: "/api/1.0/get_daily_tarot.php", endpoint: "legacy", family: "tarot", languages: "English", due: "daily",
    required: [], optional: [], about: "one tarot card from the legacy endpoint, English only",
  },
} as const satisfies Record<string, OperationRow>;

export type Operation = keyof typeof operations;
export const operationNames = Object.keys(operations).filter(isOperation);

export function isOperation(text: string): text is Operation {
  return Object.hasOwn(operations, text);
}

/** A row as the common type, for code that treats all operations alike. */
export function rowOf(operation: Operation): OperationRow {
  return operations[operation];
}

export function familyOf(operation: Operation): Family {
  return operations[operation].family;
}

export function isOfFamily<F extends Family>(operation: Operation, family: F): operation is OperationOf<F> {
  return operations[operation].family === family;
}

export function isOfCards(operation: Operation): operation is CardOperation {
  const family = familyOf(operation);
  return family !== "horoscope" && family !== "pair" && family !== "animal";
}

export function languagesOf(operation: Operation): readonly Language[] {
  return languageSets[operations[operation].languages];
}

export type OperationOf<F extends Family> = {
  [O in Operation]: (typeof operations)[O]["family"] extends F ? O : never;
}[Operation];
export type HoroscopeOperation = OperationOf<"horoscope">;
export type CardOperation = OperationOf<"cards" | "spread" | "triangle" | "wisdom" | "tarot">;

/** The service's endpoints. Operation and language select one. Each has its own rate limiter, queue and circuit breaker. */
export const endpointNames = ["english", "translator", "legacy"] as const;
export type EndpointName = (typeof endpointNames)[number];

/** The twelve signs, by their English names in lower case; sign-names.ts has the names in other languages. */
export const signs = [
  "aries",
  "taurus",
  "gemini",
  "cancer",
  "leo",
  "virgo",
  "libra",
  "scorpio",
  "sagittarius",
  "capricorn",
  "aquarius",
  "pisces",
] as const;

export type Sign = (typeof signs)[number];

export function isSign(text: string): text is Sign {
  return signs.some((sign) => sign === text);
}
