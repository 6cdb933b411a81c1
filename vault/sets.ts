// One set in the form that is rendered: whole and reviewed, from the vault and without withdrawn texts, or as the site shows it already.
// editions.ts loads the sets of a language.
import type { Configuration } from "../readings/configuration.schema.ts";
import { type ReadingRequest, requestBefore, requestKey } from "../readings/request.ts";
import { noteOf, type SetFinding } from "../readings/rules/rule.ts";
import type { RejectedSet } from "../readings/run-messages.ts";
import type { Operation } from "../readings/tables.ts";
import type { ReadingSet, ReceivedReading } from "../site/edition.ts";
import { reviewed } from "./text-decisions.ts";
import { siteFolders, UnreadableFile } from "./files.ts";
import { periodOfKey } from "./site-notes.ts";
import {
  type DamagedResponse,
  type StoredReader,
  type StoredReading,
  doubtsAbout,
} from "./stored-readings.ts";
import type { Vault } from "./vault.ts";
import type { Withheld } from "./withheld.ts";

/** The kind of reason for which a set must not be rendered: a set rule refuses it, for example. */
export type HindranceKind =
  | "withdrawn"
  | "rolled back"
  | "missing"
  | "refused"
  | "undecided"
  | "waiting"
  | "rejected";

/** Sources that sets are read from. */
export interface SetSource {
  /** Reads the responses, if somebody else reads them too. */
  readonly read?: StoredReader;
  readonly configuration: Configuration;
  readonly vault: Vault;
  readonly withheld?: Withheld;
  /** The local date that is today: on a set's first one ends its review. */
  readonly today: string;
  /** A reading as the site shows it, for a set that is held, or incomplete in the vault. */
  readonly shown?: (request: ReadingRequest) => Promise<ReceivedReading | undefined>;
  /** A reading as the state has it that a rollback went to. */
  readonly rolledBackTo?: (request: ReadingRequest) => Promise<ReceivedReading | undefined>;
  /** The period of each operation's newest set as the site shows it. */
  readonly newest?: Partial<Record<Operation, string>> | undefined;
  /** Whether every set stays as the site shows it, because its language was rolled back. */
  readonly keepsShown?: boolean;
}

/** Why a set must not be rendered. */
interface Hindrance {
  readonly kind: HindranceKind;
  readonly reason: string;
  readonly rejected?: readonly RejectedSet[];
  /** The decision about its texts that can't be read. */
  readonly undecided?: readonly DamagedResponse[];
}

export function isHindrance(found: PartOfEdition | Hindrance): found is Hindrance {
  return "reason" in found;
}

/** Whether a person must approve it first. */
export function isUnderReview(found: PartOfEdition | Hindrance) {
  return isHindrance(found) && (found.kind === "waiting" || found.kind === "rejected");
}

export function rejectedIn(found: PartOfEdition | Hindrance): readonly RejectedSet[] {
  return (isHindrance(found) && found.rejected) || [];
}

/** The set without withdrawn texts, or the reason why it must not be rendered. */
export async function readSet(
  requests: readonly ReadingRequest[],
  read: StoredReader,
  source: SetSource,
): Promise<PartOfEdition | Hindrance> {
  const { first, left, emptySet } = withoutWithdrawn(requests, source);
  if (first === undefined) return { kind: "withdrawn", reason: "all its texts were withdrawn" };
  const isPinned = source.withheld?.isSetPinned(first) === true;
  if (isPinned || source.keepsShown === true) {
    return (
      (await asRolledBack(requests, read, isPinned, source)) ?? {
        kind: "rolled back",
        reason: "it was rolled back. `almanac render` publishes it again",
      }
    );
  }
  const undecided = await undecidedReason(first, source);
  if (undecided !== undefined) return undecided;
  const own = (await read(left)).stored;
  if (own.length < left.length) {
    const reason =
      left.length === 1
        ? "the vault does not contain its reading"
        : `the vault contains ${own.length} of its ${left.length} readings`;
    return { kind: "missing", reason };
  }
  // A set that is not judged yet, or was given up halfway, is not published.
  const before = await read(requests.filter((request) => "sign" in request).map(requestBefore));
  const [doubt] = doubtsAbout(own, before.stored, source.configuration.quality.rules);
  if (doubt !== undefined) return hindranceOf(doubt, own);
  const { readings, clearance } = await reviewed(own.map(withoutResponse), source);
  if (clearance === "open") return { ...emptySet(first), readings };
  const reason = clearance === "waiting" ? "it waits for review" : "a person rejected it";
  return { kind: clearance, reason: `${reason}. \`almanac review list\` lists it` };
}

function withoutResponse({ reading, receivedAt }: StoredReading): ReceivedReading {
  return { reading, receivedAt };
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
  read: StoredReader,
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
      (mayReturn ? await returnedReading(request, read, source) : undefined);
    if (reading === undefined) return undefined;
    readings.push(reading);
  }
  return { ...emptySet(first), readings: (await reviewed(readings, source)).readings };
}

/** The vault's reading of a text whose withdrawal was undone, or of a corrected one of a person, which has no published data. */
async function returnedReading(
  request: ReadingRequest,
  read: StoredReader,
  source: SetSource,
): Promise<ReceivedReading | undefined> {
  const isReturned = source.withheld?.isReturned(requestKey(request)) === true;
  if (!isReturned && !("person" in request)) return undefined;
  const found = (await read([request])).stored;
  if (!isReturned && found[0]?.reading.corrected === undefined) return undefined;
  const { readings, clearance } = await reviewed(found.map(withoutResponse), source);
  return clearance === "open" ? readings[0] : undefined;
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
  return { ...emptySet(first), readings: (await reviewed(readings, source)).readings };
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
