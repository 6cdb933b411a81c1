// What a plan clears away before it begins: claims and plans of runs that are long over.
import type { Store } from "../store/store.ts";
import { inParallel } from "../store/parallel-calls.ts";
import { claimNote, unknownEdition } from "./claim-files.ts";
import { folders } from "./layout.ts";
import { lookAt, swapNote } from "./note.ts";
import type { SeenHolds } from "./seen-holds.ts";

/** How long a sweep holds a claim that it takes over to remove it. */
const sweepingMs = 60_000;
/**
 * Long after the longest night, so that whoever finds no claim knows: what the vault lacked when the run was planned, it
 * still lacks.
 */
const sweptAfterMs = 3 * 24 * 60 * 60_000;

interface Sweeping {
  readonly vault: { readonly store: Store };
  readonly now: () => Date;
}

/**
 * Removes the claims that nobody wrote for days. Each is taken over first, so that none is removed that somebody takes
 * meanwhile. One that a dead edition left held goes with the first sweep of a process that has seen it for long enough.
 */
export async function sweepClaims(
  by: string,
  { vault: { store }, now, holds }: Sweeping & { readonly holds: SeenHolds },
): Promise<number> {
  const swept = await inParallel(await oldIn(store, folders.claims, now()), async (key) => {
    const note = { ...claimNote(""), key };
    const askedMs = holds.nowMs();
    const { value, version } = await lookAt(store, note);
    if (version === undefined || holds.others(key, value, by, askedMs).length > 0) return [];
    const ours = {
      editions: [unknownEdition, by],
      holders: { [`${by}/sweep`]: { attempt: 1, lastsMs: sweepingMs } },
    };
    return (await swapNote(store, note, ours, version)).kind === "written" ? [key] : [];
  });
  await store.remove(swept.flat());
  return swept.flat().length;
}

/** Removes the plans of runs that are long over. */
export async function sweepPlans({ vault: { store }, now }: Sweeping): Promise<void> {
  await store.remove(await oldIn(store, folders.plans, now()));
}

async function oldIn(store: Store, folder: string, at: Date): Promise<string[]> {
  const listed = await Array.fromAsync(store.list(folder));
  return listed.flatMap(({ key, modifiedAt }) =>
    modifiedAt.getTime() < at.getTime() - sweptAfterMs ? [key] : [],
  );
}
