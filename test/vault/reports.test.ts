// Every start of a run has its own report, and readers find the right one.
import { expect, test } from "vitest";
import { keepReport, newestReport, reportAt, reportsOf } from "../../vault/runs.ts";
import { createVault, type Vault } from "../../vault/vault.ts";
import { openMemory } from "../support/memory.ts";
import { progressOf } from "../support/progress.ts";

const run = "almanac-nightly-2026-11-21";

/** Report on the night of that day, between those hours. */
function report(day: string, from: string, to: string, planned: number) {
  return {
    ...progressOf({ run: `almanac-nightly-2026-11-${day}`, asOf: `2026-11-${day}T03:05:00.000Z`, planned }),
    startedAt: `2026-11-${day}T${from}:00.000Z`,
    endedAt: `2026-11-${day}T${to}:00.000Z`,
  };
}

async function keysIn({ store }: Vault): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list("sites/almanac/runs/")) keys.push(key);
  return keys;
}

const newVault = () =>
  createVault(
    openMemory(() => new Date("2026-11-22T12:00:00Z")),
    "almanac",
  );

test("a restarted night keeps the report of its previous start, and the newest one is the last start's", async () => {
  const vault = newVault();
  await keepReport(vault, "b-first", report("21", "03:05", "04:17", 20));
  await keepReport(vault, "a-second", report("21", "09:00", "09:01", 0));
  expect((await reportsOf(vault, run)).map(({ planned }) => planned)).toEqual([20, 0]);
  expect(await newestReport(vault)).toMatchObject({ planned: 0 });
  expect(await newestReport(vault, run)).toMatchObject({ planned: 0 });
});

test("a report written twice, because its first attempt was lost, counts once", async () => {
  const vault = newVault();
  await keepReport(vault, "first", report("21", "03:05", "04:17", 20));
  await keepReport(vault, "first", report("21", "03:05", "04:18", 20));
  expect(await keysIn(vault)).toEqual([`sites/almanac/runs/2026-11-21/${run}/first.json`]);
  expect(await newestReport(vault)).toMatchObject({ endedAt: "2026-11-21T04:18:00.000Z" });
});

test("a run's reports are separate, even if another's name begins the same", async () => {
  const vault = newVault();
  const [english, both] = ["en", "en-hi"].map((languages) => `almanac-backfill-2026-11-21-${languages}`);
  for (const name of [english ?? "", both ?? ""]) {
    await keepReport(vault, "first", { ...report("21", "10:00", "11:00", 5), run: name });
  }
  expect((await reportsOf(vault, english ?? "")).map((one) => one.run)).toEqual([english]);
});

test("a response belongs to the start during which it arrived, else to the newest", async () => {
  const vault = newVault();
  await keepReport(vault, "third", report("21", "12:00", "12:01", 0));
  await keepReport(vault, "second", report("21", "09:00", "09:30", 3));
  await keepReport(vault, "first", report("21", "03:05", "04:17", 20));
  const plannedAt = async (time: string) => (await reportAt(vault, run, `2026-11-21T${time}.000Z`))?.planned;
  expect(await plannedAt("04:16:59")).toBe(20);
  expect(await plannedAt("09:00:00")).toBe(3);
  expect(await plannedAt("07:00:00")).toBe(0); // a start that was interrupted before it could report
  expect(await reportAt(vault, "almanac-nightly-2026-11-19", "2026-11-19T04:00:00.000Z")).toBeUndefined();
});
