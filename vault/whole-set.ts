// One set in the form that is rendered: whole, from the vault and without withdrawn texts, or as the site shows it
// already. vault/editions.ts puts them together.
import type { Configuration } from "../readings/configuration.schema.ts";
import { type ReadingRequest, requestKey } from "../readings/request.ts";
import type { ReceivedReading, ReadingSet } from "../site/edition.ts";
import { doubtsAbout, type StoredAndDamaged } from "./stored-readings.ts";
import type { Withheld } from "./withheld.ts";
import type { Vault } from "./vault.ts";

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

/** The set without withdrawn texts, or the reason why it must not be rendered. */
export async function readSet(
  requests: readonly ReadingRequest[],
  stored: { readonly own: () => Promise<StoredAndDamaged>; readonly before: () => Promise<StoredAndDamaged> },
  source: SetSource,
): Promise<PartOfEdition | string> {
  const { first, left, emptySet } = withoutWithdrawn(requests, source);
  if (first === undefined) return "all its texts were withdrawn";
  const isPinned = source.withheld?.isSetPinned(first) === true;
  if (isPinned || source.keepsShown === true) {
    return (
      (await asRolledBack(requests, stored.own, isPinned, source)) ??
      "it was rolled back. `almanac render` publishes it again"
    );
  }
  const keys = new Set(left.map(requestKey));
  const own = (await stored.own()).stored.filter(({ response }) => keys.has(response.key));
  if (own.length < left.length) {
    return left.length === 1
      ? "the vault does not contain its reading"
      : `the vault contains ${own.length} of its ${left.length} readings`;
  }
  // A set that is not judged yet, or was given up halfway, is not published.
  const before = "sign" in first ? (await stored.before()).stored : [];
  const [doubt] = doubtsAbout(own, before, source.configuration.quality.rules);
  if (doubt !== undefined) return `${doubt.rule}: ${doubt.reason}`;
  return { ...emptySet(first), readings: own.map(({ reading, receivedAt }) => ({ reading, receivedAt })) };
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

/** The vault's reading of a text whose withdrawal was undone. */
async function returnedReading(
  request: ReadingRequest,
  own: () => Promise<StoredAndDamaged>,
  { withheld }: SetSource,
): Promise<ReceivedReading | undefined> {
  const key = requestKey(request);
  if (withheld?.isReturned(key) !== true) return undefined;
  const found = (await own()).stored.find(({ response }) => response.key === key);
  return found && { reading: found.reading, receivedAt: found.receivedAt };
}

/** The published set; undefined if it is not published, or not whole. */
export async function asShown(
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
