// The trial run's store: it keeps every promise of a store, and the one below never changes.
import { describe, expect, test } from "vitest";
import { openMemory } from "../../store/memory.ts";
import { openTrial } from "../../store/trial.ts";
import { absent, always, refused } from "../../store/store.ts";
import { bytes, keysOf, storeConformance, textAt } from "../support/store-conformance.ts";

const text = { type: "text/plain; charset=utf-8" };

storeConformance("trial", async () => ({ store: openTrial(openMemory()), dispose: async () => {} }), {
  races: 10,
  atOnce: 1,
});

describe("trial store", () => {
  test("shows what lies below with the changes on top, and leaves it as it was", async () => {
    const below = openMemory();
    for (const key of ["a.txt", "b.txt", "c.txt"]) await below.write(key, bytes("below"), text, always);
    const trial = openTrial(below);
    await trial.write("b.txt", bytes("changed"), text, always);
    await trial.write("d.txt", bytes("new"), text, absent);
    await trial.remove(["a.txt", "e.txt"]);
    expect(await keysOf(trial, "")).toEqual(["b.txt", "c.txt", "d.txt"]);
    expect(await Promise.all(["a.txt", "b.txt", "c.txt", "d.txt"].map((key) => textAt(trial, key)))).toEqual([
      undefined,
      "changed",
      "below",
      "new",
    ]);
    expect(await keysOf(below, "")).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect(await textAt(below, "b.txt")).toBe("below");
  });

  test("holds a condition against what lies below until it is written to", async () => {
    const below = openMemory();
    await below.write("a.txt", bytes("1"), text, always);
    const trial = openTrial(below);
    const version = (await trial.read("a.txt"))?.version ?? "";
    expect(await trial.write("a.txt", bytes("2"), text, absent)).toEqual({ kind: "refused" });
    expect(await trial.write("a.txt", bytes("2"), text, { kind: "version", version })).toMatchObject({
      kind: "written",
    });
    expect(await trial.write("a.txt", bytes("3"), text, { kind: "version", version })).toEqual({
      kind: "refused",
    });
  });

  test("tells of what is written and removed among what lies below it, in order", async () => {
    const below = openMemory();
    for (const key of ["a.txt", "c.txt", "e.txt"])
      await below.write(key, bytes(`below ${key}`), text, always);
    const layer = openTrial(below);
    await layer.write("b.txt", bytes("new"), text, always);
    await layer.write("c.txt", bytes("other"), text, always);
    await layer.remove(["e.txt"]);
    expect(await keysOf(layer, "")).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect((await layer.read("c.txt"))?.body).toEqual(bytes("other"));
    expect(await layer.read("e.txt")).toBeUndefined();
    expect(await keysOf(below, "")).toEqual(["a.txt", "c.txt", "e.txt"]);
    expect((await below.read("c.txt"))?.body).toEqual(bytes("below c.txt"));
  });

  test("holds a condition against what it shows, also of what was removed", async () => {
    const below = openMemory();
    await below.write("a.txt", bytes("below"), text, always);
    const layer = openTrial(below);
    const version = (await layer.read("a.txt"))?.version ?? "";
    const write = (when: Parameters<typeof layer.write>[3]) =>
      layer.write("a.txt", bytes("above"), text, when);
    expect(await write(absent)).toEqual(refused);
    expect(await write({ kind: "version", version })).toMatchObject({ kind: "written" });
    expect(await write({ kind: "version", version })).toEqual(refused);
    await layer.remove(["a.txt"]);
    expect(await write(absent)).toMatchObject({ kind: "written" });
  });
});
