// The plans of runs, in pages: what an edition reads of its plan at once stands in its history, so that must not grow.
import { z } from "zod";
import type { Batch } from "../readings/run-messages.ts";
import { always, type Store } from "../store/store.ts";
import { readJson, writeJson } from "./json.ts";
import { siteFolders, siteLayout } from "./layout.ts";
import type { Vault } from "./vault.ts";

/** Some 50 KB. */
const batchesPerPage = 150;

export const planPageSchema = z.object({
  format: z.literal(1),
  batches: z.array(
    z.object({
      keys: z.array(z.string()),
      priority: z.int(),
      isFresh: z.boolean(),
      isFirst: z.boolean().optional(),
    }),
  ),
});

/** Returns how many pages the plan has. */
export async function keepPlan(plan: string, batches: readonly Batch[], { own }: Vault): Promise<number> {
  const pages = Math.ceil(batches.length / batchesPerPage);
  for (let page = 0; page < pages; page += 1) {
    const onPage = batches.slice(page * batchesPerPage, (page + 1) * batchesPerPage);
    await writeJson(own, siteLayout.planPage(plan, page), { format: 1, batches: onPage }, always);
  }
  return pages;
}

export async function readPlanPage(plan: string, page: number, { own }: Vault): Promise<Batch[]> {
  const key = siteLayout.planPage(plan, page);
  const found = await readJson(own, key, planPageSchema);
  if (found !== undefined) return found.batches;
  throw new Error(`${key}, a part of this run's plan, is missing. Start the run again`);
}

/** Long after the longest night. */
const sweptAfterMs = 3 * 24 * 60 * 60_000;

/** Removes the plans of runs that are long over. */
export async function sweepPlans(own: Store, at: Date): Promise<void> {
  const listed = await Array.fromAsync(own.list(siteFolders.plans));
  const old = listed.filter(({ modifiedAt }) => modifiedAt.getTime() < at.getTime() - sweptAfterMs);
  await own.remove(old.map(({ key }) => key));
}
