// The small files that say who is asking for which request, and the clearing away of those that dead workers left.
// claims.ts takes and gives back its own; a plan sweeps, and needs nothing of Temporal for it.
import { z } from "zod";
import { folders } from "./layout.ts";
import { lookAt, type Note, swapNote } from "./note.ts";
import type { Vault } from "./vault.ts";

/** For one removal. */
const sweepingMs = 60_000;

const claimSchema = z.object({
  /** The activity, not the attempt: after a worker's death the next attempt takes its own claim over at once. */
  owner: z.string(),
  /** When this attempt is over, whatever became of it: from then on the claim is anybody's. */
  expiresAt: z.iso.datetime(),
});
export type Claimed = z.infer<typeof claimSchema>;

/** One that can't be read was damaged: nobody is known to have it. */
export function claimNote(key: string): Note<Claimed, undefined> {
  return { key, schema: claimSchema, empty: undefined, mayBeLost: true };
}

/**
 * Takes away what dead workers left whose runs never came back: claims that have ended. Each is taken over first, so that
 * none goes that somebody takes over meanwhile.
 */
export async function sweepClaims(
  by: string,
  { vault: { store }, now }: { readonly vault: Pick<Vault, "store">; readonly now: () => Date },
): Promise<number> {
  let swept = 0;
  for await (const { key: path } of store.list(folders.claims)) {
    const { value, version } = await lookAt(store, claimNote(path));
    if (version === undefined || isHeld(value, now())) continue;
    const ours = { owner: by, expiresAt: new Date(now().getTime() + sweepingMs).toISOString() };
    if ((await swapNote(store, claimNote(path), ours, version)).kind === "refused") continue;
    await store.remove([path]);
    swept += 1;
  }
  return swept;
}

export function isHeld(claim: Claimed | undefined, at: Date): boolean {
  return claim !== undefined && new Date(claim.expiresAt) > at;
}
