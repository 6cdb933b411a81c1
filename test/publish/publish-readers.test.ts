// Readers hammer a real HTTP server in front of the store while nights are published: they never miss an object, never
// find another than its hash says, and every page that a front page leads to is there.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as everythingElse, setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Store } from "../../store/store.ts";
import { openMemory } from "../support/memory.ts";
import { deep } from "../support/deep.ts";
import { through } from "../support/stores.ts";
import { storesIn } from "./support/resettable.ts";
import { hammer } from "./support/readers.ts";

const onMemory = deep ? 10_000 : 200;
const onFolder = deep ? 1_000 : 40;
let folder: string | undefined;
afterEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  folder = undefined;
});

/** Lets readers in between any two calls of a store that needs no time, and at times for as long as a bucket would. */
function unhurried(store: Store): Store {
  let calls = 0;
  return through(store, async (_call, make) => {
    calls += 1;
    await (calls % 199 === 0 ? delay(25) : everythingElse());
    return make();
  });
}

test(
  `8 readers see one state whole during ${onMemory} publishes on memory`,
  { timeout: 900_000 },
  async () => {
    const stores = { site: unhurried(openMemory()), vault: unhurried(openMemory()) };
    const seen = await hammer(stores, onMemory, 15);
    console.log(`readers on memory: ${JSON.stringify(seen)}`);
    expect(seen.objects).toBeGreaterThan(onMemory / 4);
    expect(seen.pages).toBeGreaterThan(onMemory / 4);
    expect(seen.news).toBeGreaterThan(onMemory / 10);
  },
);

test(
  `8 readers see one state whole during ${onFolder} publishes on a folder`,
  { timeout: 900_000 },
  async () => {
    folder = await mkdtemp(join(tmpdir(), "almanac-readers-"));
    const seen = await hammer(storesIn(folder), onFolder, 2);
    console.log(`readers on a folder: ${JSON.stringify(seen)}`);
    expect(seen.objects).toBeGreaterThan(onFolder);
    expect(seen.pages).toBeGreaterThan(onFolder);
    expect(seen.news).toBeGreaterThan(onFolder / 4);
  },
);
