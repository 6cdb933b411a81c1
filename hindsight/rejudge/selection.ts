// Which answers are looked at: by language, and by the date on which their period begins, as `almanac press` takes dates.
import { z } from "zod";
import { type Language, languageNames } from "../../readings/languages.ts";
import {
  isPeriodKind,
  type PeriodKind,
  periodKinds,
  periodOf,
  shiftPeriod,
  spanOf,
  startOfSeason,
} from "../../readings/periods.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { rowOf } from "../../readings/operations.ts";

export const wishSchema = z.object({
  languages: z.array(z.enum(languageNames)).readonly().optional(),
  /** Local dates, both counted in. */
  dates: z.object({ from: z.string(), to: z.string() }).optional(),
  /** Thread `index` of `of` takes every `of`-th language; one language stays with one thread, which compares its sheets. */
  part: z.object({ index: z.number(), of: z.number() }).optional(),
});
export type AnswerFilter = Readonly<z.infer<typeof wishSchema>>;

/** The languages among which the work can be shared out. */
export function sharersOf({ languages }: AnswerFilter): readonly Language[] {
  return [...new Set(languages ?? languageNames)];
}

export function choiceOf(wish: AnswerFilter) {
  const { languages, dates, part = { index: 0, of: 1 } } = wish;
  const own = new Set(sharersOf(wish).filter((_language, index) => index % part.of === part.index));
  const isWanted = ({ language }: ReadingRequest) => own.has(language);
  // Whether files are named too whose names are no request's keys.
  const strangers = languages === undefined && dates === undefined && part.index === 0;
  if (dates === undefined)
    return {
      prefixes: [""],
      of: (request: ReadingRequest) => (isWanted(request) ? "judged" : "no"),
      strangers,
    };
  const before = new Map(periodKinds.map((kind) => [kind, periodBefore(kind, dates.from)]));
  const prefixes = periodKinds.map(
    (kind) => `${kind}/${inCommon(before.get(kind) ?? "", periodOf(kind, dates.to))}`,
  );
  return {
    prefixes: [...prefixes, "once/", "seasonal/"],
    strangers,
    /** `before`: the answer is read only to compare the sheet after it with it. */
    of(request: ReadingRequest) {
      if (!isWanted(request)) return "no";
      const first = firstDateOf(request);
      if (first === undefined || (first >= dates.from && first <= dates.to)) return "judged";
      const { due } = rowOf(request.operation);
      return "sign" in request && isPeriodKind(due) && before.get(due) === request.period ? "before" : "no";
    },
  };
}

/** The last period that begins before a date. */
function periodBefore(kind: PeriodKind, date: string) {
  const period = periodOf(kind, date);
  return spanOf(kind, period).first < date ? period : shiftPeriod(kind, period, -1);
}

function inCommon(one: string, other: string) {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

/** The first date of a request's period; undefined for a request without a date. */
export function firstDateOf({ operation, period }: ReadingRequest): string | undefined {
  const { due } = rowOf(operation);
  switch (due) {
    case "once":
      return undefined;
    case "seasonal":
      return startOfSeason(period);
    default:
      return spanOf(due, period).first;
  }
}
