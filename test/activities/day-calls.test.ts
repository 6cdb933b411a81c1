import { expect, test } from "vitest";
import { callsReserved, drawCall, reserveCalls } from "../../activities/day-calls.ts";
import { createVault } from "../../activities/vault.ts";
import { openMemory } from "../../store/memory.ts";
import { always } from "../../store/store.ts";

const day = "2026-11-21";

test("of those that draw a call at once as many get one as the ceiling has room for", async () => {
  const vault = createVault(openMemory());
  await reserveCalls(vault, day, { run: "almanac-nightly-2026-11-21", start: "one" }, 10);
  await reserveCalls(vault, day, { run: "almanac-backfill-hi", start: "two" }, 3);
  const drawn = await Promise.all(Array.from({ length: 30 }, () => drawCall(vault, day, 20)));
  expect(drawn.filter(Boolean)).toHaveLength(7);
  expect(await callsReserved(vault, day)).toBe(20);
  expect(await drawCall(vault, day, 21)).toBe(true);
  expect(await drawCall(vault, "2026-11-22", 1)).toBe(true);
});

test("a plan that took on all of a day, and more, leaves none to draw", async () => {
  const vault = createVault(openMemory());
  await reserveCalls(vault, day, { run: "almanac-nightly-2026-11-21" }, 25);
  expect(await drawCall(vault, day, 20)).toBe(false);
  expect(await callsReserved(vault, day)).toBe(25);
});

test("a damaged count is begun anew: it is not worth a night", async () => {
  const vault = createVault(openMemory());
  expect(await drawCall(vault, day, 2)).toBe(true);
  await vault.store.write(`calls/${day}/drawn.json`, Buffer.from("{"), { type: "" }, always);
  expect(await drawCall(vault, day, 2)).toBe(true);
  expect(await callsReserved(vault, day)).toBe(1);
});
