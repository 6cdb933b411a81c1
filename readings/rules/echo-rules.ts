// Rules "sign" and "period": does the response match the request?
import { asciiDigits, cleanLine } from "../clean-text.ts";
import { quotedLine } from "../answer.ts";
import { type Language, type HoroscopeOperation, operations } from "../tables.ts";
import { addDays } from "../calendar.ts";
import { signsNamedIn } from "../sign-names.ts";
import { type Rule, note, refuse } from "./rule.ts";

/** A known name of another sign is refused; a name that no language knows is only noted. */
export const signRule: Rule = ({ signEchoes }) =>
  signEchoes.flatMap(({ field, said, requested }) => {
    const named = signsNamedIn(said);
    if ([...named].some((sign) => sign === requested)) return [];
    const quoted = quotedLine(cleanLine(said).slice(0, 60));
    if (named.size === 0) return [note("sign", `${field} is ${quoted}, which is not a known sign name`)];
    return [refuse("sign", `requested ${requested}, but ${field} is ${[...named].join(" or ")}`)];
  });

/** In English the form is documented, so what can't be read is refused; a translation is only noted. */
export const periodRule: Rule = ({ request, reading, periodEcho }) => {
  if (periodEcho === undefined || reading.family !== "horoscope") return [];
  const { field, said } = periodEcho;
  const quoted = quotedLine(cleanLine(said).slice(0, 60));
  switch (periodNamedBy(said, request.period, reading.operation, request.language)) {
    case "named":
      return [];
    case "another":
      return [refuse("period", `requested ${request.period}, but ${field} is ${quoted}`)];
    case "unreadable": {
      const reason = `requested ${request.period}, but ${field} is ${quoted}, which cannot be parsed`;
      return [request.language === "en" ? refuse("period", reason) : note("period", reason)];
    }
  }
};

// An answer echoes the period it is for, as `2026-11-21`, `15 Nov 2026 to 21 Nov 2026`, `November 2026` or `2026`: is it the
// requested one? In other languages months and digits may be translated, so all that can be read is read.
type EchoVerdict = "named" | "another" | "unreadable";

/** Compares an echo with the requested period. Where an echo can be read in two ways, the one that fits counts. */
export function periodNamedBy(
  said: string,
  requested: string,
  operation: HoroscopeOperation,
  language: Language,
): EchoVerdict {
  if (said === requested) return "named";
  const text = asciiDigits(plain(said.slice(0, 200)));
  switch (operations[operation].due) {
    case "daily":
      return verdict(datesIn(text, language), [requested]);
    case "weekly":
      return verdict(datesIn(text, language), [requested, addDays(requested, 6)]);
    case "monthly":
      return verdict(monthsIn(text, language), [requested]);
    case "yearly":
      return verdict(yearsIn(text), [requested]);
  }
}

/** Without case, without the marks of direction in Arabic dates and the joiners in Malayalam months. */
function plain(text: string) {
  return text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .toLowerCase();
}

/** Each entry of `found` lists the meanings that one part of the echo can have. All parts have to fit, in their order; where
 * only one end of a week can be read, as in `15 to 21 Nov 2026`, it stands for the week. */
function verdict(found: readonly (readonly string[])[], expected: readonly string[]) {
  if (found.length === 0) return "unreadable";
  if (found.length === 1) return expected.some((one) => found[0]?.includes(one)) ? "named" : "another";
  const named =
    found.length === expected.length &&
    found.every((readings, index) => readings.includes(expected[index] ?? ""));
  return named ? "named" : "another";
}

/** Not the year that ends a date, as in `15.11.2026 - 21.11.2026`. */
const yearFirst = /(?<!\d[-/. ]{0,2})(\d{4})\D{1,3}(\d{1,2})\D{1,3}(\d{1,2})(?!\d)/g;
const yearLast = /(?<!\d)(\d{1,2})[-/.] ?(\d{1,2})[-/.] ?(\d{4})(?!\d)/g;
const dayMonthYear = /(?<!\d)(\d{1,2})(?!\d)\D{0,4}?([\p{L}\p{M}]{2,}[.॰]?)\D{0,6}?(\d{4})(?!\d)/gu;
const monthDayYear = /([\p{L}\p{M}]{2,}[.॰]?)\s+(?:\d{1,2} ?[-–] ?)?(\d{1,2})\D{1,4}(\d{4})(?!\d)/gu;
const yearMonthDay = /(?<!\d)(\d{4})[^\p{L}\d]{1,4}([\p{L}\p{M}]{2,}[.॰]?)\s+(\d{1,2})(?!\d)/gu;
const fourDigits = /(?<!\d)\d{4}(?!\d)/g;

/** Every date in a text, each as the list of dates that it can mean. */
function datesIn(text: string, language: Language) {
  const numeric = [...text.matchAll(yearFirst)].map(([, year, month, day]) => dates(year, [month, day]));
  if (numeric.length > 0) return numeric;
  const european = [...text.matchAll(yearLast)].map(([, first, second, year]) =>
    dates(year, [second, first], [first, second]),
  );
  if (european.length > 0) return european;
  // `2026. november 15. – 2026. november 21.` could be read from its middle, too: its first number says how.
  if (/^\D*\d{4}/.test(text)) return namedDates(text.matchAll(yearMonthDay), 1, 2, 3, language);
  const days = namedDates(text.matchAll(dayMonthYear), 3, 2, 1, language);
  return days.length > 0 ? days : namedDates(text.matchAll(monthDayYear), 3, 1, 2, language);
}

function namedDates(
  matches: Iterable<RegExpExecArray>,
  year: number,
  month: number,
  day: number,
  language: Language,
) {
  return [...matches].flatMap((match) => {
    const number = monthNamed(match[month] ?? "", language);
    return number === undefined ? [] : [dates(match[year], [String(number), match[day]])];
  });
}

function dates(
  year: string | undefined,
  ...monthsAndDays: (readonly [string | undefined, string | undefined])[]
) {
  return monthsAndDays.map(([month, day]) => `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`);
}

/** The months that a text such as `November 2026`, `2026-11` or `2026年11月` names, each as `2026-11`. */
function monthsIn(text: string, language: Language) {
  const years = yearsIn(text).flat();
  const rest = text.replaceAll(fourDigits, " ");
  const words = rest.match(/[\p{L}\p{M}]{2,}/gu) ?? [];
  const names = words.map((word) => monthNamed(word, language)).filter((month) => month !== undefined);
  const numbers = names.length > 0 ? names : (/(?<!\d)\d{1,2}(?!\d)/.exec(rest) ?? []);
  return years.flatMap((year) =>
    [...new Set(numbers.map(String))].map((month) => [`${year}-${month.padStart(2, "0")}`]),
  );
}

/** The years that a text names, each once: `1 Jan 2026 to 31 Dec 2026` is one. */
function yearsIn(text: string) {
  return [...new Set(text.match(fourDigits))].map((year) => [year]);
}

const monthTables = new Map<Language, Map<string, number>>();

function monthNamed(word: string, language: Language) {
  const name = word.replace(/[.॰]$/, "");
  return monthTable(language).get(name) ?? monthTable("en").get(name);
}

/** Long and short names, alone, with a year and within a date (Greek and Slavic languages inflect them). */
function monthTable(language: Language) {
  const known = monthTables.get(language);
  if (known !== undefined) return known;
  const table = new Map<string, number>();
  for (const style of ["long", "short"] as const) {
    for (const options of [
      { month: style },
      { month: style, year: "numeric" },
      { month: style, day: "numeric" },
      { month: style, year: "numeric", day: "numeric" },
    ] as const) {
      const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
      for (let number = 1; number <= 12; number += 1) {
        const parts = format.formatToParts(new Date(Date.UTC(2026, number - 1, 15)));
        const name = plain(parts.find((part) => part.type === "month")?.value ?? "");
        if (/\p{L}/u.test(name)) table.set(name.replace(/[.॰]$/, ""), number);
      }
    }
  }
  if (language === "en") table.set("sept", 9);
  monthTables.set(language, table);
  return table;
}
