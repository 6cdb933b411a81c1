// Loads the sets that a language can show: for each operation the newest set that is whole on a date, or any one set of
// the past, read from the vault's stored responses. A set that lacks a reading is passed over, so the one before it stays. Next
// step: site/render.ts.
import type { Configuration } from "../readings/configuration.schema.ts";
import { allSlots, daysAhead } from "../readings/catalogue.ts";
import { type Language, rowOf } from "../readings/tables.ts";
import type { ReadingSet } from "../site/edition.ts";
import {
  type ReadingRequest,
  requestKey,
  type RequestKey,
  requestsOf,
  setName,
} from "../readings/request.ts";
import { reviewOf } from "../readings/review.ts";
import { inParallel } from "../store/store.ts";
import { type DamagedResponse, shownReader, type StoredReader } from "./stored-readings.ts";
import type { RejectedSet } from "../readings/run-messages.ts";
import {
  asShown,
  type HindranceKind,
  isHindrance,
  isUnderReview,
  readSet,
  rejectedIn,
  type SetSource,
} from "./sets.ts";

/** A set that can't be rendered, with the reason. */
export interface PassedOver {
  /** `daily/2026-11-21/hi/daily-horoscope` */
  readonly set: string;
  readonly kind: HindranceKind;
  readonly reason: string;
}

/** The sets that can be rendered, those that can't, and the damaged responses among them. */
export interface LoadedSets {
  readonly sets: readonly ReadingSet[];
  readonly passedOver: readonly PassedOver[];
  readonly damaged: readonly DamagedResponse[];
  /** The accepted responses for which a set that is due can't be rendered, because a set rule rejects it. */
  readonly rejected: readonly RejectedSet[];
  /** The newest sets of their places that are not shown, because they wait for review, or a person rejected them. */
  readonly waiting: readonly ReadingRequest[];
}

/** Loads the sets that the language shows on this date. */
export async function loadEdition(
  language: Language,
  date: string,
  sources: Omit<SetSource, "today">,
): Promise<LoadedSets> {
  const source = { ...sources, today: date };
  const { configuration } = source;
  const { read, damaged } = await openReader(source);
  const loaded = await Promise.all([
    ...allSlots(language, date, configuration).map((candidates) =>
      newestWhole(withNewestShown(candidates, source), read, source),
    ),
    ...daysAhead(language, date, configuration).map((requests) => wholeAhead(requests, read, source)),
  ]);
  return {
    sets: loaded.flatMap(({ sets }) => sets),
    passedOver: [],
    damaged: [...damaged.values(), ...loaded.flatMap(({ undecided }) => undecided)],
    rejected: loaded.flatMap(({ rejected }) => rejected),
    waiting: loaded.flatMap(({ waiting }) => waiting),
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
  { configuration, vault }: Pick<SetSource, "configuration" | "vault">,
): Promise<ReadingRequest[]> {
  const prefixes = editionPrefixes(language, date, configuration);
  const held = new Set((await inParallel(prefixes, (prefix) => vault.held(prefix))).flat());
  const isHeld = (requests: readonly ReadingRequest[]) => requests.every((one) => held.has(requestKey(one)));
  return allSlots(language, date, configuration).flatMap((candidates) => candidates.find(isHeld) ?? []);
}

/** Loads sets of the past: each one whole, or reported as passed over. `evenAsShown`: prefers the published set. */
export async function loadSets(
  sets: readonly (readonly ReadingRequest[])[],
  source: SetSource,
  evenAsShown: boolean,
): Promise<LoadedSets> {
  const { read, damaged } = await openReader(source);
  const loaded: ReadingSet[] = [];
  const passedOver: PassedOver[] = [];
  const reading = sets.map(async (requests) => {
    const found = await readSet(requests, read, source);
    const maySetStay = evenAsShown || isUnderReview(found);
    return !isHindrance(found) || !maySetStay ? found : ((await asShown(requests, source)) ?? found);
  });
  for (const [index, found] of (await Promise.all(reading)).entries()) {
    const [first] = sets[index] ?? [];
    if (!isHindrance(found)) loaded.push({ ...found, current: false });
    else if (first !== undefined)
      passedOver.push({ set: setName(first), kind: found.kind, reason: found.reason });
  }
  return { sets: loaded, passedOver, damaged: [...damaged.values()], rejected: [], waiting: [] };
}

/** Reads responses, and collects the damaged ones, except those of withdrawn readings, which no page needs. */
async function openReader(source: SetSource) {
  const stored = source.read ?? (await shownReader(source));
  const damaged = new Map<RequestKey, DamagedResponse>();
  const read: StoredReader = async (requests) => {
    const found = await stored(requests);
    const shown = found.damaged.filter(({ key }) => source.withheld?.isWithdrawn(key) !== true);
    for (const one of shown) damaged.set(one.key, one);
    return found;
  };
  return { read, damaged };
}

type FoundSets = Pick<LoadedSets, "sets" | "rejected" | "waiting"> & {
  /** The decisions about their texts that can't be read. */
  readonly undecided: readonly DamagedResponse[];
};

/** While newer sets wait for review, the published one stays, however old it is. */
function withNewestShown(
  candidates: readonly (readonly ReadingRequest[])[],
  { configuration, newest = {} }: SetSource,
): readonly (readonly ReadingRequest[])[] {
  const last = candidates.at(-1)?.[0];
  if (last === undefined || reviewOf(last, configuration).mode !== "before") return candidates;
  const { operation, language, period } = last;
  const shown = newest[operation] ?? period;
  return shown < period ? [...candidates, requestsOf(operation, language, shown)] : candidates;
}

/** The newest whole one is current; the one before it is rendered too, because now it has a next page. */
async function newestWhole(
  candidates: readonly (readonly ReadingRequest[])[],
  read: StoredReader,
  source: SetSource,
): Promise<FoundSets> {
  const sets: ReadingSet[] = [];
  const rejected: RejectedSet[] = [];
  const undecided: DamagedResponse[] = [];
  const waiting: ReadingRequest[] = [];
  for (const [index, requests] of candidates.entries()) {
    const whole = await readSet(requests, read, source);
    if (sets.length === 0) rejected.push(...rejectedIn(whole));
    if (isHindrance(whole)) undecided.push(...(whole.undecided ?? []));
    // Damage to the vault, or a changed text that waits for review, must not turn the published page back to the period before.
    // The path of a pair is the same in every season, so that a look at it costs a read.
    const isPair = requests.some((request) => "sign1" in request);
    const maySetStay = !isPair || isUnderReview(whole);
    const set = !isHindrance(whole) ? whole : maySetStay ? await asShown(requests, source) : undefined;
    if (index === 0 && set === undefined && isUnderReview(whole)) waiting.push(...requests.slice(0, 1));
    if (set === undefined) continue;
    sets.push({ ...set, current: sets.length === 0 });
    if (sets.length === 2) break;
  }
  return { sets, undecided, rejected, waiting };
}

/** Nothing while it is not whole: it is the current one of no day yet. */
async function wholeAhead(
  requests: readonly ReadingRequest[],
  read: StoredReader,
  source: SetSource,
): Promise<FoundSets> {
  const set = await readSet(requests, read, source);
  const sets = isHindrance(set) ? [] : [{ ...set, current: false }];
  return { sets, undecided: [], rejected: rejectedIn(set), waiting: [] };
}
