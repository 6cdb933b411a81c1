// Real processes that publish to a folder, killed with SIGKILL at random moments: readers see one state whole, and the
// next publisher ends where the killed one would have.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pick, seededRandom } from "../../packages/sandbox/random.ts";
import { deep } from "../support/deep.ts";
import { storesIn } from "./support/resettable.ts";
import { follow, wrongPaths } from "./support/look.ts";
import { nightsToKill, publishNight } from "./support/nights.ts";
import { Calls, Publisher } from "./support/publisher.ts";
import { disk } from "../support/disk.ts";
import { inMemory } from "../support/stores.ts";

const script = fileURLToPath(new URL("support/child.ts", import.meta.url));
const kills = deep ? 20 : 5;

let folder: string;
let env: NodeJS.ProcessEnv;
/** Content of the site before, after the first night, after the second ... */
const trees: (string | undefined)[] = [undefined];
let wholeMs: number;

beforeAll(async () => {
  folder = await mkdtemp(join(disk, "almanac-killed-"));
  // Without a cache of their compiled code the children spend most of their time starting.
  env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") };
  const memory = inMemory();
  for (const night of nightsToKill) {
    await publishNight(new Publisher(memory, new Calls(), () => new Date()).place, night);
    trees.push((await follow(memory.site))?.tree);
  }
  await run(join(folder, "compiling"), 0);
  wholeMs = (await run(join(folder, "timed"), undefined)).ms;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Duration of its publishing, and whether it completed. */
async function run(at: string, killAfterMs: number | undefined): Promise<{ ms: number; ended: boolean }> {
  const child = spawn(process.execPath, [script, at], { env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), exited]);
  const begun = performance.now();
  if (killAfterMs !== undefined) {
    await Promise.race([delay(killAfterMs), exited]);
    child.kill("SIGKILL");
  }
  await exited;
  return { ms: performance.now() - begun, ended: child.exitCode === 0 };
}

test(`readers see one state whole after each of ${kills} kills, and the next publisher completes it`, async () => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const random = seededRandom(seed);
  const seen: string[] = [];
  // Repeats until one was killed before its end: the timed one may have been slow, and most would end earlier.
  for (let kill = 0; kill < kills || seen.every((one) => one === "ended"); kill += 1) {
    const at = join(folder, `killed-${kill}`);
    const afterMs = random() * wholeMs;
    const { ended, ms } = await run(at, afterMs);
    if (ended) wholeMs = Math.min(wholeMs, ms);
    const stores = storesIn(at);
    const state = await follow(stores.site);
    const nights = trees.indexOf(state?.tree);
    const what = `seed ${seed}, kill ${kill} after ${afterMs.toFixed(1)} ms`;
    expect(nights, `${what}: a reader sees no state whole`).toBeGreaterThanOrEqual(0);
    seen.push(ended ? "ended" : `${nights} nights`);

    const again = pick(random, nightsToKill.slice(Math.max(0, nights - 1), nights + 1));
    await publishNight(new Publisher(stores, new Calls(), () => new Date()).place, again);
    const fixed = await follow(stores.site);
    if (fixed === undefined) throw new Error(`${what}: nothing is published`);
    expect(trees.indexOf(fixed.tree), what).toBe(nightsToKill.indexOf(again) + 1);
    expect(await wrongPaths(stores.site, fixed), what).toEqual([]);
  }
  console.log(`killed ${seen.length} publishers (seed ${seed}); readers saw ${seen.join(", ")}`);
});
