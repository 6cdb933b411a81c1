// A language's weekdays, months, lists, numbers and plurals for programs that have no Intl: taken from what Intl itself writes,
// with the same formatters as the pages.
import type { Language } from "../readings/languages.ts";
import { utcMidnightMs } from "../readings/zones.ts";
import { Formats, writersFor } from "./formats.ts";
import type { WordsDocument } from "./words.schema.ts";

type LanguageRules = Pick<WordsDocument, "weekdays" | "months" | "list" | "numbers" | "plurals">;

/** None of these depends on the zone. */
const zone = "UTC";
const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

const madeBefore = new Map<Language, LanguageRules>();

export function rulesOf(language: Language): LanguageRules {
  const rules = madeBefore.get(language) ?? newRules(language);
  madeBefore.set(language, rules);
  return rules;
}

function newRules(language: Language): LanguageRules {
  const { daily, long, short, monthly } = writersFor(language, zone);
  return {
    weekdays: new Formats(language, zone).weekdays().map(({ day, short: brief, long: name }) => {
      const inDate = partOf(daily.formatToParts(utcMidnightMs(`2026-11-0${1 + day}`)), "weekday"); // the first is a Sunday
      return { day, name, inDate, short: brief };
    }),
    months: { name: monthsIn(monthly), inDate: monthsIn(long), short: monthsIn(short) },
    list: listRules(language),
    numbers: numberRules(language),
    plurals: new Intl.PluralRules(language).resolvedOptions().pluralCategories,
  };
}

function monthsIn(writer: Intl.DateTimeFormat): string[] {
  return Array.from({ length: 12 }, (_, month) => {
    const date = `2026-${String(1 + month).padStart(2, "0")}-05`;
    return monthIn(writer.formatToParts(utcMidnightMs(date)));
  });
}

/** In Chinese and Japanese a month is a number and the word that follows it. */
function monthIn(parts: readonly Intl.DateTimeFormatPart[]): string {
  const index = parts.findIndex(({ type }) => type === "month");
  const name = parts[index]?.value ?? "";
  return /^\d+$/.test(name) ? name + (parts[index + 1]?.value ?? "") : name;
}

function partOf(parts: readonly Intl.DateTimeFormatPart[], wanted: Intl.DateTimeFormatPartTypes): string {
  return parts.find(({ type }) => type === wanted)?.value ?? "";
}

function listRules(language: Language): LanguageRules["list"] {
  const { list } = writersFor(language, zone);
  const between = (count: number) =>
    list
      .formatToParts(digits.slice(0, count).map(String))
      .flatMap(({ type, value }) => (type === "literal" ? [value] : []));
  const [[two = ""], [start = "", middle = "", end = ""]] = [between(2), between(4)];
  return { two, start, middle, end };
}

function numberRules(language: Language): LanguageRules["numbers"] {
  const { number, tenths, percent } = writersFor(language, zone);
  const pattern = percent
    .formatToParts(0.5)
    .map(({ type, value }) => (type === "integer" ? "{number}" : value));
  return {
    system: number.resolvedOptions().numberingSystem,
    digits: digits.map((digit) => number.format(digit)),
    decimal: tenths.formatToParts(1.5).find(({ type }) => type === "decimal")?.value ?? "",
    percent: pattern.join(""),
  };
}
