import { expect, test } from "vitest";
import { always } from "../../store/store.ts";
import { callsTakenOn, drawCall, hasTakenOn, settleCalls, takeOnCalls } from "../../vault/call-notes.ts";
import { createVault } from "../../vault/vault.ts";
import { openMemory } from "../support/memory.ts";

const day = "2026-11-21";

test("of concurrent draws, only as many succeed as the ceiling allows", async () => {
  const vault = createVault(openMemory(), "almanac");
  await takeOnCalls(vault, day, { run: "almanac-nightly-2026-11-21", start: "one" }, { wanted: 10 });
  await takeOnCalls(vault, day, { run: "almanac-backfill-hi", start: "two" }, { wanted: 3 });
  const drawn = await Promise.all(Array.from({ length: 30 }, () => drawCall(vault, day, 20)));
  expect(drawn.filter(Boolean)).toHaveLength(7);
  expect(await callsTakenOn(vault, day)).toBe(20);
  expect(await drawCall(vault, day, 21)).toBe(true);
  expect(await drawCall(vault, "2026-11-22", 1)).toBe(true);
});

test("a plan that used up a day or more leaves no calls to draw", async () => {
  const vault = createVault(openMemory(), "almanac");
  await takeOnCalls(vault, day, { run: "almanac-nightly-2026-11-21" }, { wanted: 25 });
  expect(await drawCall(vault, day, 20)).toBe(false);
  expect(await callsTakenOn(vault, day)).toBe(25);
});

test("a damaged count starts again, because it is not worth a night", async () => {
  const vault = createVault(openMemory(), "almanac");
  expect(await drawCall(vault, day, 2)).toBe(true);
  await vault.store.write(`calls/${day}.json`, Buffer.from("{"), { type: "" }, always);
  expect(await drawCall(vault, day, 2)).toBe(true);
  expect(await callsTakenOn(vault, day)).toBe(1);
});

test("of starts that take on calls at once each has what the ceiling leaves to it, and one that is planned again has no less", async () => {
  const vault = createVault(openMemory(), "almanac");
  const take = (start: string) =>
    takeOnCalls(vault, day, { run: "almanac-nightly-2026-11-21", start }, { wanted: 8, ceiling: 20 });
  const taken = await Promise.all(["one", "two", "three", "four"].map(take));
  expect(taken.toSorted((one, other) => one - other)).toEqual([0, 4, 8, 8]);
  expect(await Promise.all(["one", "two", "three", "four"].map(take))).toEqual(taken);
  expect(await callsTakenOn(vault, day)).toBe(20);
});

test("a plan that comes late, after a retry was made and calls were asked for, gives none of these back", async () => {
  const vault = createVault(openMemory(), "almanac");
  const start = { run: "almanac-nightly-2026-11-21", start: "one" };
  expect(await takeOnCalls(vault, day, start, { wanted: 2, ceiling: 2 })).toBe(2);
  expect(await takeOnCalls(vault, day, start, { wanted: 1, ceiling: 2 })).toBe(1); // it saw one of them kept
  const other = { run: "almanac-backfill-hi", start: "two" };
  expect(await takeOnCalls(vault, day, other, { wanted: 1, ceiling: 2 })).toBe(0);
});

test("an ended start keeps the calls that it made, however often that is reported, and others keep theirs", async () => {
  const vault = createVault(openMemory(), "almanac");
  const run = "almanac-nightly-2026-11-21";
  for (const start of ["one", "one-rest", "two"])
    await takeOnCalls(vault, day, { run, start }, { wanted: 10 });
  await drawCall(vault, day, 100);
  await settleCalls(vault, day, { run, start: "one" }, 12);
  await settleCalls(vault, day, { run, start: "one" }, 12);
  expect(await callsTakenOn(vault, day)).toBe(12 + 10 + 1);
  expect(await callsTakenOn(vault, day, { run, start: "one" })).toBe(10 + 1);
  await settleCalls(vault, day, { run, start: "one" }, 20); // no more than it took on
  await settleCalls(vault, day, { run, start: "none" }, 0);
  expect(await callsTakenOn(vault, day)).toBe(12 + 10 + 1);
});

test("a run is not known on a day on which its plan took on nothing, for which it is made again on the next", async () => {
  const vault = createVault(openMemory(), "almanac");
  const start = { run: "almanac-backfill", start: "1" };
  await takeOnCalls(vault, "2026-11-22", start, { wanted: 2, ceiling: 0 });
  await takeOnCalls(vault, "2026-11-23", start, { wanted: 2 });
  expect(await hasTakenOn(vault, "2026-11-22", "almanac-backfill")).toBe(false);
  expect(await hasTakenOn(vault, "2026-11-23", "almanac-backfill")).toBe(true);
});

test("a run is known on the day of its plan, by its whole name, and on no other", async () => {
  const vault = createVault(openMemory(), "almanac");
  const run = "almanac-nightly-2026-11-21";
  await takeOnCalls(vault, day, { run, start: "one" }, { wanted: 1 });
  expect(await hasTakenOn(vault, day, run)).toBe(true);
  expect(await hasTakenOn(vault, day, "almanac-nightly-2026-11-2")).toBe(false);
  expect(await hasTakenOn(vault, "2026-11-22", run)).toBe(false);
});
