// Loads the sets that a language can show: for each operation the newest set that is whole on a date, or any one set of
// the past, read from the vault's stored responses. A set that lacks a reading is passed over, so the one before it stays. Next
// step: site/render.ts.
import type { Configuration } from "../readings/configuration.schema.ts";
import { type Language, languagesOf, type Operation, rowOf } from "../readings/tables.ts";
import { allPairs } from "../readings/pairs.ts";
import type { ReadingSet } from "../site/edition.ts";
import { addDays, isPeriodKind, periodOf, seasonOf, shiftPeriod, shiftSeason } from "../readings/calendar.ts";
import { type ReadingRequest, requestBefore, requestKey, requestsOf, setKey } from "../readings/request.ts";
import { inParallel } from "../store/store.ts";
import {
  type DamagedResponse,
  type StoredAndDamaged,
  type StoredReader,
  storedReader,
} from "./stored-readings.ts";
import { asShown, readSet, type SetSource } from "./whole-set.ts";

/** Number of periods to look back for the newest whole set; beyond it the published one stays as it is. */
export const periodsBack = 3;

/** A set that can't be rendered, with the reason. */
export interface PassedOver {
  /** `daily/2026-11-21/hi/daily-horoscope` */
  readonly set: string;
  readonly reason: string;
}

/** The sets that can be rendered, those that can't, and the damaged responses among them. */
export interface LoadedSets {
  readonly sets: readonly ReadingSet[];
  readonly passedOver: readonly PassedOver[];
  readonly damaged: readonly DamagedResponse[];
}

/** Loads the sets that the language shows on this date. */
export async function loadEdition(language: Language, date: string, source: SetSource): Promise<LoadedSets> {
  const { configuration, vault } = source;
  const read = storedReader(vault, new Set(await vault.supersededKeys()));
  const slots = allSlots(language, date, configuration);
  const ahead = daysAhead(language, date, configuration).map((requests) =>
    wholeAhead(requests, read, source),
  );
  const loaded = await Promise.all([
    ...slots.map((candidates) => newestWhole(candidates, read, source)),
    ...ahead,
  ]);
  return {
    sets: loaded.flatMap(({ sets }) => sets),
    passedOver: [],
    damaged: loaded.flatMap(({ damaged }) => damaged),
  };
}

/** The beginnings of the keys of all that an edition may be made of: `daily/2026-11-21/hi/`. */
export function editionPrefixes(language: Language, date: string, configuration: Configuration): string[] {
  const candidates = [
    ...allSlots(language, date, configuration).flat(),
    ...daysAhead(language, date, configuration),
  ];
  const first = candidates.flatMap(([request]) => (request === undefined ? [] : [request]));
  return [...new Set(first.map((one) => `${rowOf(one.operation).due}/${one.period}/${language}/`))].sort();
}

/** The requests of the sets that the language will most likely show on this date, by the names of what the vault holds. */
export async function heldEdition(
  language: Language,
  date: string,
  { configuration, vault }: SetSource,
): Promise<ReadingRequest[]> {
  const prefixes = editionPrefixes(language, date, configuration);
  const held = new Set((await inParallel(prefixes, (prefix) => vault.held(prefix))).flat());
  const isHeld = (requests: readonly ReadingRequest[]) => requests.every((one) => held.has(requestKey(one)));
  return allSlots(language, date, configuration).flatMap((candidates) => candidates.find(isHeld) ?? []);
}

function allSlots(language: Language, date: string, configuration: Configuration): ReadingRequest[][][] {
  const available = configuration.operations.filter((operation) => languagesOf(operation).includes(language));
  return available.flatMap((operation) => slotsOf(operation, language, date, configuration));
}

/** Loads sets of the past: each one whole, or reported as passed over. `evenAsShown`: prefers the published set. */
export async function loadSets(
  sets: readonly (readonly ReadingRequest[])[],
  source: SetSource,
  evenAsShown: boolean,
): Promise<LoadedSets> {
  const { vault } = source;
  const read = storedReader(vault, new Set(await vault.supersededKeys()));
  const loads = new Map<string, Promise<StoredAndDamaged>>(); // each is the one before of the next, too
  const load = (requests: readonly ReadingRequest[]): Promise<StoredAndDamaged> => {
    const [first] = requests;
    const name = first === undefined ? "" : setKey(first);
    const loading = loads.get(name) ?? read(requests);
    loads.set(name, loading);
    return loading;
  };
  const loaded: ReadingSet[] = [];
  const passedOver: PassedOver[] = [];
  const reading = sets.map(async (requests) => {
    const stored = {
      own: () => load(requests),
      before: () => load(requests.filter((request) => "sign" in request).map(requestBefore)),
    };
    const found = await readSet(requests, stored, source);
    return typeof found !== "string" || !evenAsShown ? found : ((await asShown(requests, source)) ?? found);
  });
  for (const [index, found] of (await Promise.all(reading)).entries()) {
    const [first] = sets[index] ?? [];
    if (typeof found !== "string") loaded.push({ ...found, current: false });
    else if (first !== undefined) passedOver.push({ set: setKey(first), reason: found });
  }
  return { sets: loaded, passedOver, damaged: damagedIn(await Promise.all(loads.values()), source) };
}

/** The newest whole one is current; the one before it is rendered too, because now it has a next page. */
async function newestWhole(
  candidates: readonly (readonly ReadingRequest[])[],
  read: StoredReader,
  source: SetSource,
): Promise<Omit<LoadedSets, "passedOver">> {
  const loads: Promise<StoredAndDamaged>[] = [];
  const load = (index: number): Promise<StoredAndDamaged> => (loads[index] ??= read(candidates[index] ?? []));
  const sets: ReadingSet[] = [];
  for (const [index, requests] of candidates.entries()) {
    const stored = { own: () => load(index), before: () => load(index + 1) };
    const whole = await readSet(requests, stored, source);
    // Damage to the vault must not turn the published page back to the period before.
    const set =
      typeof whole !== "string" ? whole : isDated(requests) ? await asShown(requests, source) : undefined;
    if (set === undefined) continue;
    sets.push({ ...set, current: sets.length === 0 });
    if (sets.length === 2) break;
  }
  return { sets, damaged: damagedIn(await Promise.all(loads), source) };
}

/** Sets that are shown before their day, if `site.tomorrow` is set. */
function daysAhead(
  language: Language,
  date: string,
  { site, operations }: Configuration,
): ReadingRequest[][] {
  const operation = "daily-horoscope";
  const isThere = operations.includes(operation) && languagesOf(operation).includes(language);
  return site.tomorrow && isThere ? [requestsOf(operation, language, addDays(date, 1))] : [];
}

/** Nothing while it is not whole: it is the current one of no day yet. */
async function wholeAhead(
  requests: readonly ReadingRequest[],
  read: StoredReader,
  source: SetSource,
): Promise<Omit<LoadedSets, "passedOver">> {
  const own = read(requests);
  const stored = {
    own: () => own,
    before: () => read(requests.filter((request) => "sign" in request).map(requestBefore)),
  };
  const set = await readSet(requests, stored, source);
  const sets = typeof set === "string" ? [] : [{ ...set, current: false }];
  return { sets, damaged: damagedIn([await own], source) };
}

/** Damaged responses, except those of withdrawn readings, which no page needs. */
function damagedIn(
  found: readonly (StoredAndDamaged | undefined)[],
  { withheld }: SetSource,
): DamagedResponse[] {
  const damaged = found.flatMap((one) => one?.damaged ?? []);
  return damaged.filter(({ key }) => withheld?.isWithdrawn(key) !== true);
}

/** The path of a pair is the same in every season, so that a look at it costs a read. */
function isDated([first]: readonly ReadingRequest[]) {
  return first !== undefined && !("sign1" in first);
}

/** The sets that could fill each place of the site, newest first. */
function slotsOf(
  operation: Operation,
  language: Language,
  date: string,
  configuration: Configuration,
): ReadingRequest[][][] {
  switch (operation) {
    case "love-compatibility": {
      const season = seasonOf(date);
      const before = shiftSeason(season, -1);
      return (configuration.pairs ?? allPairs).map(([sign1, sign2]) =>
        [season, before].map((period) => [{ operation, language, period, sign1, sign2 }]),
      );
    }
    case "which-animal-are-you-reading":
      return configuration.people.map(({ id }) => [[{ operation, language, period: "always", person: id }]]);
    default: {
      const { due } = rowOf(operation);
      if (!isPeriodKind(due)) return [];
      const newest = periodOf(due, date);
      const back = Array.from({ length: periodsBack + 1 }, (_, by) => shiftPeriod(due, newest, -by));
      return [back.map((period) => requestsOf(operation, language, period))];
    }
  }
}
