// The 26 languages a site can be in: BCP 47 here and everywhere, the service's own code only on the wire.
// readings/operations.ts says which operation has which of them.

/** Each language with the service's code for it where that is another, its script and its home zone unless the configuration has another. */
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
export type LanguageSet = "A" | "A+gu" | "B" | "B+hu+uk" | "English";

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
