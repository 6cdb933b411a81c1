// Reads of clients while three machines with different clocks published, on each kind of store, checked against the order of
// publishing (support/history.ts).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { storesIn } from "../publish/support/resettable.ts";
import { deep } from "../support/deep.ts";
import { atItsEnd } from "../support/ends.ts";
import { s3ForTests } from "../support/s3.ts";
import type { Stores } from "../support/stores.ts";
import { untoldMixes, wrongOrder } from "./support/history.ts";
import { RecordedRun } from "./support/recorded-run.ts";

const root = mkdtempSync(join(tmpdir(), "almanac-histories-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function record(what: string, stores: Stores, publishes: number): Promise<void> {
  const run = new RecordedRun(stores);
  await run.play(publishes);
  const { reads, seen, published } = run;
  console.log(
    `history on ${what}: ${published.length} versions, ${reads.length} reads by clients, ${seen.length} of public paths`,
  );
  expect(wrongOrder(reads, published, (version, path) => run.ofVersion(version, path))).toEqual([]);
  expect(untoldMixes(seen, (set) => run.readingsOf(set))).toEqual([]);
  expect(published.length).toBeGreaterThan(publishes / 3);
  expect(new Set(reads.map(({ version }) => version)).size).toBeGreaterThan(2);
  expect(reads.filter(({ isStale }) => isStale)).toEqual([]);
}

test("on a folder, no client sees versions decrease, or mixed states without an error", async () => {
  await record("a folder", storesIn(root), deep ? 200 : 12);
});

test.runIf(deep)("nor on S3", { timeout: 900_000 }, async () => {
  const s3 = await s3ForTests(atItsEnd);
  await record("S3", { site: s3.open(), vault: s3.open() }, 60);
});

test("the checker rejects a history with decreasing versions or another text", () => {
  const read = {
    client: "one",
    path: "a.json",
    begun: 5,
    ended: 6,
    version: 2,
    isStale: false,
    shown: "two",
  };
  const published = [
    { version: 1, at: 1 },
    { version: 2, at: 3 },
  ];
  const ofVersion = (version: number) => (version === 2 ? "two" : "one");
  const wrongIn = (...reads: readonly (typeof read)[]) => wrongOrder(reads, published, ofVersion).length;
  expect(wrongIn(read)).toBe(0);
  expect(wrongIn({ ...read, shown: "one" })).toBe(1);
  expect(wrongIn(read, { ...read, client: "two", begun: 7, ended: 8, version: 1, shown: "one" })).toBe(2);
  expect(wrongIn({ ...read, isStale: true, version: 1 })).toBe(0);
  expect(untoldMixes([{ path: "a.json", set: "s", shown: "two" }], () => new Set(["one"]))).toHaveLength(1);
});
