// Whether the texts of each day were there at its midnight: in time, late, or not at all, for the readers of one language.
import type { Configuration } from "../readings/configuration.schema.ts";
import { zoneOf } from "../readings/catalogue.ts";
import type { Language } from "../readings/languages.ts";
import { languagesOf, type Operation, rowOf } from "../readings/operations.ts";
import { readersRank } from "../readings/plan-order.ts";
import { addDays } from "../readings/periods.ts";
import { type RequestKey, requestKey } from "../readings/request.ts";
import { requestsOf } from "../readings/sheet-requests.ts";
import { localDate, startOfDay } from "../readings/zones.ts";

/** One local day. Times are in milliseconds since 1970. */
export interface Midnight {
  readonly date: string;
  /** The midnight in the language's own zone with which the day begins. */
  readonly dueMs: number;
  readonly nextMs: number;
  /** When the day's texts were whole; undefined when they were not before the next midnight. */
  readonly wholeMs: number | undefined;
}

/** The daily operations that most readers look for: the horoscope, or all cards where there is none. */
export function daysOperations({ operations }: Configuration, language: Language): Operation[] {
  const daily = [...new Set(operations)].filter(
    (operation) => rowOf(operation).due === "daily" && languagesOf(operation).includes(language),
  );
  const first = Math.min(...daily.map(readersRank));
  return daily.filter((operation) => readersRank(operation) === first);
}

/** The day in which the rehearsal begins and all that begin before its end; empty where no operation is daily. */
export function midnightsOf(
  language: Language,
  configuration: Configuration,
  keptAtMs: (key: RequestKey) => number | undefined,
  { from, until }: { readonly from: Date; readonly until: Date },
): Midnight[] {
  const operations = daysOperations(configuration, language);
  if (operations.length === 0) return [];
  const zone = zoneOf(configuration, language);
  const turns: Midnight[] = [];
  let date = localDate(zone, from);
  let dueMs = startOfDay(zone, date).getTime();
  while (dueMs < until.getTime()) {
    const next = addDays(date, 1);
    const nextMs = startOfDay(zone, next).getTime();
    const times = operations
      .flatMap((operation) => requestsOf(operation, language, date))
      .map((request) => keptAtMs(requestKey(request)) ?? Infinity);
    const wholeMs = Math.max(...times);
    turns.push({ date, dueMs, nextMs, wholeMs: wholeMs < nextMs ? wholeMs : undefined });
    [date, dueMs] = [next, nextMs];
  }
  return turns;
}
