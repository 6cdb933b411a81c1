// A note in several copies survives loss and damage of all copies but one, and a completed change is never lost.
import { expect, test } from "vitest";
import { z } from "zod";
import { always, type Store } from "../../store/store.ts";
import { type Kept, readKept, writeKept } from "../../vault/note.ts";
import { openMemory } from "../support/memory.ts";
import { bytes, textAt, through } from "../support/stores.ts";

const kept: Kept<{ readonly names: string[] }> = {
  keys: ["copies/1.json", "copies/2.json", "copies/3.json"],
  schema: z.object({ names: z.array(z.string()) }),
  empty: { names: [] },
};
const json = { type: "application/json" };

async function add(store: Store, name: string): Promise<void> {
  for (;;) {
    const found = await readKept(store, kept);
    const names = [...found.value.names, name];
    if ((await writeKept(store, kept, found, { names })) !== undefined) return;
  }
}

const namesIn = async (store: Store) => (await readKept(store, kept)).value.names;

type Harm = (body: Buffer, older: Buffer) => Uint8Array | undefined;
const harms: Readonly<Record<string, Harm>> = {
  lost: () => undefined,
  empty: () => new Uint8Array(),
  torn: (body) => body.subarray(0, body.length / 2),
  "one bit": (body) => body.with(body.indexOf("two") + 1, (body[body.indexOf("two") + 1] ?? 0) ^ 1),
  "one bit of its number": (body) => body.with(body.indexOf("2,"), "3".charCodeAt(0)),
  altered: (body) => Buffer.from(body.toString().replace(',\n  "two"', "")),
  "other JSON": () => bytes("[]"),
  older: (_, older) => older,
};

async function harmed(first: Harm, at: number, second: Harm, otherAt: number): Promise<Store> {
  const store = openMemory();
  await add(store, "one");
  const older = Buffer.from((await textAt(store, "copies/1.json")) ?? "");
  await add(store, "two");
  for (const [harm, place] of [[first, at] as const, [second, otherAt] as const]) {
    const key = kept.keys[place] ?? "";
    const body = harm(Buffer.from((await textAt(store, key)) ?? ""), older);
    if (body === undefined) await store.remove([key]);
    else await store.write(key, body, json, always);
  }
  return store;
}

const places = [0, 1, 2];
const pairs = places.flatMap((at) =>
  places.filter((other) => other !== at).map((other) => [at, other] as const),
);

test.for(Object.keys(harms))("any two copies may be harmed, the one %s", async (name) => {
  const first = harms[name] ?? (() => undefined);
  for (const [other, second] of Object.entries(harms)) {
    for (const [at, otherAt] of pairs) {
      const store = await harmed(first, at, second, otherAt);
      const what = `copy ${at + 1} ${name}, copy ${otherAt + 1} ${other}`;
      const found = await readKept(store, kept);
      expect({ what, ...found }).toMatchObject({ what, value: { names: ["one", "two"] }, change: 2 });
      expect({ what, isWhole: found.isWhole, isLost: found.isLost }).toEqual({
        what,
        isWhole: false,
        isLost: false,
      });
      await add(store, "three");
      expect({ what, ...(await readKept(store, kept)) }).toMatchObject({
        what,
        value: { names: ["one", "two", "three"] },
        isWhole: true,
      });
    }
  }
});

test("each change builds on the last written value", async () => {
  const store = openMemory();
  let found = await readKept(store, kept);
  for (const names of [["one"], ["two"], ["three"]]) {
    const next = await writeKept(store, kept, found, { names });
    expect(next).toEqual(await readKept(store, kept));
    found = next ?? found;
  }
  expect(await namesIn(store)).toEqual(["three"]);
});

test("copies that were never written are sound, and unreadable copies are lost", async () => {
  const store = openMemory();
  expect(await readKept(store, kept)).toMatchObject({ value: { names: [] }, isWhole: true, isLost: false });
  for (const key of kept.keys) await store.write(key, bytes("damaged"), json, always);
  expect(await readKept(store, kept)).toMatchObject({ change: 0, isWhole: false, isLost: true });
});

test("copies of a newer version don't count as lost, and damage does not count as a newer version", async () => {
  const store = openMemory();
  await add(store, "one");
  const body = (await textAt(store, "copies/1.json")) ?? "";
  const newer = bytes(body.replace('"format": 1', '"format": 2'));
  await store.write("copies/1.json", newer, json, always);
  expect(await namesIn(store)).toEqual(["one"]);
  for (const key of kept.keys) await store.write(key, newer, json, always);
  await expect(readKept(store, kept)).rejects.toThrow("copies/1.json was written by a newer version");
});

test("concurrent changes are all kept", async () => {
  const store = openMemory();
  const names = Array.from({ length: 15 }, (_, index) => `name-${index}`);
  await Promise.all(names.map((name) => add(store, name)));
  expect((await namesIn(store)).toSorted()).toEqual(names.toSorted());
  expect(await readKept(store, kept)).toMatchObject({ isWhole: true, change: 15 });
});

test("a change whose writer died after the first copy is in effect, and the next change writes all copies", async () => {
  const store = openMemory();
  await add(store, "one");
  const dying = through(store, async ({ doing, keys: [key] }, make) => {
    if (doing === "write" && key === "copies/2.json") throw new Error("killed");
    return make();
  });
  await expect(add(dying, "two")).rejects.toThrow("killed");
  expect(await readKept(store, kept)).toMatchObject({ value: { names: ["one", "two"] }, isWhole: false });
  await add(store, "three");
  expect(await readKept(store, kept)).toMatchObject({
    value: { names: ["one", "two", "three"] },
    isWhole: true,
  });
});

test.for(["copies/2.json", "copies/3.json"])(
  "a writer that stalls before %s overwrites no later change",
  async (stalledAt) => {
    const store = openMemory();
    await add(store, "one");
    const [stalled, resume] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = through(store, async ({ doing, keys: [key] }, make) => {
      if (doing === "write" && key === stalledAt) {
        stalled.resolve();
        await resume.promise;
      }
      return make();
    });
    const late = add(slow, "two");
    await stalled.promise;
    await add(store, "three");
    resume.resolve();
    await late;
    expect(await readKept(store, kept)).toMatchObject({
      value: { names: ["one", "two", "three"] },
      isWhole: true,
    });
  },
);

test("a late copy of an earlier change, which lands between the copies of a later one, is overwritten", async () => {
  const store = openMemory();
  await add(store, "one");
  const [stalled, resume] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = through(store, async ({ doing, keys: [key] }, make) => {
    if (doing === "write" && key === "copies/2.json") {
      stalled.resolve();
      await resume.promise;
    }
    return make();
  });
  const late = add(slow, "two");
  await stalled.promise;
  const crossing = through(store, async ({ doing, keys: [key] }, make) => {
    if (doing === "write" && key === "copies/2.json") {
      resume.resolve();
      await late;
    }
    return make();
  });
  await add(crossing, "three");
  expect(await readKept(store, kept)).toMatchObject({
    value: { names: ["one", "two", "three"] },
    isWhole: true,
  });
});
