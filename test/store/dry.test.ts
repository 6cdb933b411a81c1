// The trial run's store: what it tells, and that nothing happens.
import { beforeEach, describe, expect, test } from "vitest";
import { openDry, type Told } from "../../store/dry.ts";
import { openMemory } from "../../store/memory.ts";
import { absent, always, type Store, WrongKey } from "../../store/store.ts";
import { bytes, keysOf, readingConformance, textAt } from "../support/store-conformance.ts";

const headers = { type: "text/html; charset=utf-8", cacheControl: "max-age=300" };

readingConformance("dry", async () => {
  const filler = openMemory();
  return { store: openDry(filler, () => {}), filler, dispose: async () => {} };
});

describe("dry store", () => {
  let real: Store;
  let dry: Store;
  let told: Told[];
  beforeEach(async () => {
    real = openMemory();
    told = [];
    dry = openDry(real, (each) => told.push(each));
    await real.write("a.html", bytes("real"), headers, always);
  });

  test("tells each write with size, headers and condition, and writes nothing", async () => {
    expect(await dry.write("b.html", bytes("12345"), headers, absent)).toMatchObject({ kind: "written" });
    expect(await dry.write("a.html", bytes("other"), headers, always)).toMatchObject({ kind: "written" });
    expect(told).toEqual([
      { kind: "write", key: "b.html", sizeBytes: 5, headers, when: absent },
      { kind: "write", key: "a.html", sizeBytes: 5, headers, when: always },
    ]);
    expect(await keysOf(dry, "")).toEqual(["a.html"]);
    expect(await textAt(dry, "a.html")).toBe("real");
  });

  test("answers a write with the version that the real one would", async () => {
    const tried = await dry.write("b.html", bytes("text"), headers, always);
    expect(tried).toEqual(await real.write("b.html", bytes("text"), headers, always));
  });

  test("refuses what the real store would refuse, and tells nothing of it", async () => {
    const stale = { kind: "version", version: "stale" } as const;
    expect(await dry.write("a.html", bytes("new"), headers, absent)).toEqual({ kind: "refused" });
    expect(await dry.write("a.html", bytes("new"), headers, stale)).toEqual({ kind: "refused" });
    expect(told).toEqual([]);
  });

  test("lets a swap from the real version through", async () => {
    const version = (await real.read("a.html"))?.version ?? "";
    const when = { kind: "version", version } as const;
    expect(await dry.write("a.html", bytes("new"), headers, when)).toMatchObject({ kind: "written" });
    expect(told).toMatchObject([{ key: "a.html", when }]);
  });

  test("tells each removal and removes nothing", async () => {
    await dry.remove(["a.html", "b.html"]);
    expect(told).toEqual([
      { kind: "remove", key: "a.html" },
      { kind: "remove", key: "b.html" },
    ]);
    expect(await keysOf(real, "")).toEqual(["a.html"]);
  });

  test("refuses what is no key, as the real store does", async () => {
    await expect(dry.write("../a.html", bytes(""), headers, always)).rejects.toThrow(WrongKey);
    await expect(dry.remove(["a.html", "../a.html"])).rejects.toThrow(WrongKey);
    expect(told).toEqual([]);
  });
});
