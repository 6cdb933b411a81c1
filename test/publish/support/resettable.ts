// Stores for crash tests that are slow to fill: filled once per scenario, and reset to that state before each run. Changed files
// are tracked, so a check reads only those again.
import { join } from "node:path";
import { openFolder } from "../../../store/folder.ts";
import { type Store, type Stored, always } from "../../../store/store.ts";
import type { Before, Scenario } from "./scenarios.ts";
import { type Content, fill, inMemory, type Stores, through } from "../../support/stores.ts";

export interface WatchedStores extends Stores {
  /** The site for those who only look. */
  readonly eyes: Store;
}

/** Opens the stores as they stood before the scenario. */
export type Open = (scenario: Scenario) => Promise<WatchedStores>;

interface Resettable {
  readonly stores: WatchedStores;
  readonly reset: () => Promise<void>;
}

export const openMemories = (): Open => openResettable(inMemory);

/** `open` gives empty stores. */
export function openResettable(open: () => Stores): Open {
  const known = new Map<Before, Promise<Resettable>>(); // a base of several scenarios is filled once
  return async (scenario) => {
    const one = known.get(scenario.before) ?? filledFor(scenario.before, open());
    known.set(scenario.before, one);
    const { stores, reset } = await one;
    await reset();
    return stores;
  };
}

async function filledFor(make: Before, { site, vault }: Stores): Promise<Resettable> {
  const before = await make();
  await fill({ site, vault }, before);
  const [watchedSite, watchedVault] = [watched(site, before.site), watched(vault, before.vault)];
  return {
    stores: { site: watchedSite.store, vault: watchedVault.store, eyes: watchedSite.eyes },
    async reset() {
      await watchedSite.reset();
      await watchedVault.reset();
    },
  };
}

function watched(store: Store, before: Content) {
  const touched = new Set<string>();
  const seen = new Map<string, Stored | undefined>();
  const watching = through(store, async ({ doing, keys }, make) => {
    if (doing === "read" || doing === "list") return make();
    for (const key of keys) touched.add(key);
    try {
      return await make();
    } finally {
      for (const key of keys) seen.delete(key);
    }
  });
  const eyes: Store = {
    ...watching,
    async read(key) {
      if (!seen.has(key)) seen.set(key, await store.read(key));
      return seen.get(key);
    },
  };
  return {
    store: watching,
    eyes,
    async reset() {
      const keys = [...touched];
      const gone = keys.filter((key) => !before.has(key));
      if (gone.length > 0) await store.remove(gone);
      await Promise.all(
        keys.map(async (key) => {
          const body = before.get(key);
          seen.delete(key);
          if (body !== undefined) await store.write(key, body, { type: "application/octet-stream" }, always);
        }),
      );
      touched.clear();
    },
  };
}

export function storesIn(folder: string): Stores {
  return { site: openFolder(join(folder, "site")), vault: openFolder(join(folder, "vault")) };
}
