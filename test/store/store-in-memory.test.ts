// The memory store's own feature, not covered by the suite (store-conformance.test.ts): its clock.
import { expect, test } from "vitest";
import { always } from "../../store/store.ts";
import { openMemory } from "../support/memory.ts";
import { bytes, keysOf, listingOf } from "../support/stores.ts";

test("every memory store is its own", async () => {
  const [one, other] = [openMemory(), openMemory()];
  await one.write("a.txt", bytes("mine"), { type: "text/plain" }, always);
  expect(await keysOf(other, "")).toEqual([]);
});

test("the memory store's times are those of the clock it was given", async () => {
  const store = openMemory(() => new Date("2026-11-21T03:05:00Z"));
  await store.write("a.txt", bytes("text"), { type: "text/plain" }, always);
  expect(await listingOf(store, "")).toMatchObject([
    { key: "a.txt", sizeBytes: 4, modifiedAt: new Date("2026-11-21T03:05:00Z") },
  ]);
});
