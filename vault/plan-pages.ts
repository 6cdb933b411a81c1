// The plans of runs, in pages: what an edition reads of its plan at once stands in its history, so that must not grow.
import { z } from "zod";
import type { Bundle } from "../readings/run-messages.ts";
import { always, type Store } from "../store/store.ts";
import { readJson, writeJson } from "./json.ts";
import { folders, layout } from "./layout.ts";
import type { Vault } from "./vault.ts";

/** Some 50 KB. */
const bundlesOnAPage = 150;

export const planPageSchema = z.object({
  format: z.literal(1),
  bundles: z.array(
    z.object({
      keys: z.array(z.string()),
      priority: z.int(),
      isFresh: z.boolean(),
      isFirst: z.boolean().optional(),
    }),
  ),
});

/** Returns how many pages the plan has. */
export async function keepPlan(plan: string, bundles: readonly Bundle[], { store }: Vault): Promise<number> {
  const pages = Math.ceil(bundles.length / bundlesOnAPage);
  for (let page = 0; page < pages; page += 1) {
    const own = bundles.slice(page * bundlesOnAPage, (page + 1) * bundlesOnAPage);
    await writeJson(store, layout.planPage(plan, page), { format: 1, bundles: own }, always);
  }
  return pages;
}

export async function readPlanPage(plan: string, page: number, { store }: Vault): Promise<Bundle[]> {
  const key = layout.planPage(plan, page);
  const found = await readJson(store, key, planPageSchema);
  if (found !== undefined) return found.bundles;
  throw new Error(`${key} is gone, a part of this run's plan: start the run again`);
}

/** Long after the longest night. */
const sweptAfterMs = 3 * 24 * 60 * 60_000;

/** Removes the plans of runs that are long over. */
export async function sweepPlans(store: Store, at: Date): Promise<void> {
  const listed = await Array.fromAsync(store.list(folders.plans));
  const old = listed.filter(({ modifiedAt }) => modifiedAt.getTime() < at.getTime() - sweptAfterMs);
  await store.remove(old.map(({ key }) => key));
}
