// One at a time for each request, over all workers: whoever asks has a small file in the vault while it does. A night and
// a backfill of the same language come to the same request within seconds: whoever is second waits, and then finds what
// the first has kept instead of asking again.
import type { Written } from "../store/store.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { RequestKey } from "../readings/request.ts";
import { claimNote, type Claimed, isHeld } from "./claim-files.ts";
import { layout } from "./layout.ts";
import type { Log } from "./log.ts";
import { type FoundNote, lookAt, swapNote } from "./note.ts";
import type { Vault } from "./vault.ts";

/** Soon at first, because most answers in English are there within a second; then once a second. */
const firstPauseMs = 100;
const longestPauseMs = 1_000;

export interface Claim extends Claimed {
  readonly key: RequestKey;
}

export interface Patience {
  readonly signal: AbortSignal;
  /** Temporal may have begun another attempt in place of this one. */
  readonly isMissed: () => boolean;
  /** Whoever has waited for so long gives its place to others and is tried again later. */
  readonly mostMs: number;
}

interface ClaimNeeds {
  readonly vault: Pick<Vault, "store">;
  readonly now: () => Date;
  readonly log: Log;
}

/** Another worker asks for it and takes long: its claim is waited for anew, so that meanwhile others have the place. */
export class ClaimedElsewhere extends Error {
  override readonly name = "ClaimedElsewhere";
  constructor(key: RequestKey) {
    super(`${key} is being asked for by another run or worker: looked at again in a moment`);
  }
}

export interface Steps<Result> {
  readonly held: () => Promise<Result | undefined>;
  readonly ask: () => Promise<Result>;
  /** Files that go together with the claim once an answer is kept: on S3 that is one request in place of two. */
  readonly settles: readonly string[];
}

/** Answers what is `held`, or lets `ask` run as the only one. */
export async function underClaim<Result>(
  claim: Claim,
  patience: Patience,
  needs: ClaimNeeds,
  { held, ask, settles }: Steps<Result>,
): Promise<Result> {
  const taken = await take(claim, patience, needs, held);
  if ("held" in taken) return taken.held;
  let ended: EndedClaim = { isKept: false, settles: [] };
  try {
    const found = await held();
    const result = found ?? (await ask());
    ended = { isKept: true, settles: found === undefined ? settles : [] };
    return result;
  } finally {
    await release(claim, taken, ended, patience, needs);
  }
}

interface EndedClaim {
  readonly isKept: boolean;
  readonly settles: readonly string[];
}

async function take<Result>(
  { key, owner, expiresAt }: Claim,
  { signal, mostMs }: Patience,
  { vault: { store }, now }: ClaimNeeds,
  held: () => Promise<Result | undefined>,
): Promise<Written | { readonly held: Result }> {
  const note = claimNote(layout.claim(key));
  const begunMs = performance.now();
  let found: FoundNote<Claimed | undefined> = { value: undefined };
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    signal.throwIfAborted();
    if (isFree(found.value, owner, now())) {
      // By version, so that of all who find a dead worker's claim one takes it.
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

function isFree(other: Claimed | undefined, owner: string, at: Date): boolean {
  return other?.owner === owner || !isHeld(other, at);
}

/**
 * Only our own: an attempt that was given up for dead may find another in its place. That is looked at, unless it does not
 * matter: when the answer is kept, whoever has taken the claim meanwhile finds it and asks nothing. That holds as long as
 * nobody has had the time to displace it, so not when this attempt was held up.
 */
async function release(
  claim: Claim,
  taken: Written,
  { isKept, settles }: EndedClaim,
  { isMissed }: Patience,
  { vault: { store }, log, now }: ClaimNeeds,
): Promise<void> {
  const { key, expiresAt } = claim;
  const path = layout.claim(key);
  try {
    const isOurs =
      (isKept && !isMissed() && isHeld(claim, now())) || (await store.read(path))?.version === taken.version;
    await store.remove(isOurs ? [...settles, path] : settles);
  } catch (error) {
    // The answer is worth more: without us the claim ends by itself.
    log.warn({ key, expiresAt, reason: String(error) }, `${path} could not be taken away`);
  }
}
