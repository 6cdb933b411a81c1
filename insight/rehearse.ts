// Simulates nights of a configuration without Temporal, a store or a call: the calls of each night and its end, the readings that
// each language has, and the readings that are lost.
import { languagesWanted, zoneOf } from "../readings/catalogue.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { type Language, type Operation, languagesOf, rowOf } from "../readings/tables.ts";
import { addDays, localDate, startOfDay } from "../readings/calendar.ts";
import { type PlanLine, readersRank } from "../readings/plan-order.ts";
import { type RequestKey, requestKey, requestsOf } from "../readings/request.ts";
import {
  type Assumptions,
  type RehearsedNight,
  rehearseNight,
  type SimulatedVault,
} from "./simulated-night.ts";

export type Rehearsed = Awaited<ReturnType<typeof rehearse>>;

const dayMs = 24 * 60 * 60_000;

export async function rehearse(wish: Assumptions) {
  const { configuration, days } = wish;
  const chance = wish.newChance();
  const kept: SimulatedVault = { keys: new Map(), quarantined: new Set(), refusals: new Map() };
  const wanted = new Map<RequestKey, PlanLine>();
  const nights: RehearsedNight[] = [];
  // Nights that did not begin because the one before still ran.
  const skipped: Date[] = [];
  const from = firstNight(wish);
  for (let day = 0; day < days; day += 1) {
    const instant = new Date(from.getTime() + day * dayMs);
    const before = nights.at(-1);
    if (before !== undefined && endOf(before) > instant.getTime()) {
      skipped.push(instant);
      continue;
    }
    const night = await rehearseNight(instant, kept, wish, chance);
    nights.push(night);
    const { due, leftOut, refused, waiting } = night.plan;
    for (const line of [...due, ...leftOut, ...refused, ...waiting]) wanted.set(line.key, line);
  }
  const until = new Date(from.getTime() + days * dayMs);
  const span = { from, until };
  const keptAtMs = (key: RequestKey) => kept.keys.get(key);
  const midnights = new Map(
    languagesWanted(configuration).map((language) => {
      return [language, midnightsOf(language, configuration, keptAtMs, span)] as const;
    }),
  );
  // Readings that were wanted, never kept, and out of reach by the end.
  const lost = [...wanted.values()].filter(
    ({ key, lastMoment }) => !kept.keys.has(key) && lastMoment <= until,
  );
  return { from, until, nights, skipped, midnights, lost };
}

/** When a night has nothing more to do, or its deadline if that is earlier; in milliseconds since 1970. */
export function endOf({ instant, calls }: RehearsedNight): number {
  return instant.getTime() + calls.reduce((latest, { endMs }) => Math.max(latest, endMs), 0);
}

function firstNight({ from, configuration }: Assumptions) {
  const tonight = new Date(`${from.toISOString().slice(0, 10)}T${configuration.schedule.nightly}:00Z`);
  return tonight >= from ? tonight : new Date(tonight.getTime() + dayMs);
}

// Whether the texts of each day were there at its midnight: in time, late, or not at all, for the readers of one language.

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
function daysOperations({ operations }: Configuration, language: Language): Operation[] {
  const daily = [...new Set(operations)].filter(
    (operation) => rowOf(operation).due === "daily" && languagesOf(operation).includes(language),
  );
  const first = Math.min(...daily.map(readersRank));
  return daily.filter((operation) => readersRank(operation) === first);
}

/** The day in which the rehearsal begins and all that begin before its end; empty where no operation is daily. */
function midnightsOf(
  language: Language,
  configuration: Configuration,
  keptAtMs: (key: RequestKey) => number | undefined,
  { from, until }: { readonly from: Date; readonly until: Date },
): Midnight[] {
  const operations = daysOperations(configuration, language);
  if (operations.length === 0) return [];
  const zone = zoneOf(configuration, language);
  const midnights: Midnight[] = [];
  let date = localDate(zone, from);
  let dueMs = startOfDay(zone, date).getTime();
  while (dueMs < until.getTime()) {
    const next = addDays(date, 1);
    const nextMs = startOfDay(zone, next).getTime();
    const times = operations
      .flatMap((operation) => requestsOf(operation, language, date))
      .map((request) => keptAtMs(requestKey(request)) ?? Infinity);
    const wholeMs = Math.max(...times);
    midnights.push({ date, dueMs, nextMs, wholeMs: wholeMs < nextMs ? wholeMs : undefined });
    [date, dueMs] = [next, nextMs];
  }
  return midnights;
}
