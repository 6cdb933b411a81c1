// Publishing on a real S3 server: points of the crash test, and readers during publishes.
import { describe, expect, test } from "vitest";
import { deep } from "../support/deep.ts";
import { s3ForTests } from "../support/s3.ts";
import { points } from "./support/crash.ts";
import { hammer } from "./support/readers.ts";
import { openResettable } from "./support/resettable.ts";
import { scenarios } from "./support/scenarios.ts";
import type { Stores } from "./support/stores.ts";
import { renewing } from "./support/turns.ts";

const s3 = await s3ForTests();
const openStores = (): Stores => ({ site: s3.open(), vault: s3.open() });
const open = openResettable(openStores);
/** Of so many calls one fails, by what a point costs; of the others one in twelve. */
const every: Record<string, number> = { nightly: 60, rollback: 40, renewing: 2 };

describe("whichever store call fails on S3, a reader sees one state whole and a retry completes it", () => {
  test.each([...scenarios(), renewing])("$name", { timeout: 600_000 }, async (scenario) => {
    const each = every[scenario.name.split(" ")[0] ?? ""] ?? 12;
    const held = await points(scenario, open, deep ? Math.ceil(each / 5) : each);
    console.log(`crash test on S3, ${scenario.name}: ${held} points held`);
    expect(held).toBeGreaterThanOrEqual(4);
  });
});

test(
  `8 readers see one state whole during ${deep ? 200 : 20} publishes on S3`,
  { timeout: 600_000 },
  async () => {
    const seen = await hammer(openStores(), deep ? 200 : 20, 1);
    console.log(`readers on S3: ${JSON.stringify(seen)}`);
    expect(seen.objects).toBeGreaterThan(50);
    expect(seen.pages).toBeGreaterThan(50);
  },
);
