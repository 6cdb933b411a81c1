// Loads the sets that a language can show: for each operation the newest set that is whole on a date, or any one set of
// the past, read from the vault's stored responses. A set that lacks a reading is passed over, so the one before it stays. Next
// step: site/render.ts.
import type { Configuration } from "../readings/configuration.schema.ts";
import { allSlots, daysAhead } from "../readings/catalogue.ts";
import { type Language, rowOf } from "../readings/tables.ts";
import type { ReadingSet, ReceivedReading } from "../site/edition.ts";
import { type ReadingRequest, requestBefore, requestKey, setName } from "../readings/request.ts";
import { inParallel } from "../store/store.ts";
import {
  type DamagedResponse,
  type StoredAndDamaged,
  type StoredReader,
  type StoredReading,
  storedReader,
  doubtsAbout,
} from "./stored-readings.ts";
import { noteOf, type SetFinding } from "../readings/rules/rule.ts";
import type { RejectedSet } from "../readings/run-messages.ts";
import { siteFolders, UnreadableFile } from "./files.ts";
import { periodOfKey } from "./site-notes.ts";
import type { Withheld } from "./withheld.ts";
import type { Vault } from "./vault.ts";

/** The kind of reason for which a set must not be rendered: a set rule refuses it, for example. */
export type HindranceKind = "withdrawn" | "rolled back" | "missing" | "refused" | "undecided";

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
}

/** Loads the sets that the language shows on this date. */
export async function loadEdition(language: Language, date: string, source: SetSource): Promise<LoadedSets> {
  const { configuration, vault } = source;
  const read = storedReader(vault, new Set(await vault.supersededKeys()), source.withheld);
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
    rejected: loaded.flatMap(({ rejected }) => rejected),
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

/** Loads sets of the past: each one whole, or reported as passed over. `evenAsShown`: prefers the published set. */
export async function loadSets(
  sets: readonly (readonly ReadingRequest[])[],
  source: SetSource,
  evenAsShown: boolean,
): Promise<LoadedSets> {
  const { vault } = source;
  const read = storedReader(vault, new Set(await vault.supersededKeys()), source.withheld);
  const loads = new Map<string, Promise<StoredAndDamaged>>(); // each is the one before of the next, too
  const load = (requests: readonly ReadingRequest[]): Promise<StoredAndDamaged> => {
    const [first] = requests;
    const name = first === undefined ? "" : setName(first);
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
    return !isHindrance(found) || !evenAsShown ? found : ((await asShown(requests, source)) ?? found);
  });
  for (const [index, found] of (await Promise.all(reading)).entries()) {
    const [first] = sets[index] ?? [];
    if (!isHindrance(found)) loaded.push({ ...found, current: false });
    else if (first !== undefined)
      passedOver.push({ set: setName(first), kind: found.kind, reason: found.reason });
  }
  const damaged = damagedIn(await Promise.all(loads.values()), source);
  return { sets: loaded, passedOver, damaged, rejected: [] };
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
  const rejected: RejectedSet[] = [];
  const undecided: DamagedResponse[] = [];
  for (const [index, requests] of candidates.entries()) {
    const stored = { own: () => load(index), before: () => load(index + 1) };
    const whole = await readSet(requests, stored, source);
    if (sets.length === 0) rejected.push(...rejectedIn(whole));
    if (isHindrance(whole)) undecided.push(...(whole.undecided ?? []));
    // Damage to the vault must not turn the published page back to the period before.
    const set = !isHindrance(whole) ? whole : isDated(requests) ? await asShown(requests, source) : undefined;
    if (set === undefined) continue;
    sets.push({ ...set, current: sets.length === 0 });
    if (sets.length === 2) break;
  }
  return { sets, damaged: [...damagedIn(await Promise.all(loads), source), ...undecided], rejected };
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
  const sets = isHindrance(set) ? [] : [{ ...set, current: false }];
  return { sets, damaged: damagedIn([await own], source), rejected: rejectedIn(set) };
}

/** Damaged responses, except those of withdrawn readings, which no page needs. */
function damagedIn(
  found: readonly (StoredAndDamaged | undefined)[],
  { withheld }: SetSource,
): DamagedResponse[] {
  return found.flatMap((one) => one?.damaged.filter(({ key }) => withheld?.isWithdrawn(key) !== true) ?? []);
}

/** The path of a pair is the same in every season, so that a look at it costs a read. */
function isDated([first]: readonly ReadingRequest[]) {
  return first !== undefined && !("sign1" in first);
}

// One set in the form that is rendered: whole, from the vault and without withdrawn texts, or as the site shows it already.
/** Sources that sets are read from. */
export interface SetSource {
  readonly configuration: Configuration;
  readonly vault: Vault;
  readonly withheld?: Withheld;
  /** A reading as the site shows it, for a set that is held, or incomplete in the vault. */
  readonly shown?: (request: ReadingRequest) => Promise<ReceivedReading | undefined>;
  /** A reading as the state has it that a rollback went to. */
  readonly rolledBackTo?: (request: ReadingRequest) => Promise<ReceivedReading | undefined>;
  /** Whether every set stays as the site shows it, because its language was rolled back. */
  readonly keepsShown?: boolean;
}

interface Hindrance {
  readonly kind: HindranceKind;
  readonly reason: string;
  readonly rejected?: LoadedSets["rejected"];
  /** The decision about its texts that can't be read. */
  readonly undecided?: readonly DamagedResponse[];
}

function isHindrance(found: PartOfEdition | Hindrance): found is Hindrance {
  return "reason" in found;
}

function rejectedIn(found: PartOfEdition | Hindrance): LoadedSets["rejected"] {
  return (isHindrance(found) && found.rejected) || [];
}

/** The set without withdrawn texts, or the reason why it must not be rendered. */
async function readSet(
  requests: readonly ReadingRequest[],
  stored: { readonly own: () => Promise<StoredAndDamaged>; readonly before: () => Promise<StoredAndDamaged> },
  source: SetSource,
): Promise<PartOfEdition | Hindrance> {
  const { first, left, emptySet } = withoutWithdrawn(requests, source);
  if (first === undefined) return { kind: "withdrawn", reason: "all its texts were withdrawn" };
  const isPinned = source.withheld?.isSetPinned(first) === true;
  if (isPinned || source.keepsShown === true) {
    return (
      (await asRolledBack(requests, stored.own, isPinned, source)) ?? {
        kind: "rolled back",
        reason: "it was rolled back. `almanac render` publishes it again",
      }
    );
  }
  const undecided = await undecidedReason(first, source);
  if (undecided !== undefined) return undecided;
  const keys = new Set(left.map(requestKey));
  const own = (await stored.own()).stored.filter(({ response }) => keys.has(response.key));
  if (own.length < left.length) {
    const reason =
      left.length === 1
        ? "the vault does not contain its reading"
        : `the vault contains ${own.length} of its ${left.length} readings`;
    return { kind: "missing", reason };
  }
  // A set that is not judged yet, or was given up halfway, is not published.
  const before = "sign" in first ? (await stored.before()).stored : [];
  const [doubt] = doubtsAbout(own, before, source.configuration.quality.rules);
  if (doubt !== undefined) return hindranceOf(doubt, own);
  return { ...emptySet(first), readings: own.map(({ reading, receivedAt }) => ({ reading, receivedAt })) };
}

/** A lost decision could be a correction or an approval, without which the set must not be published. */
async function undecidedReason(
  request: ReadingRequest,
  { withheld }: SetSource,
): Promise<Hindrance | undefined> {
  const key = requestKey(request);
  try {
    await withheld?.edits(periodOfKey(key));
    return undefined;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const reason = error.message;
    return { kind: "undecided", reason, undecided: [{ key, file: siteFolders.journal, reason }] };
  }
}

function hindranceOf(doubt: SetFinding, own: readonly StoredReading[]): Hindrance {
  const reason = noteOf(doubt);
  const named = new Set(doubt.readings.map(requestKey));
  const accepted = own.filter(({ response }) => response.accepted !== undefined && named.has(response.key));
  return { kind: "refused", reason, rejected: accepted.map(({ response: { key } }) => ({ key, reason })) };
}

/**
 * The set as a rollback left it: the published texts, and those whose withdrawal was undone since. Those come from the state
 * that the rollback went to, or else from the vault. Undefined where the rollback took the set back.
 */
async function asRolledBack(
  requests: readonly ReadingRequest[],
  own: () => Promise<StoredAndDamaged>,
  isPinned: boolean,
  source: SetSource,
): Promise<PartOfEdition | undefined> {
  const { first, left, emptySet } = withoutWithdrawn(requests, source);
  if (first === undefined) return undefined;
  const shown: (ReceivedReading | undefined)[] = [];
  for (const request of left) shown.push(await source.shown?.(request));
  const mayReturn = !isPinned || shown.some((reading) => reading !== undefined);
  const readings: ReceivedReading[] = [];
  for (const [index, request] of left.entries()) {
    const reading =
      shown[index] ??
      (await source.rolledBackTo?.(request)) ??
      (mayReturn ? await returnedReading(request, own, source) : undefined);
    if (reading === undefined) return undefined;
    readings.push(reading);
  }
  return { ...emptySet(first), readings };
}

/** The vault's reading of a text whose withdrawal was undone, or of a corrected one of a person, which has no published data. */
async function returnedReading(
  request: ReadingRequest,
  own: () => Promise<StoredAndDamaged>,
  { withheld }: SetSource,
): Promise<ReceivedReading | undefined> {
  const isReturned = withheld?.isReturned(requestKey(request)) === true;
  if (!isReturned && !("person" in request)) return undefined;
  const found = (await own()).stored.find(({ response }) => response.key === requestKey(request));
  if (!isReturned && found?.reading.corrected === undefined) return undefined;
  return found && { reading: found.reading, receivedAt: found.receivedAt };
}

/** The published set; undefined if it is not published, or not whole. */
async function asShown(
  requests: readonly ReadingRequest[],
  source: SetSource,
): Promise<PartOfEdition | undefined> {
  const { first, left, emptySet } = withoutWithdrawn(requests, source);
  if (first === undefined || source.shown === undefined) return undefined;
  const readings: ReceivedReading[] = [];
  for (const request of left) {
    const reading = await source.shown(request);
    if (reading === undefined) return undefined;
    readings.push(reading);
  }
  return { ...emptySet(first), readings };
}

type PartOfEdition = Omit<ReadingSet, "current">;

function withoutWithdrawn(requests: readonly ReadingRequest[], { withheld }: SetSource) {
  const left = requests.filter((request) => withheld?.isWithdrawn(requestKey(request)) !== true);
  const withdrawn = requests.flatMap((one) => ("sign" in one && !left.includes(one) ? [one.sign] : []));
  const emptySet = ({ operation, period }: ReadingRequest): Omit<PartOfEdition, "readings"> => ({
    operation,
    period,
    ...(withdrawn.length === 0 ? {} : { withdrawn }),
  });
  return { first: left[0], left, emptySet };
}
