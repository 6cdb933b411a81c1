// One worker at a time asks for a request: it has a claim, a small file in the vault, while it does. A night and a backfill of
// the same language come to the same request within seconds; the second waits, and then finds the answer that the first kept.
import type { Written } from "../store/store.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { RequestKey } from "../readings/request.ts";
import { claimNote, type Claimed, isHeld } from "./claim-files.ts";
import { layout } from "./layout.ts";
import type { Log } from "./log.ts";
import { type FoundNote, lookAt, swapNote } from "./note.ts";
import type { Vault } from "./vault.ts";

/** A waiting worker looks soon at first, because most answers in English are there within a second; later once a second. */
const firstPauseMs = 100;
const longestPauseMs = 1_000;

export interface Claim extends Claimed {
  readonly key: RequestKey;
}

export interface ClaimPatience {
  readonly signal: AbortSignal;
  /** Whether Temporal may have begun another attempt in place of this one. */
  readonly isMissed: () => boolean;
  /** An attempt that has waited for so long gives its place to others and is tried again later. */
  readonly mostMs: number;
}

interface ClaimNeeds {
  readonly vault: Pick<Vault, "store">;
  readonly now: () => Date;
  readonly log: Log;
}

/** Thrown when another worker's claim takes too long: Temporal tries again later, and others have the place meanwhile. */
export class ClaimedElsewhere extends Error {
  override readonly name = "ClaimedElsewhere";
  constructor(key: RequestKey) {
    super(`${key} is being asked for by another run or worker: looked at again in a moment`);
  }
}

export interface ClaimSteps<Result> {
  readonly held: () => Promise<Result | undefined>;
  readonly ask: () => Promise<Result>;
  /** Files to remove together with the claim once an answer is kept: on S3 that is one call in place of two. */
  readonly settles: readonly string[];
}

/** Returns what `held` finds, or lets `ask` run as the only one. */
export async function underClaim<Result>(
  claim: Claim,
  patience: ClaimPatience,
  needs: ClaimNeeds,
  { held, ask, settles }: ClaimSteps<Result>,
): Promise<Result> {
  const taken = await take(claim, patience, needs, held);
  if ("held" in taken) return taken.held;
  let settled: readonly string[] | undefined;
  try {
    const found = await held();
    const result = found ?? (await ask());
    settled = found === undefined ? settles : [];
    return result;
  } finally {
    await release(claim, taken, settled, patience, needs);
  }
}

async function take<Result>(
  { key, owner, expiresAt }: Claim,
  { signal, mostMs }: ClaimPatience,
  { vault: { store }, now }: ClaimNeeds,
  held: () => Promise<Result | undefined>,
): Promise<Written | { readonly held: Result }> {
  const note = claimNote(layout.claim(key));
  const begunMs = performance.now();
  let found: FoundNote<Claimed | undefined> = { value: undefined };
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    signal.throwIfAborted();
    if (isFree(found.value, owner, now())) {
      // The swap is by version, so that only one of all who find a dead worker's claim takes it.
      const written = await swapNote(store, note, { owner, expiresAt }, found.version);
      if (written.kind === "written") return written;
    }
    found = await lookAt(store, note);
    if (isFree(found.value, owner, now())) continue;
    const kept = await held();
    if (kept !== undefined) return { held: kept };
    if (performance.now() - begunMs >= mostMs) throw new ClaimedElsewhere(key);
    await delay(pauseMs, undefined, { signal });
  }
}

function isFree(other: Claimed | undefined, owner: string, at: Date) {
  return other?.owner === owner || !isHeld(other, at);
}

/**
 * Removes our own claim only: an attempt that was given up for dead may find another one's in its place. It looks whose claim
 * it is, unless the answer is kept: then another holder finds the answer and asks nothing. That holds as long as nobody had the
 * time to displace the answer, so not when this attempt was held up. `settled` is undefined where no answer is kept.
 */
async function release(
  claim: Claim,
  taken: Written,
  settled: readonly string[] | undefined,
  { isMissed }: ClaimPatience,
  { vault: { store }, log, now }: ClaimNeeds,
) {
  const { key, expiresAt } = claim;
  const path = layout.claim(key);
  try {
    const isSure = settled !== undefined && !isMissed() && isHeld(claim, now());
    const isOurs = isSure || (await store.read(path))?.version === taken.version;
    await store.remove([...(settled ?? []), ...(isOurs ? [path] : [])]);
  } catch (error) {
    // The answer is worth more than the claim, which ends by itself.
    log.warn({ key, expiresAt, reason: String(error) }, `${path} could not be taken away`);
  }
}
