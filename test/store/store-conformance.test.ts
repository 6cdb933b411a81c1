// Promises of every store, as one suite that runs on each of them. Publishing depends on these promises.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fence, type Store, WrongKey, LeaseLost } from "../../store/store.ts";
import { openFolder } from "../../store/folder.ts";
import { createFence, fenced } from "../../store/lease.ts";
import { settingForms } from "../../store/kinds.ts";
import { openMemory } from "../support/memory.ts";
import { openTrial } from "../../store/trial.ts";
import { deep } from "../support/deep.ts";
import { disk } from "../support/disk.ts";
import { s3ForTests } from "../support/s3.ts";
import { bytes, listingOf, textAt } from "../support/stores.ts";

interface Opened {
  readonly store: Store;
  /** Writes content that the store then shows; needed only if the store itself writes nothing. */
  readonly filler?: Store;
  /** Opens the same location again, if content outlives the first instance. */
  readonly reopen?: () => Promise<Store>;
  readonly dispose: () => Promise<void>;
}

const text = { type: "text/plain; charset=utf-8" };
const json = { type: "application/json", cacheControl: "max-age=300" };
const always = { kind: "always" } as const;
const absent = { kind: "absent" } as const;
const ifVersion = (version: string) => ({ kind: "version", version }) as const;

const put = (store: Store, key: string, content: string) => store.write(key, bytes(content), text, always);

async function versionAt(store: Store, key: string): Promise<string> {
  const stored = await store.read(key);
  if (stored === undefined) throw new Error(`${key} holds nothing`);
  return stored.version;
}

/** Invalid keys. */
async function refusedOf(
  keys: readonly string[],
  work: (key: string) => Promise<unknown>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const key of keys) {
    await work(key).catch((error: unknown) => error instanceof WrongKey && wrong.push(key));
  }
  return wrong;
}

const badKeys = [
  "",
  "/",
  "/a.txt",
  "a.txt/",
  "a//b.txt",
  "./a.txt",
  "../a.txt",
  "a/../b.txt",
  "a/./b.txt",
  "..",
  ".hidden",
  ".writing/a.txt",
  ".well-known",
  ".well-known.d/a.txt",
  "a/.b.txt",
  "a..txt",
  "a.txt.",
  "noextension",
  "a.b/c.txt",
  "a b.txt",
  "a\\b.txt",
  "a\0.txt",
  "a\n.txt",
  "a%2e.txt",
  "ä.txt",
  "a:b.txt",
  `${"n".repeat(197)}.txt`,
  `${"n".repeat(201)}/a.txt`,
  `${"folder/".repeat(130)}a.txt`,
];

/** Stores that keep all promises; those that a setting can name are listed under the form of that setting. */
const tried: string[] = [];

/** For every store, including the dry-run store. */
function readingConformance(name: string, open: () => Promise<Opened>): void {
  describe(`${name} store, reading`, () => {
    let opened: Opened;
    let store: Store;
    let filler: Store;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      filler = opened.filler ?? opened.store;
    });
    afterEach(() => opened.dispose());

    test("reads back the bytes that were written, at any depth", async () => {
      await put(filler, "pointer.json", "{}");
      await put(filler, "v1/hi/daily/2026-11-21/aries.json", "मेष");
      expect(await textAt(store, "pointer.json")).toBe("{}");
      expect(await textAt(store, "v1/hi/daily/2026-11-21/aries.json")).toBe("मेष");
    });

    test("answers nothing for a key that was never written", async () => {
      await put(filler, "a/b.txt", "here");
      expect(await store.read("a/c.txt")).toBeUndefined();
      expect(await store.read("b/b.txt")).toBeUndefined();
      expect(await store.read("a.txt")).toBeUndefined();
    });

    test("keeps an empty body, which is something else than nothing", async () => {
      await filler.write("empty.txt", new Uint8Array(), text, always);
      expect((await store.read("empty.txt"))?.body).toEqual(new Uint8Array());
      expect(await listingOf(store, "")).toMatchObject([{ key: "empty.txt", sizeBytes: 0 }]);
    });

    test("keeps every byte value as it is, and answers plain bytes", async () => {
      const body = Uint8Array.from({ length: 1024 }, (_, index) => index % 256);
      await filler.write("all.bin", body, { type: "application/octet-stream" }, always);
      expect((await store.read("all.bin"))?.body).toStrictEqual(body);
    });

    test("keeps a body of 5 MiB", async () => {
      const body = new Uint8Array(5 * 1024 * 1024).map((_, index) => (index * 31) % 251);
      await filler.write("large.bin", body, { type: "application/octet-stream" }, always);
      const stored = await store.read("large.bin");
      expect(stored !== undefined && Buffer.compare(stored.body, body)).toBe(0);
    });

    test("answers bytes of the caller's own: changing them changes nothing kept", async () => {
      await put(filler, "a.txt", "untouched");
      const first = await store.read("a.txt");
      first?.body.fill(0);
      expect(await textAt(store, "a.txt")).toBe("untouched");
    });

    test("lists nothing where nothing is", async () => {
      expect(await keysOf(store, "")).toEqual([]);
      expect(await keysOf(store, "en/")).toEqual([]);
    });

    test("lists key, size and the time of the last write", async () => {
      const before = Date.now();
      await put(filler, "en/index.html", "12345");
      const [listed, ...others] = await listingOf(store, "en/");
      expect(others).toEqual([]);
      expect(listed).toMatchObject({ key: "en/index.html", sizeBytes: 5 });
      expect(Math.abs((listed?.modifiedAt.getTime() ?? 0) - before)).toBeLessThan(10_000);
    });

    test("lists another tag for other bytes, also of the same length, and the same one while nothing is written", async () => {
      const tags: (string | undefined)[] = [];
      const look = async () => tags.push((await listingOf(store, "en/"))[0]?.tag);
      for (const words of ["12345", "12346", "54321"]) {
        await put(filler, "en/index.html", words);
        await look();
        await look();
      }
      await filler.remove(["en/index.html"]);
      await put(filler, "en/index.html", "00000");
      await look();
      expect(tags.every((tag) => tag !== undefined)).toBe(true);
      expect(tags.filter((tag, place) => tag !== tags[place - 1])).toHaveLength(4);
      expect(new Set(tags).size).toBe(4);
    });

    test("takes a prefix as the characters a key begins with, not as a folder", async () => {
      const keys = [
        "en/daily.json",
        "en/daily/aries.json",
        "en/dawn.json",
        "en/weekly/aries.json",
        "end.json",
      ];
      const hidden = ".well-known/security.txt";
      for (const key of [...keys, hidden]) await put(filler, key, key);
      expect(await keysOf(store, "en")).toEqual(keys);
      expect(await keysOf(store, ".well-known/")).toEqual([hidden]);
      expect(await keysOf(store, "en/")).toEqual(keys.slice(0, 4));
      expect(await keysOf(store, "en/da")).toEqual(keys.slice(0, 3));
      expect(await keysOf(store, "en/daily/")).toEqual(["en/daily/aries.json"]);
      expect(await keysOf(store, "en/daily/aries.json")).toEqual(["en/daily/aries.json"]);
      expect(await keysOf(store, "en/daily.json/")).toEqual([]);
      expect(await keysOf(store, "n/daily")).toEqual([]);
    });

    test("lists nothing for a prefix that no key can have, and looks nowhere else", async () => {
      await put(filler, "a/b.txt", "here");
      for (const prefix of ["/", "../", "./", "a/../", "a//", ".writing/", "a/./b", " ", "a\0"]) {
        expect({ prefix, keys: await keysOf(store, prefix) }).toEqual({ prefix, keys: [] });
      }
    });

    test("lists in the order of the keys' characters, also where a folder's name begins another's", async () => {
      // "+", "-" and "." sort before "/", all others after it: an order by folders would differ.
      const keys = [
        "a+b.txt",
        "a-b/c.txt",
        "a-b/d.txt",
        "a.txt",
        "a/b.txt",
        "a/b/c.txt",
        "a0.txt",
        "a=b/c.txt",
      ];
      const more = ["B/a.txt", "_/a.txt", "a~.txt", "~.txt", "@.txt"];
      for (const key of [...keys, ...more].toReversed()) await put(filler, key, key);
      expect(await keysOf(store, "")).toEqual([...keys, ...more].sort());
    });

    test("lists more keys than a bucket gives in one answer, each once", async () => {
      const keys = Array.from({ length: 1100 }, (_, index) => `objects/${index}.json`);
      await inParallel(keys, 32, (key) => put(filler, key, "{}"));
      expect(await keysOf(store, "objects/")).toEqual(keys.sort());
    });

    test("refuses to read what is no key, before anything is looked at", async () => {
      expect(await refusedOf(badKeys, (key) => store.read(key))).toEqual(badKeys);
    });
  });
}

/** The keys, which a listing with the facts has as well. */
async function keysOf(store: Store, prefix: string): Promise<string[]> {
  const keys = await Array.fromAsync(store.keys(prefix));
  expect((await listingOf(store, prefix)).map(({ key }) => key)).toEqual(keys);
  return keys;
}

interface Counts {
  readonly races: number;
  readonly atOnce: number;
  /** Writers that count up one value at once: each is in the others' way, so the cost grows with the square. */
  readonly increments?: number;
  /** Number of reads during the writes. */
  readonly turns?: number;
}

/**
 * For every store that retains its content. `races` is the number of races among twelve writers, and `atOnce` the number of keys
 * with concurrent races: if a race takes seconds of waiting, many run together.
 */
function storeConformance(
  name: string,
  open: () => Promise<Opened>,
  { races, atOnce, increments = 30, turns = 40 }: Counts = { races: 100, atOnce: 1 },
): void {
  tried.push(name);
  readingConformance(name, open);
  if (name !== "trial") fenceConformance(name, open); // its writes stay in this process

  describe(`${name} store, writing`, () => {
    let opened: Opened;
    let store: Store;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    /** A second instance, as if in another process, if the store can be reopened. */
    const another = async () => (await opened.reopen?.()) ?? store;

    test("shows another opening of the same place what was written", async () => {
      await put(store, "a/b.txt", "kept");
      const other = await another();
      expect(await textAt(other, "a/b.txt")).toBe("kept");
      expect(await keysOf(other, "")).toEqual(["a/b.txt"]);
      expect(await versionAt(other, "a/b.txt")).toBe(await versionAt(store, "a/b.txt"));
    });

    test("replaces what was there when asked without condition", async () => {
      await put(store, "a.txt", "a long first text");
      await put(store, "a.txt", "short");
      expect(await textAt(store, "a.txt")).toBe("short");
      expect(await listingOf(store, "")).toMatchObject([{ key: "a.txt", sizeBytes: 5 }]);
    });

    test("answers a write with the version that a read then answers", async () => {
      const written = await put(store, "a.txt", "one");
      expect(written).toEqual({ kind: "written", version: await versionAt(store, "a.txt") });
    });

    test("changes the version with the bytes, even when size and moment are the same", async () => {
      const versions = new Set<string>();
      for (let index = 0; index < 50; index++) {
        await put(store, "a.txt", String(index).padStart(4, "0"));
        versions.add(await versionAt(store, "a.txt"));
      }
      expect(versions.size).toBe(50);
    });

    test("creates only where nothing is, and leaves what is there as it was", async () => {
      expect(await store.write("a.txt", bytes("first"), text, absent)).toMatchObject({ kind: "written" });
      expect(await store.write("a.txt", bytes("second"), text, absent)).toEqual({ kind: "refused" });
      expect(await textAt(store, "a.txt")).toBe("first");
    });

    test("creates again after a removal", async () => {
      await store.write("a.txt", bytes("first"), text, absent);
      await store.remove(["a.txt"]);
      expect(await store.write("a.txt", bytes("second"), text, absent)).toMatchObject({ kind: "written" });
      expect(await textAt(store, "a.txt")).toBe("second");
    });

    test("swaps when the version is still the one that was read", async () => {
      await put(store, "pointer.json", "1");
      const first = await versionAt(store, "pointer.json");
      const swapped = await store.write("pointer.json", bytes("2"), json, ifVersion(first));
      expect(swapped).toEqual({ kind: "written", version: await versionAt(store, "pointer.json") });
      expect(await textAt(store, "pointer.json")).toBe("2");
    });

    test("reports a stale conditional write and leaves the newer value", async () => {
      await put(store, "pointer.json", "1");
      const stale = await versionAt(store, "pointer.json");
      await put(store, "pointer.json", "2");
      expect(await store.write("pointer.json", bytes("3"), json, ifVersion(stale))).toEqual({
        kind: "refused",
      });
      expect(await textAt(store, "pointer.json")).toBe("2");
    });

    test("refuses a conditional write where nothing is, or nothing any more, and leaves nothing there", async () => {
      await put(store, "a/pointer.json", "1");
      const version = await versionAt(store, "a/pointer.json");
      await store.remove(["a/pointer.json"]);
      for (const key of ["a/pointer.json", "b/c/never.json"]) {
        expect(await store.write(key, bytes("2"), json, ifVersion(version))).toEqual({ kind: "refused" });
      }
      expect(await keysOf(store, "")).toEqual([]);
    });

    /** Several sequences of races on separate keys, `races` in all. */
    const inLines = async (line: (at: number, rounds: number) => Promise<void>) =>
      Promise.all(Array.from({ length: atOnce }, (_, at) => line(at, Math.ceil(races / atOnce))));

    test(`lets exactly one of 12 simultaneous conditional writes win, ${races} times`, async () => {
      const stores = [store, await another(), await another()];
      await inLines(async (at, rounds) => {
        const key = `pointer-${at}.json`;
        await put(store, key, "start");
        for (let round = 0; round < rounds; round++) {
          const condition = ifVersion(await versionAt(store, key));
          const answers = await Promise.all(
            Array.from({ length: 12 }, (_, writer) =>
              (stores[writer % 3] ?? store).write(key, bytes(`${round} ${writer}`), json, condition),
            ),
          );
          const winners = answers.flatMap((answer, writer) => (answer.kind === "written" ? [writer] : []));
          expect(winners).toHaveLength(1);
          expect(await textAt(store, key)).toBe(`${round} ${winners[0]}`);
        }
      });
    });

    test(`lets exactly one of 12 simultaneous creations win, ${races} times`, async () => {
      const stores = [store, await another(), await another()];
      await inLines(async (at, rounds) => {
        for (let round = 0; round < rounds; round++) {
          const key = `round-${at}/${round}.txt`;
          const answers = await Promise.all(
            Array.from({ length: 12 }, (_, writer) =>
              (stores[writer % 3] ?? store).write(key, bytes(String(writer)), text, absent),
            ),
          );
          const winners = answers.flatMap((answer, writer) => (answer.kind === "written" ? [writer] : []));
          expect(winners).toHaveLength(1);
          expect(await textAt(store, key)).toBe(String(winners[0]));
        }
      });
    });

    test("loses no conditional write next to writes and removals of the same key", async () => {
      // A swap that returned "written" replaced exactly the value it had read, so every increment counts, despite concurrent ones.
      await put(store, "count.txt", "0");
      const elsewhere = await another();
      const disturb = async (turn: number) => {
        await put(elsewhere, "other.txt", String(turn));
        await elsewhere.remove(["other.txt", "missing.txt"]);
        await elsewhere.write("count.txt", bytes("wrong"), text, absent);
      };
      const increment = async (by: Store): Promise<void> => {
        const stored = await by.read("count.txt");
        if (stored === undefined) throw new Error("the counter is gone");
        const next = bytes(String(Number(new TextDecoder().decode(stored.body)) + 1));
        const answer = await by.write("count.txt", next, text, ifVersion(stored.version));
        if (answer.kind === "refused") await increment(by);
      };
      const all = Array.from({ length: increments }, (_, turn) => turn);
      await Promise.all(
        all.flatMap((turn) => [increment(turn % 2 === 0 ? store : elsewhere), disturb(turn)]),
      );
      expect(await textAt(store, "count.txt")).toBe(String(increments));
    });

    test("never shows a reader half a value", async () => {
      const sizeBytes = 1024 * 1024;
      const value = (fill: number) => new Uint8Array(sizeBytes + fill).fill(fill);
      await store.write("large.bin", value(0), text, always);
      const written = new AbortController();
      const write = async () => {
        for (let fill = 1; fill <= turns; fill++) await store.write("large.bin", value(fill), text, always);
        written.abort();
      };
      const seen = new Set<number>();
      const read = async (from: Store) => {
        while (!written.signal.aborted) {
          const body = (await from.read("large.bin"))?.body ?? new Uint8Array();
          const fill = body[0] ?? -1;
          expect(body.length).toBe(sizeBytes + fill);
          expect(Buffer.compare(body, value(fill))).toBe(0);
          seen.add(fill);
        }
      };
      await Promise.all([write(), read(store), read(await another())]);
      expect(seen.size).toBeGreaterThan(1);
    });

    test("lists all that was there all the time, while others overwrite, add and remove", async () => {
      const lasting = Array.from({ length: 150 }, (_, index) => `objects/${index}.json`).sort();
      await inParallel(lasting, 16, (key) => put(store, key, "{}"));
      const elsewhere = await another();
      const listed = new AbortController();
      const disturb = async () => {
        for (let turn = 0; !listed.signal.aborted; turn++) {
          const passing = [`objects/${turn % 7}-passing.json`, `passing-${turn % 5}/${turn}.json`];
          for (const key of passing) await put(elsewhere, key, "{}");
          await put(elsewhere, lasting[(turn * 37) % lasting.length] ?? "", "{}");
          await elsewhere.remove(passing);
        }
      };
      const list = async () => {
        for (let turn = 0; turn < turns; turn++) {
          const isListed = turn % 2 === 0;
          const keys = isListed
            ? (await listingOf(store, "")).map(({ key }) => key)
            : await Array.fromAsync(store.keys(""));
          expect(keys).toEqual([...new Set(keys)].sort());
          expect(keys.filter((key) => !key.includes("passing"))).toEqual(lasting);
        }
        listed.abort();
      };
      await Promise.all([list(), disturb()]);
    });

    test("changes no bytes that it is given, and keeps its own", async () => {
      const body = new Uint8Array(1000).fill(1);
      const written = await store.write("a.bin", body, text, always);
      expect(written).toMatchObject({ version: await versionAt(store, "a.bin") });
      expect(body).toStrictEqual(new Uint8Array(1000).fill(1));
      body.fill(2);
      expect((await store.read("a.bin"))?.body).toStrictEqual(new Uint8Array(1000).fill(1));
    });

    test("takes a view on a larger buffer as what it shows", async () => {
      const whole = bytes("before|inside|after");
      await store.write("view.txt", whole.subarray(7, 13), text, always);
      expect(await textAt(store, "view.txt")).toBe("inside");
    });

    test("renews the age of what is written again, even with the same bytes", async () => {
      const ageOf = async (key: string) => (await listingOf(store, key))[0]?.modifiedAt.getTime() ?? 0;
      await put(store, "old.txt", "same");
      const first = await ageOf("old.txt");
      await expect
        .poll(async () => (await put(store, "old.txt", "same"), ageOf("old.txt")))
        .toBeGreaterThan(first);
    });

    test("removes what it is told to and nothing else", async () => {
      for (const key of ["a/1.txt", "a/2.txt", "a/b/3.txt", "a.txt"]) await put(store, key, key);
      await store.remove(["a/1.txt", "a/b/3.txt"]);
      expect(await keysOf(store, "")).toEqual(["a.txt", "a/2.txt"]);
      expect(await store.read("a/1.txt")).toBeUndefined();
    });

    test("takes removing what is not there, or nothing at all, as done", async () => {
      await put(store, "a.txt", "stays");
      await store.remove([]);
      await store.remove(["b.txt", "a/b/c.txt"]);
      await store.remove(["b.txt"]);
      expect(await keysOf(store, "")).toEqual(["a.txt"]);
    });

    test("removes hundreds of keys at a stroke", async () => {
      const keys = Array.from({ length: 250 }, (_, index) => `old/${index % 10}/${index}.txt`);
      await inParallel(keys, 32, (key) => put(store, key, ""));
      await put(store, "new.txt", "");
      await store.remove(keys);
      expect(await keysOf(store, "")).toEqual(["new.txt"]);
    });

    test("refuses to write or remove what is no key, and keeps nothing of it", async () => {
      await put(store, "good.txt", "stays");
      expect(await refusedOf(badKeys, (key) => put(store, key, "bad"))).toEqual(badKeys);
      expect(await refusedOf(badKeys, (key) => store.remove(["good.txt", key]))).toEqual(badKeys);
      expect(await keysOf(store, "")).toEqual(["good.txt"]);
    });

    test("keeps any set of keys apart, the longest ones too", async () => {
      const folder = fc.stringMatching(/^[\w~@=+-]{1,12}$/);
      const file = fc.stringMatching(/^[\w~@=+-]{1,8}(?:\.[\w~@=+-]{1,4}){1,2}$/);
      const key = fc
        .tuple(fc.array(folder, { maxLength: 4 }), file)
        .map(([folders, last]) => [...folders, last].join("/"));
      const longest = `${"f".repeat(200)}/${"g".repeat(200)}/${"h".repeat(200)}/${"i".repeat(96)}/${"n".repeat(196)}.txt`;
      const several = fc.uniqueArray(key, {
        minLength: 1,
        maxLength: 6,
        selector: (each) => each.toLowerCase(),
      });
      await fc.assert(
        fc.asyncProperty(several, async (some) => {
          const keys = [...some, longest];
          for (const each of keys) await put(store, each, each);
          for (const each of keys) expect(await textAt(store, each)).toBe(each);
          expect(await keysOf(store, "")).toEqual(keys.toSorted());
          await store.remove(keys);
          expect(await keysOf(store, "")).toEqual([]);
        }),
        { numRuns: 10 },
      );
    });
  });
}

/** For every store that a publisher writes to. */
function fenceConformance(name: string, open: () => Promise<Opened>): void {
  describe(`${name} store, fenced`, () => {
    let opened: Opened;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.dispose());

    test("begins no write and no removal before the fence lets it", async () => {
      const { store } = opened;
      await put(store, "old.txt", "old");
      const renewal = Promise.withResolvers<void>();
      const fence = createFence({ enough: () => renewal.promise });
      const behind = fenced(store, fence);
      const calls = [
        behind.write("a.txt", bytes("a"), text, always),
        behind.write("b.txt", bytes("b"), text, absent),
        behind.write("old.txt", bytes("new"), text, ifVersion(await versionAt(store, "old.txt"))),
        behind.remove(["old.txt"]),
      ];
      await put(store, "other.txt", "written meanwhile");
      expect(await keysOf(behind, "")).toEqual(["old.txt", "other.txt"]);
      expect(await textAt(behind, "old.txt")).toBe("old");
      renewal.resolve();
      await Promise.all(calls);
      await fence.idle();
      expect(await store.read("a.txt")).toBeDefined();
      expect(await store.read("b.txt")).toBeDefined();
    });

    test("writes and removes nothing once the lease is lost, and says so by the lease's own error", async () => {
      const { store } = opened;
      await put(store, "a.txt", "old");
      const lost = new LeaseLost("sites/almanac/lease.json", "another process has it");
      const behind = fenced(store, createFence({ enough: () => Promise.reject(lost) }));
      for (const when of [always, ifVersion(await versionAt(store, "a.txt"))])
        await expect(behind.write("a.txt", bytes("new"), text, when)).rejects.toBe(lost);
      await expect(behind.remove(["a.txt"])).rejects.toBe(lost);
      expect(await textAt(store, "a.txt")).toBe("old");
    });

    test("marks each attempt as answered, also one that is refused", async () => {
      const { store } = opened;
      const marks: string[] = [];
      const fence: Fence = {
        async begin() {
          marks.push("begun");
          return () => marks.push("answered");
        },
      };
      const behind = fenced(store, fence);
      await behind.write("a.txt", bytes("a"), text, absent);
      expect(await behind.write("a.txt", bytes("b"), text, absent)).toEqual({ kind: "refused" });
      await behind.remove(["a.txt"]);
      expect(marks).toEqual(["begun", "answered", "begun", "answered", "begun", "answered"]);
    });
  });
}

async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

const s3 = await s3ForTests();
let opened = 0;

storeConformance("memory", async () => ({ store: openMemory(), dispose: async () => {} }));
storeConformance("file:<folder>", () => inFolder());
storeConformance("trial", async () => ({ store: openTrial(openMemory()), dispose: async () => {} }), {
  races: 10,
  atOnce: 1,
});
storeConformance(
  "s3://<bucket>/<prefix>",
  async () => {
    const prefix = `suite/${(opened += 1)}`;
    const open = () => s3.open({ prefix });
    return { store: open(), reopen: async () => open(), dispose: async () => {} };
  },
  deep ? { races: 80, atOnce: 20 } : { races: 4, atOnce: 4, increments: 10, turns: 15 },
);
readingConformance("forgetful trial", async () => {
  const filler = openMemory();
  return { store: openTrial(filler, { forgets: true }), filler, dispose: async () => {} };
});

test("every kind of store that a setting can name is tried here", () => {
  expect(tried).toEqual(expect.arrayContaining(settingForms.split(" or ")));
});

async function inFolder(): Promise<Opened> {
  const root = await mkdtemp(join(disk, "almanac-folder-"));
  const open = () => openFolder(root);
  return { store: open(), reopen: async () => open(), dispose: () => rm(root, { recursive: true }) };
}
