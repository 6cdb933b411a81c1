// Claims: the small files that say who is asking for which request; and the removal of those that dead workers left. claims.ts
// takes and gives back its own; a plan sweeps, which needs nothing of Temporal.
import { z } from "zod";
import { folders } from "./layout.ts";
import { lookAt, swapNote } from "./note.ts";
import type { Vault } from "./vault.ts";

/** How long a sweep holds a claim that it takes over to remove it. */
const sweepingMs = 60_000;

const claimSchema = z.object({
  /** The activity and not its attempt, so that after a worker's death the next attempt takes the claim over at once. */
  owner: z.string(),
  /** When the attempt is over in any case; from then on anybody may take the claim. */
  expiresAt: z.iso.datetime(),
});
export type Claimed = z.infer<typeof claimSchema>;

/** The note of a claim. A damaged one counts as absent, because nobody is known to have it. */
export function claimNote(key: string) {
  return { key, schema: claimSchema, empty: undefined };
}

/**
 * Removes the expired claims of dead workers whose runs never came back. Each is taken over first, so that none is removed that
 * somebody else takes over meanwhile.
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
