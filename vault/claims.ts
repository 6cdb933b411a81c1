// One edition at a time asks for a request: it has a claim, a small file in the vault, while it does. A night and a backfill of
// the same language come to the same requests within seconds; the second waits, and then finds what the first kept.
// A claim that is given back stays as a file without holders: it says that the vault may hold more than a plan saw.
import type { Written } from "../store/store.ts";
import { setTimeout as delay } from "node:timers/promises";
import { type Claimed, claimedBy, claimNote, type ClaimHold } from "./claim-files.ts";
import type { Log } from "./log.ts";
import { changeNote, lookAt, swapNote } from "./note.ts";
import type { SeenHolds } from "./seen-holds.ts";
import type { Vault } from "./vault.ts";

/** A waiting worker looks soon at first, because most answers in English are there within a second; later once a second. */
const firstPauseMs = 100;
const longestPauseMs = 1_000;

export interface Claim {
  readonly name: string;
  /** The edition that asks; its activities never ask for the same request, so they may hold a claim together. */
  readonly edition: string;
  /** The activity and not its attempt, so that after a worker's death the next attempt holds what the dead one held. */
  readonly activity: string;
  /** Of the attempt: others may take the claim when they have seen it held for as long as that lasts. */
  readonly hold: ClaimHold;
}

export interface ClaimPatience {
  readonly signal: AbortSignal;
  /** An attempt that has waited for so long gives its place to others and is tried again later. */
  readonly mostMs: number;
  /** Told of each wait for another's claim. */
  readonly whileHeldUp?: (wait: Promise<void>) => Promise<void>;
}

interface ClaimNeeds {
  readonly vault: Pick<Vault, "store">;
  readonly holds: SeenHolds;
  readonly log: Log;
}

/** Thrown when another edition's claim takes too long: Temporal tries again later, and others have the place meanwhile. */
export class ClaimedElsewhere extends Error {
  override readonly name = "ClaimedElsewhere";
  constructor(what: string) {
    super(`${what} is being asked for by another run or worker: looked at again in a moment`);
  }
}

/**
 * `isNew` says that nobody had the claim for days: what the vault lacked at the plan it still lacks, and need not be looked at. The
 * edition itself may have had it, where a run was reset, or Temporal's database cut back, and what was kept already begins anew.
 */
export async function underClaim<Result>(
  claim: Claim,
  patience: ClaimPatience,
  needs: ClaimNeeds,
  work: (isNew: boolean) => Promise<Result>,
): Promise<Result> {
  const taken = await take(claim, patience, needs);
  try {
    return await work(taken.isNew);
  } finally {
    await release(claim, taken, needs);
  }
}

interface Taken extends Written {
  readonly isNew: boolean;
  readonly value: Claimed;
}

async function take(
  { name, edition, activity, hold }: Claim,
  { signal, mostMs, whileHeldUp = (wait) => wait }: ClaimPatience,
  { vault: { store }, holds }: ClaimNeeds,
): Promise<Taken> {
  const note = claimNote(name);
  const begunMs = performance.now();
  const own = `${edition}/${activity}`;
  // The first swap takes a claim that is in nobody's way, which most are, without a look.
  let found: Awaited<ReturnType<typeof lookAt<Claimed, Claimed>>> = { value: note.empty };
  let isFree = true;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    signal.throwIfAborted();
    if (isFree) {
      const value = {
        editions: claimedBy(edition, found),
        holders: { ...ownIn(found.value, edition), [own]: later(found.value.holders[own], hold) },
      };
      // The swap is by version, so that only one of all who find a free claim takes it.
      const written = await swapNote(store, note, value, found.version);
      if (written.kind === "written") return { ...written, isNew: found.version === undefined, value };
    }
    const askedMs = holds.nowMs();
    found = await lookAt(store, note);
    isFree = holds.others(note.key, found.value, edition, askedMs).length === 0;
    if (isFree) continue;
    if (performance.now() - begunMs >= mostMs) throw new ClaimedElsewhere(name);
    await whileHeldUp(delay(pauseMs, undefined, { signal }));
  }
}

function ownIn({ holders }: Claimed, edition: string): Claimed["holders"] {
  return Object.fromEntries(Object.entries(holders).filter(([owner]) => owner.startsWith(`${edition}/`)));
}

/** An attempt that was held up on its way to the claim may find the next one's hold there, which it leaves as it is. */
function later(known: Claimed["holders"][string] | undefined, hold: ClaimHold): ClaimHold {
  return typeof known === "object" && isLater(known, hold) ? known : hold;
}

function isLater(one: ClaimHold, other: ClaimHold): boolean {
  if (one.begunMs === undefined || other.begunMs === undefined || one.begunMs === other.begunMs)
    return one.attempt > other.attempt;
  return one.begunMs > other.begunMs;
}

/** A worker of before that held the claim beside this one has left out when the attempt began. */
function isSame(one: ClaimHold, other: ClaimHold): boolean {
  return one.attempt === other.attempt && (one.begunMs ?? other.begunMs) === (other.begunMs ?? one.begunMs);
}

/** Gives back our own part of the claim: an attempt that was given up for dead may find another edition's in its place. */
async function release(
  { name, edition, activity, hold }: Claim,
  { version, value }: Taken,
  { vault: { store }, log }: ClaimNeeds,
): Promise<void> {
  const note = claimNote(name);
  const own = `${edition}/${activity}`;
  const without = ({ editions, holders }: Claimed): Claimed => ({
    editions,
    holders: Object.fromEntries(Object.entries(holders).filter(([owner]) => owner !== own)),
  });
  // The next attempt of the same activity may hold it under the same name.
  const isOurs = ({ holders: { [own]: found } }: Claimed): boolean =>
    typeof found === "object" && isSame(found, hold);
  try {
    // Mostly nobody changed it meanwhile, so that no look is needed.
    if (isOurs(value) && (await swapNote(store, note, without(value), version)).kind === "written") return;
    await changeNote(store, note, (claimed) => (isOurs(claimed) ? without(claimed) : undefined));
  } catch (error) {
    // What was kept is worth more than the claim, which ends by itself.
    log.warn({ claim: name, ...hold, reason: String(error) }, `${note.key} could not be given back`);
  }
}
