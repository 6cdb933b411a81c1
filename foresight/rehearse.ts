// A configuration through simulated nights, without Temporal, a store or a call: what each night asks and when it is done,
// what readers of each language have, and what is lost.
import type { Configuration } from "../readings/configuration.schema.ts";
import { languagesWanted } from "../readings/catalogue.ts";
import type { PlanLine } from "../readings/plan-line.ts";
import type { RequestKey } from "../readings/request.ts";
import { type SimulatedVault, type RehearsedNight, rehearseNight } from "./simulated-night.ts";
import { midnightsOf } from "./midnights.ts";
import type { Assumptions } from "./assumptions.ts";

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
  const turns = new Map(
    languagesWanted(configuration).map((language) => {
      return [language, midnightsOf(language, configuration, keptAtMs, span)] as const;
    }),
  );
  // Readings that were wanted, never kept, and out of reach by the end.
  const lost = [...wanted.values()].filter(
    ({ key, lastMoment }) => !kept.keys.has(key) && lastMoment <= until,
  );
  return { from, until, nights, skipped, turns, lost };
}

/** When a night has nothing more to do, or its deadline if that is earlier; in milliseconds since 1970. */
export function endOf({ instant, calls }: RehearsedNight): number {
  return instant.getTime() + calls.reduce((latest, { endMs }) => Math.max(latest, endMs), 0);
}

function firstNight({ from, configuration }: Assumptions) {
  const tonight = nightOn(from, configuration);
  return tonight >= from ? tonight : new Date(tonight.getTime() + dayMs);
}

function nightOn(day: Date, { schedule }: Configuration) {
  return new Date(`${day.toISOString().slice(0, 10)}T${schedule.nightly}:00Z`);
}
