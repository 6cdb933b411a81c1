// Two dates as one range. Intl's data has gaps: Chinese and Japanese ranges come in slashes, Italian days with a nought before them,
// and Kannada commas without a space.
import type { Language } from "../readings/languages.ts";
import { utcMidnightMs } from "../readings/zones.ts";

/** What stands between two dates in languages whose ranges Intl writes in slashes. */
const between: Readonly<Partial<Record<Language, string>>> = { zh: "至", ja: "～" };

export function dateRange(
  language: Language,
  long: Intl.DateTimeFormat,
  first: string,
  last: string,
): string {
  const [from, to] = [utcMidnightMs(first), utcMidnightMs(last)];
  const word = between[language];
  if (word !== undefined && first !== last) return `${long.format(from)}${word}${ending(long, first, last)}`;
  const range = long.formatRange(from, to);
  if (language === "it") return range.replaceAll(/(?<!\d)0(?=\d)/g, "");
  return language === "kn" ? range.replaceAll(/,(?=\S)/g, ", ") : range;
}

/** The last date without the year and the month that the first has named. */
function ending(long: Intl.DateTimeFormat, first: string, last: string): string {
  const text = long.format(utcMidnightMs(last));
  if (first.slice(0, "2026".length) !== last.slice(0, "2026".length)) return text;
  const unit = first.slice(0, "2026-11".length) === last.slice(0, "2026-11".length) ? "月" : "年";
  return text.slice(text.indexOf(unit) + unit.length);
}
