// Which period does an echo name? The service writes `2026-11-21`, `15 Nov 2026 to 21 Nov 2026`, `November 2026`,
// `2026`; in other languages months and digits may be translated, so all that can be read is read.
import { type Language } from "./languages.ts";
import { type HoroscopeOperation, operations } from "./operations.ts";
import { addDays } from "./periods.ts";
import { asciiDigits } from "./text.ts";

export type EchoVerdict = "named" | "another" | "unreadable";

/** Holds an echo against the period asked for. Where an echo can be read in two ways, the one that fits counts. */
export function periodNamedBy(
  said: string,
  asked: string,
  operation: HoroscopeOperation,
  language: Language,
): EchoVerdict {
  const text = asciiDigits(said.slice(0, 200)).toLowerCase();
  switch (operations[operation].due) {
    case "daily":
      return verdict(
        datesIn(text, language).map((readings) => readings.includes(asked)),
        1,
      );
    case "weekly": {
      const ends = [asked, addDays(asked, 6)];
      return verdict(
        datesIn(text, language).map((readings, index) => readings.includes(ends[index] ?? "")),
        2,
      );
    }
    case "monthly":
      return verdict(
        monthsIn(text, language).map((month) => month === asked),
        1,
      );
    case "yearly":
      return verdict(
        (text.match(/(?<!\d)\d{4}(?!\d)/g) ?? []).map((year) => year === asked),
        1,
      );
  }
}

function verdict(fits: readonly boolean[], expected: number): EchoVerdict {
  if (fits.length === 0) return "unreadable";
  return fits.length === expected && fits.every(Boolean) ? "named" : "another";
}

const yearFirst = /(?<!\d)(\d{4})\D{1,3}(\d{1,2})\D{1,3}(\d{1,2})(?!\d)/g;
const yearLast = /(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)/g;
const dayMonthYear = /(?<!\d)(\d{1,2})(?!\d)\D{0,4}?([\p{L}\p{M}]{2,}\.?)\D{0,6}?(\d{4})(?!\d)/gu;
const monthDayYear = /([\p{L}\p{M}]{2,}\.?)\s+(\d{1,2})\D{1,4}(\d{4})(?!\d)/gu;

/** Every date in a text, each as the list of dates that it can mean. */
function datesIn(text: string, language: Language): string[][] {
  const numeric = [...text.matchAll(yearFirst)].map(([, year, month, day]) => dates(year, [month, day]));
  if (numeric.length > 0) return numeric;
  const european = [...text.matchAll(yearLast)].map(([, first, second, year]) =>
    dates(year, [second, first], [first, second]),
  );
  if (european.length > 0) return european;
  for (const [pattern, dayPlace, monthPlace] of [
    [dayMonthYear, 1, 2],
    [monthDayYear, 2, 1],
  ] as const) {
    const named = [...text.matchAll(pattern)].flatMap((match) => {
      const month = monthNamed(match[monthPlace] ?? "", language);
      return month === undefined ? [] : [dates(match[3], [String(month), match[dayPlace]])];
    });
    if (named.length > 0) return named;
  }
  return [];
}

function dates(
  year: string | undefined,
  ...monthsAndDays: (readonly [string | undefined, string | undefined])[]
): string[] {
  return monthsAndDays.map(([month, day]) => `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`);
}

/** The month a text such as `November 2026`, `2026-11` or `2026年11月` names, as `2026-11`. */
function monthsIn(text: string, language: Language): string[] {
  const year = /(?<!\d)\d{4}(?!\d)/.exec(text)?.[0];
  if (year === undefined) return [];
  const rest = text.replace(year, " ");
  const number = /(?<!\d)\d{1,2}(?!\d)/.exec(rest)?.[0];
  const words = rest.match(/[\p{L}\p{M}]{2,}\.?/gu) ?? [];
  const month =
    words.map((word) => monthNamed(word, language)).find((found) => found !== undefined) ?? number;
  return month === undefined ? [] : [`${year}-${String(month).padStart(2, "0")}`];
}

const monthTables = new Map<Language, Map<string, number>>();

function monthNamed(word: string, language: Language): number | undefined {
  const name = word.replace(/\.$/, "");
  return monthTable(language).get(name) ?? monthTable("en").get(name);
}

/** Long and short names, alone and within a date (Slavic languages inflect them), in lower case. */
function monthTable(language: Language): Map<string, number> {
  const known = monthTables.get(language);
  if (known !== undefined) return known;
  const table = new Map<string, number>();
  for (let month = 1; month <= 12; month += 1) {
    const date = new Date(Date.UTC(2026, month - 1, 15));
    for (const style of ["long", "short"] as const) {
      for (const options of [
        { month: style },
        { month: style, day: "numeric" },
        { month: style, year: "numeric", day: "numeric" },
      ] as const) {
        const parts = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).formatToParts(date);
        const name = parts.find((part) => part.type === "month")?.value.toLowerCase() ?? "";
        if (/\p{L}/u.test(name)) table.set(name.replace(/\.$/, ""), month);
      }
    }
  }
  if (language === "en") table.set("sept", 9);
  monthTables.set(language, table);
  return table;
}
