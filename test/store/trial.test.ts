// The trial run's store: it keeps every promise of a store, and the one below never changes.
import { describe, expect, test } from "vitest";
import { openMemory } from "../../store/memory.ts";
import { openTrial } from "../../store/trial.ts";
import { absent, always } from "../../store/store.ts";
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
});
