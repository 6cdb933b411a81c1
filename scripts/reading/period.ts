// `--period`: a word such as `tomorrow` or `next`, or a key such as 2026-11-21, 2026-11 or 2026.
import {
  isPeriodKey,
  type PeriodKind,
  periodKinds,
  periodOf,
  periodWords,
  shiftPeriod,
} from "../../readings/periods.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { dateMeant } from "../terminal/dates.ts";

const examples: Record<PeriodKind, string> = {
  daily: "a day such as 2026-11-21",
  weekly: "a week's first day, a Sunday, such as 2026-11-15",
  monthly: "a month such as 2026-11",
  yearly: "a year such as 2026",
};

/** The key of the period; `date` is today's in the language's zone. */
export function periodIn(kind: PeriodKind, text: string | undefined, date: string): string {
  const current = periodOf(kind, date);
  if (text === undefined) return current;
  if (isPeriodKey(kind, text)) return text;
  const words = periodWords(kind);
  const place = words.indexOf(text.toLowerCase());
  if (place >= 0) return shiftPeriod(kind, current, place - 1);
  throw new WrongUsage(`--period "${text}" is no ${kind} one`, guess(kind, text.toLowerCase(), words), {
    allowed: `it takes ${words.join(", ")} or ${examples[kind]}`,
  });
}

/** The same step in the other words (`today` for `current`), or the period that a date is in. */
function guess(kind: PeriodKind, text: string, words: readonly string[]) {
  const place = periodKinds.map((one) => periodWords(one).indexOf(text)).find((index) => index >= 0);
  if (place !== undefined) return words[place];
  const month = /^(\d{4})[-/.]?(\d{1,2})$/.exec(text);
  const date = month === null ? dateMeant(text) : dateMeant(`${month[1]}-${month[2]}-1`);
  return date === undefined || (kind === "daily" && month !== null) ? undefined : periodOf(kind, date);
}
