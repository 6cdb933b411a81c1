// Publishing on a real S3 server: points of the crash test, and readers during publishes.
import { describe, expect, test } from "vitest";
import { deep } from "../support/deep.ts";
import { s3ForTests } from "../support/s3.ts";
import { objectPath } from "../../publish/state/state.ts";
import { points } from "./support/crash.ts";
import { type Way, ways } from "./support/publisher.ts";
import { backedUp, broughtBack, responsesOf, day, drilled, nightsOn, soundOn } from "./support/drill.ts";
import { newSite } from "./support/published-site.ts";
import { hammer } from "./support/readers.ts";
import { openResettable } from "./support/resettable.ts";
import { renewing, type Scenario, scenarios } from "./support/scenarios.ts";
import type { Stores } from "../support/stores.ts";

const s3 = await s3ForTests();
const openStores = (): Stores => ({ site: s3.open(), vault: s3.open() });
const open = openResettable(openStores);
/** Interval of failing calls, in npm test and with test:deep: the longer a scenario, the more each point costs. */
const every: Record<string, readonly [number, number]> = {
  "first night": [97, 3],
  "nightly of two languages by two publishers": [160, 12],
  "backfill of a new language": [47, 3],
  publish: [50, 3],
  rollback: [90, 8],
  gc: [25, 3],
  "a language leaves": [32, 3],
  renewing: [14, 1],
};
const atLeast = deep ? 300 : 6;
const publishes = deep ? 200 : 6;
let total = 0;

/** In npm test two of the four ways, and the others in the next scenario, because each point takes a second here. */
function waysFor(scenario: Scenario): readonly Way[] {
  return ways.filter((_, index) => deep || index % 2 === tried.indexOf(scenario) % 2);
}

/** In npm test, the scenarios with most S3 specifics: two publishers, and a renewed pointer. */
const quickly = new Set(["nightly of two languages by two publishers", "publish", "renewing"]);
const tried = [...scenarios(), renewing].filter(({ name }) => deep || quickly.has(name));

describe("on S3, a reader sees one complete state whichever store call fails, and a retry completes it", () => {
  test.each(tried)("$name", { timeout: 600_000 }, async (scenario) => {
    const [ordinary, inDepth] = every[scenario.name] ?? [12, 3];
    const held = await points(scenario, open, deep ? inDepth : ordinary, waysFor(scenario));
    total += held;
    console.log(`crash test on S3, ${scenario.name}: ${held} points held`);
    expect(held).toBeGreaterThanOrEqual(waysFor(scenario).length);
  });

  test(`and that is ${atLeast} times or more`, () => {
    expect(total).toBeGreaterThanOrEqual(atLeast);
  });
});

test("a lost vault and site are restored from a backup in a bucket, with their types", async () => {
  const [stores, backup] = [openStores(), s3.open()];
  const site = newSite(drilled, stores);
  await nightsOn(site, 20);
  expect((await backedUp(site, backup)).damaged).toEqual([]);
  const before = await soundOn(stores);
  const prefix = `restored/${before.hash.slice(0, 12)}`;
  const empty = { site: s3.open({ prefix }), vault: s3.open() };
  const { version } = await broughtBack(empty, backup, day(21));
  expect((await soundOn(empty)).tree).toBe(before.tree);
  expect(await responsesOf(empty.vault)).toEqual(await responsesOf(stores.vault));
  expect(version).toBeGreaterThan(before.pointer.version);
  const [path, { object, type }] = before.files.entries().find(([one]) => one.endsWith(".html")) ?? never();
  const found = await s3.client.headObject({
    Bucket: s3.bucket,
    Key: `${prefix}/${objectPath(object, path)}`,
  });
  expect(found).toMatchObject({ ContentType: type, CacheControl: expect.stringContaining("immutable") });
});

function never(): never {
  throw new Error("no page is published");
}

test(`8 readers see one state whole during ${publishes} publishes on S3`, { timeout: 600_000 }, async () => {
  const seen = await hammer(openStores(), publishes, 1);
  console.log(`readers on S3: ${JSON.stringify(seen)}`);
  expect(seen.objects).toBeGreaterThan(deep ? 50 : 20);
  expect(seen.pages).toBeGreaterThan(deep ? 50 : 20);
});
