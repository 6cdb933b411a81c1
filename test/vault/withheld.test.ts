// Withdrawals and rollbacks outlive the loss of their copies, and publishing stops where they are unknown. kept.test.ts has the rest.
import { expect, test } from "vitest";
import { openMemory } from "../support/memory.ts";
import type { Store } from "../../store/store.ts";
import { damage, keysOf } from "../support/stores.ts";
import { changeWithheld, repairWithheld, readWithheld, type Withdrawal } from "../../vault/withheld.ts";

const copies = "decisions/";

function recordOf(key: string): Withdrawal {
  return { key, path: key, reason: "a complaint", by: "editor", at: "2026-11-21T12:00:00.000Z" };
}

async function withdraw(vault: Store, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await changeWithheld(vault, ({ withdrawn: all, ...others }) => ({
      ...others,
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

test.each<[what: string, harm: (vault: Store, keys: string[]) => Promise<unknown>]>([
  ["the first copy is gone", (vault, [key = ""]) => vault.remove([key])],
  ["the first copy is damaged", (vault, [key = ""]) => damage(vault, key)],
  ["only the first copy is left", (vault, [, ...others]) => vault.remove(others)],
  ["only the last copy is left", (vault, keys) => vault.remove(keys.slice(0, -1))],
  [
    "only the last copy is not damaged",
    (vault, keys) => Promise.all(keys.slice(0, -1).map((key) => damage(vault, key))),
  ],
])("where %s, nothing comes back, and repairing writes all of it again", async (_what, harm) => {
  const vault = await newVault("one", "two", "three");
  await harm(vault, await keysOf(vault, copies));
  expect(await withdrawn(vault)).toEqual(["one", "three", "two"]);
  expect(await repairWithheld(vault)).toBe(true);
  expect(await repairWithheld(vault)).toBe(false);
  await harm(vault, await keysOf(vault, copies));
  await withdraw(vault, "four");
  expect(await withdrawn(vault)).toEqual(["four", "one", "three", "two"]);
});

test("a withdrawal that was undone stays so, and copies do not grow in number", async () => {
  const vault = await newVault("one", "two");
  await changeWithheld(vault, ({ withdrawn: all, ...others }) => ({
    ...others,
    withdrawn: all.filter(({ key }) => key !== "one"),
  }));
  expect(await withdrawn(vault)).toEqual(["two"]);
  for (let undo = 0; undo < 20; undo += 1) await changeWithheld(vault, (before) => before);
  expect(await keysOf(vault, copies)).toHaveLength(3);
});

test("if all copies are damaged, every publish stops with the remedy", async () => {
  const vault = await newVault("one");
  for (const key of await keysOf(vault, copies)) await damage(vault, key);
  await expect(readWithheld(vault)).rejects.toThrow("withdraw the texts again with `almanac withdraw`");
  await expect(withdraw(vault, "two")).rejects.toThrow("withdraw the texts again with `almanac withdraw`");
  await vault.remove(await keysOf(vault, copies));
  expect(await withdrawn(vault)).toEqual([]);
});
