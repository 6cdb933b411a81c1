// Claims: the small files that say who is asking for which requests. claims.ts takes them and gives them back; a plan sweeps,
// which needs nothing of Temporal.
import { z } from "zod";
import type { Store } from "../store/store.ts";
import { inParallel } from "../store/parallel-calls.ts";
import { folders, layout } from "./layout.ts";
import { type FoundNote, lookAt, type Note, swapNote } from "./note.ts";
import { sheetTextsSchema } from "./sheet-texts.ts";

const claimSchema = z.object({
  /** The editions that had the claim, the last two where there were more: one is enough to tell another that it is not alone. */
  editions: z.array(z.string()),
  /** The claim's holders, of one edition: when the attempt of each is over in any case. */
  holders: z.record(z.string(), z.iso.datetime()),
  /** Of the sheet that was judged under the claim, as long as nobody has taken it since. */
  texts: sheetTextsSchema.optional().catch(undefined),
});
export type Claimed = z.infer<typeof claimSchema>;

/** A damaged claim counts as one that nobody holds, because nobody is known to have it. */
export function claimNote(name: string): Note<Claimed> {
  return { key: layout.claim(name), schema: claimSchema, empty: { editions: [], holders: {} } };
}

/** Stands for whoever had a claim that was damaged. */
const unknown = "unknown";

/** The editions that have had the claim once this one takes it. */
export function claimedBy(edition: string, { value, damage }: FoundNote<Claimed>): string[] {
  const before = damage === undefined ? value.editions : [unknown];
  return [...new Set([...before, edition])].slice(-2);
}

/** The holders of other editions than the one of this name whose attempts are not over. */
export function othersIn({ holders }: Claimed, edition: string, at: Date): string[] {
  return Object.entries(holders).flatMap(([owner, until]) =>
    owner.startsWith(`${edition}/`) || new Date(until) <= at ? [] : [owner],
  );
}

/** How long a sweep holds a claim that it takes over to remove it. */
const sweepingMs = 60_000;
/**
 * Long after the longest night, so that whoever finds no claim knows: what the vault lacked when the run was planned, it
 * still lacks.
 */
const sweptAfterMs = 3 * 24 * 60 * 60_000;

type Sweeping = { readonly vault: { readonly store: Store }; readonly now: () => Date };

/**
 * Removes the claims that nobody wrote for days. Each is taken over first, so that none is removed that somebody takes
 * meanwhile.
 */
export async function sweepClaims(by: string, { vault: { store }, now }: Sweeping): Promise<number> {
  const until = new Date(now().getTime() + sweepingMs).toISOString();
  const swept = await inParallel(await oldIn(store, folders.claims, now()), async (key) => {
    const note = { ...claimNote(""), key };
    const { value, version } = await lookAt(store, note);
    if (version === undefined || othersIn(value, by, now()).length > 0) return [];
    const ours = { editions: [unknown, by], holders: { [`${by}/sweep`]: until } };
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
