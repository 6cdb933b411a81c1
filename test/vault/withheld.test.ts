// What is withheld outlives the loss of its note, of a copy of it, and an older note that is put back.
import { expect, test } from "vitest";
import { openMemory } from "../support/memory.ts";
import { always, type Store } from "../../store/store.ts";
import { type Call, contentOf, damage, keysOf, through } from "../support/stores.ts";
import { changeWithheld, mendWithheld, readWithheld, type Withdrawal } from "../../vault/withheld.ts";

const note = "site/withheld.json";
const copies = "site/withheld/";

function recordOf(key: string): Withdrawal {
  return { key, path: key, reason: "a complaint", by: "editor", at: "2026-11-21T12:00:00.000Z" };
}

async function withdraw(vault: Store, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await changeWithheld(vault, ({ holds, withdrawn: all }) => ({
      holds,
      withdrawn: [...all, recordOf(key)],
    }));
  }
}

async function withdrawn(vault: Store): Promise<string[]> {
  return (await readWithheld(vault)).note.withdrawn.map(({ key }) => key).sort();
}

async function newVault(...keys: readonly string[]): Promise<Store> {
  const vault = openMemory();
  await withdraw(vault, ...keys);
  return vault;
}

test.each<[what: string, harm: (vault: Store) => Promise<unknown>]>([
  ["the note is gone", (vault) => vault.remove([note])],
  ["the note is damaged", (vault) => damage(vault, note)],
  [
    "the note and a copy are gone",
    async (vault) => vault.remove([note, (await keysOf(vault, copies)).at(-1) ?? ""]),
  ],
  ["all copies are gone", async (vault) => vault.remove(await keysOf(vault, copies))],
  [
    "all copies are damaged",
    async (vault) => Promise.all((await keysOf(vault, copies)).map((key) => damage(vault, key))),
  ],
])("where %s, nothing comes back, and mending writes all of it anew", async (_what, harm) => {
  const vault = await newVault("one", "two", "three");
  await harm(vault);
  expect(await withdrawn(vault)).toEqual(["one", "three", "two"]);
  expect(await mendWithheld(vault)).toBe(true);
  expect(await mendWithheld(vault)).toBe(false);
  await harm(vault);
  await withdraw(vault, "four");
  expect(await withdrawn(vault)).toEqual(["four", "one", "three", "two"]);
});

test("an older note that is put back does not count, nor does one that was changed by hand undo anything", async () => {
  const vault = await newVault("one");
  const older = (await contentOf(vault)).get(note) ?? new Uint8Array();
  await withdraw(vault, "two");
  await vault.write(note, older, { type: "" }, always);
  expect(await withdrawn(vault)).toEqual(["one", "two"]);
  const foreign = JSON.stringify({ format: 1, holds: [], withdrawn: [recordOf("three")] });
  await vault.write(note, Buffer.from(foreign), { type: "" }, always);
  expect(await withdrawn(vault)).toEqual(["one", "three", "two"]);
});

test("what is brought back stays so, and a change whose writer died before the note counts", async () => {
  const vault = await newVault("one", "two");
  await changeWithheld(vault, ({ holds, withdrawn: all }) => ({
    holds,
    withdrawn: all.filter(({ key }) => key !== "one"),
  }));
  expect(await withdrawn(vault)).toEqual(["two"]);
  const dying: Store = {
    ...vault,
    write: (key, ...put) => (key === note ? Promise.reject(new Error("killed")) : vault.write(key, ...put)),
  };
  await expect(withdraw(dying, "three")).rejects.toThrow("killed");
  expect(await withdrawn(vault)).toEqual(["three", "two"]);
});

test("of changes at once none is lost, and copies do not grow without end", async () => {
  const vault = openMemory();
  const keys = Array.from({ length: 15 }, (_, index) => `key-${index}`);
  await Promise.all(keys.map((key) => withdraw(vault, key)));
  expect(await withdrawn(vault)).toEqual(keys.toSorted());
  for (let undo = 0; undo < 20; undo += 1) await changeWithheld(vault, (before) => before);
  expect((await keysOf(vault, copies)).length).toBeLessThanOrEqual(22);
});

test("where note and copies are all damaged, every publish stops and says what to do", async () => {
  const vault = await newVault("one");
  for (const key of await keysOf(vault, "site/")) await damage(vault, key);
  await expect(readWithheld(vault)).rejects.toThrow("withdraw the texts again with `almanac withdraw`");
  await vault.remove(await keysOf(vault, "site/"));
  expect(await withdrawn(vault)).toEqual([]);
});

/** The vault as one finds it who has listed the copies, and read so many of them, when another mends all. */
function mendedAfter(vault: Store, reads: number): Store {
  let seen = 0;
  return through(vault, async ({ doing, keys: [key = ""] }, make) => {
    if (doing === "read" && key.startsWith(copies)) {
      if (seen === reads) await mendWithheld(vault);
      seen += 1;
    }
    return make();
  });
}

test("copies that another one clears away, while they are looked at, are not taken for damaged ones", async () => {
  const vault = await newVault("one");
  await vault.remove([note]); // as while the first change is being written
  expect(await withdrawn(mendedAfter(vault, 0))).toEqual(["one"]);
});

test("of two changes that met under one number both count, whenever another one puts them together", async () => {
  const [vault, other] = [await newVault("one"), await newVault("two")];
  for (const [key, body] of await contentOf(other))
    if (key !== note) await vault.write(key, body, { type: "application/json" }, always);
  await vault.remove([note]);
  for (let reads = 0; reads < 4; reads += 1) {
    const one = openMemory();
    for (const [key, body] of await contentOf(vault))
      await one.write(key, body, { type: "application/json" }, always);
    expect(await withdrawn(mendedAfter(one, reads))).toEqual(["one", "two"]);
  }
});

/** The vault as one finds it whom another one comes between at the first call of this kind. */
function interrupted(vault: Store, doing: Call["doing"], key: string, between: () => Promise<void>): Store {
  let isFirst = true;
  return through(vault, async (call, make) => {
    if (isFirst && call.doing === doing && call.keys[0]?.startsWith(key) === true) {
      isFirst = false;
      await between();
    }
    return make();
  });
}

test("a change is not lost that finds the note newer than the copies it has listed", async () => {
  const vault = await newVault("one");
  const slow = interrupted(vault, "read", note, () => withdraw(vault, "two", "three"));
  await withdraw(slow, "four");
  expect(await withdrawn(vault)).toEqual(["four", "one", "three", "two"]);
});

test("nor one that finds the note as it was, though it was changed and changed back meanwhile", async () => {
  const vault = await newVault("one");
  const slow = interrupted(vault, "write", copies, async () => {
    await withdraw(vault, "two");
    await changeWithheld(vault, (now) => ({
      ...now,
      withdrawn: now.withdrawn.filter(({ key }) => key !== "two"),
    }));
  });
  await withdraw(slow, "three");
  expect(await withdrawn(vault)).toEqual(["one", "three"]);
});
