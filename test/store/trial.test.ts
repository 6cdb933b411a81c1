// The trial run's store: it keeps every promise of a store, and the one below never changes.
import { beforeEach, describe, expect, test } from "vitest";
import { type Store, WrongKey, absent, always, refused } from "../../store/store.ts";
import { openMemory } from "../support/memory.ts";
import { openTrial } from "../../store/trial.ts";
import { bytes, keysOf, textAt } from "../support/stores.ts";

const text = { type: "text/plain; charset=utf-8" };

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

  test("tells of each write that is taken", async () => {
    const told: string[] = [];
    const trial = openTrial(openMemory(), { tell: (key) => told.push(key) });
    await trial.write("a.txt", bytes("1"), text, absent);
    await trial.write("a.txt", bytes("2"), text, absent);
    expect(told).toEqual(["a.txt"]);
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

describe("a trial store that forgets", () => {
  const headers = { type: "text/html; charset=utf-8", cacheControl: "max-age=300" };
  let real: Store;
  let trial: Store;
  let told: [key: string, sizeBytes: number][];
  beforeEach(async () => {
    real = openMemory();
    told = [];
    trial = openTrial(real, { forgets: true, tell: (...write) => told.push(write) });
    await real.write("a.html", bytes("real"), headers, always);
  });

  test("tells each write with its size, and writes nothing", async () => {
    expect(await trial.write("b.html", bytes("12345"), headers, absent)).toMatchObject({ kind: "written" });
    expect(await trial.write("a.html", bytes("others"), headers, always)).toMatchObject({ kind: "written" });
    expect(told).toEqual([
      ["b.html", 5],
      ["a.html", 6],
    ]);
    expect(await keysOf(trial, "")).toEqual(["a.html"]);
    expect(await textAt(trial, "a.html")).toBe("real");
  });

  test("answers a write with the version that the real one would", async () => {
    const tried = await trial.write("b.html", bytes("text"), headers, always);
    expect(tried).toEqual(await real.write("b.html", bytes("text"), headers, always));
  });

  test("refuses what the real store would refuse, and tells nothing of it", async () => {
    const stale = { kind: "version", version: "stale" } as const;
    expect(await trial.write("a.html", bytes("new"), headers, absent)).toEqual({ kind: "refused" });
    expect(await trial.write("a.html", bytes("new"), headers, stale)).toEqual({ kind: "refused" });
    expect(told).toEqual([]);
  });

  test("lets a conditional write from the real version through", async () => {
    const version = (await real.read("a.html"))?.version ?? "";
    const when = { kind: "version", version } as const;
    expect(await trial.write("a.html", bytes("new"), headers, when)).toMatchObject({ kind: "written" });
    expect(told).toEqual([["a.html", 3]]);
  });

  test("removes nothing", async () => {
    await trial.remove(["a.html", "b.html"]);
    expect(await keysOf(trial, "")).toEqual(["a.html"]);
    expect(await keysOf(real, "")).toEqual(["a.html"]);
  });

  test("refuses what is no key, as the real store does", async () => {
    await expect(trial.write("../a.html", bytes(""), headers, always)).rejects.toThrow(WrongKey);
    await expect(trial.remove(["a.html", "../a.html"])).rejects.toThrow(WrongKey);
    expect(told).toEqual([]);
  });
});
