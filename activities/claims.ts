// One at a time for each request, over all workers: whoever asks has a small file in the vault while it does. A night and
// a backfill of the same language come to the same request within seconds: whoever is second waits, and then finds what
// the first has kept instead of asking again.
import { setTimeout as delay } from "node:timers/promises";
import type { RequestKey } from "../readings/request.ts";
import { absent, type Stored } from "../store/store.ts";
import { type Claimed, claimBody, claimIn, claimPath, isHeld } from "./claim-files.ts";
import type { Dependencies } from "./dependencies.ts";
import { claimedElsewhere } from "./faults.ts";

/** Soon at first, because most answers in English are there within a second; then once a second. */
const firstPauseMs = 100;
const longestPauseMs = 1_000;

export interface Claim extends Claimed {
  readonly key: RequestKey;
}

export interface Patience {
  readonly signal: AbortSignal;
  /** Whoever has waited for so long gives its place to others and is tried again later. */
  readonly mostMs: number;
}

type Needs = Pick<Dependencies, "vault" | "now" | "log">;

/** Answers what is `held`, or lets `ask` run as the only one. */
export async function underClaim<Result>(
  claim: Claim,
  patience: Patience,
  needs: Needs,
  { held, ask }: { held: () => Promise<Result | undefined>; ask: () => Promise<Result> },
): Promise<Result> {
  const taken = await take(claim, patience, needs, held);
  if ("held" in taken) return taken.held;
  try {
    return (await held()) ?? (await ask());
  } finally {
    await release(claim, taken.version, needs);
  }
}

async function take<Result>(
  claim: Claim,
  { signal, mostMs }: Patience,
  { vault: { store }, now }: Needs,
  held: () => Promise<Result | undefined>,
): Promise<{ readonly version: string } | { readonly held: Result }> {
  const path = claimPath(claim.key);
  const body = claimBody(claim);
  const begunMs = performance.now();
  let found: Stored | undefined;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    signal.throwIfAborted();
    if (isFree(found, claim, now())) {
      // By version, so that of all who find a dead worker's claim one takes it.
      const when = found === undefined ? absent : ({ kind: "version", version: found.version } as const);
      const written = await store.write(path, body, { type: "application/json" }, when);
      if (written.kind === "written") return written;
    }
    found = await store.read(path);
    if (isFree(found, claim, now())) continue;
    const kept = await held();
    if (kept !== undefined) return { held: kept };
    if (performance.now() - begunMs >= mostMs) throw claimedElsewhere(claim.key);
    await delay(pauseMs, undefined, { signal });
  }
}

function isFree(found: Stored | undefined, { key, owner }: Claim, at: Date): boolean {
  if (found === undefined) return true;
  const other = claimIn(claimPath(key), found);
  return other?.owner === owner || !isHeld(other, at);
}

/** Only our own: an attempt that was given up for dead may find another in its place. */
async function release(
  { key, expiresAt }: Claim,
  version: string,
  { vault: { store }, log }: Needs,
): Promise<void> {
  const path = claimPath(key);
  try {
    if ((await store.read(path))?.version === version) await store.remove([path]);
  } catch (error) {
    // The answer is worth more: without us the claim ends by itself.
    log.warn({ key, expiresAt, reason: String(error) }, `${path} could not be taken away`);
  }
}
