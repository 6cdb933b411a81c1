// The layer over a store: what it shows, that conditions hold on what it shows, and that nothing reaches the store below.
import { expect, test } from "vitest";
import { openMemory } from "../../store/memory.ts";
import { openOver } from "../../store/over.ts";
import { absent, always, refused } from "../../store/store.ts";
import { bytes, keysOf } from "../support/store-conformance.ts";

test("what is written and removed is seen through the layer alone", async () => {
  const below = openMemory();
  for (const key of ["a.txt", "c.txt", "e.txt"])
    await below.write(key, bytes(`below ${key}`), { type: "text/plain" }, always);
  const over = openOver(below);
  await over.write("b.txt", bytes("new"), { type: "text/plain" }, always);
  await over.write("c.txt", bytes("other"), { type: "text/plain" }, always);
  await over.remove(["e.txt"]);
  expect(await keysOf(over, "")).toEqual(["a.txt", "b.txt", "c.txt"]);
  expect((await over.read("c.txt"))?.body).toEqual(bytes("other"));
  expect(await over.read("e.txt")).toBeUndefined();
  expect(await keysOf(below, "")).toEqual(["a.txt", "c.txt", "e.txt"]);
  expect((await below.read("c.txt"))?.body).toEqual(bytes("below c.txt"));
});

test("a condition is held against what the layer shows", async () => {
  const below = openMemory();
  await below.write("a.txt", bytes("below"), { type: "text/plain" }, always);
  const over = openOver(below);
  const version = (await over.read("a.txt"))?.version ?? "";
  const write = (when: Parameters<typeof over.write>[3]) =>
    over.write("a.txt", bytes("above"), { type: "text/plain" }, when);
  expect(await write(absent)).toEqual(refused);
  expect(await write({ kind: "version", version })).toMatchObject({ kind: "written" });
  expect(await write({ kind: "version", version })).toEqual(refused);
  await over.remove(["a.txt"]);
  expect(await write(absent)).toMatchObject({ kind: "written" });
});
