import { expect, test } from "vitest";
import { keepPlan, readPlanPage, sweepPlans } from "../../vault/runs.ts";
import { createVault } from "../../vault/vault.ts";
import { openMemory } from "../support/memory.ts";

const hourMs = 3_600_000;

test("plans without writes for three days are removed, and younger ones stay", async () => {
  let at = new Date("2026-11-21T03:05:00Z");
  const vault = createVault(
    openMemory(() => at),
    "almanac",
  );
  const pass = (hours: number) => (at = new Date(at.getTime() + hours * hourMs));
  const batches = [{ keys: ["a"], priority: 1, isFresh: true }];
  await keepPlan("old/1/en", batches, vault);
  pass(48);
  await keepPlan("young/1/en", batches, vault);
  pass(23);
  await sweepPlans(vault.own, at);
  expect(await readPlanPage("old/1/en", 0, vault)).toEqual(batches);
  pass(2);
  await sweepPlans(vault.own, at);
  await expect(readPlanPage("old/1/en", 0, vault)).rejects.toThrow("Start the run again");
  expect(await readPlanPage("young/1/en", 0, vault)).toEqual(batches);
});
