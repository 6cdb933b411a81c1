// Every store call of a scripted history fails: whatever a publisher dies of, readers see the old state or the new one, and
// a retry ends where the undisturbed run ended. After SQLite's way of testing its commits. With test:deep each call fails
// in each of the four ways, otherwise in one of them, each way in its turn.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deep } from "../support/deep.ts";
import { points, undisturbed } from "./support/crash.ts";
import { ways } from "./support/publisher.ts";
import { openFolders, openMemories } from "./support/resettable.ts";
import { scenarios } from "./support/scenarios.ts";
import { renewing, turning } from "./support/turns.ts";

const onMemory = openMemories();
let folders: Awaited<ReturnType<typeof openFolders>>;
beforeAll(async () => {
  folders = await openFolders();
});
afterAll(() => folders.remove());

const each = deep ? 1 : ways.length;
let total = 0;
afterAll(() => console.log(`crash test: ${total} points held on memory and folder`));

describe("whichever store call fails on memory, a reader sees one state whole and a retry completes it", () => {
  test.each([...scenarios(deep), renewing])("$name", { timeout: 900_000 }, async (scenario) => {
    const held = await points(scenario, onMemory, each);
    total += held;
    const { calls } = await undisturbed(scenario);
    expect(held).toBeGreaterThanOrEqual((ways.length * calls) / (each * (scenario.every ?? 1)) - ways.length);
  });

  test.each([turning])("$name", { timeout: 900_000 }, async (scenario) => {
    const held = await points(scenario, onMemory, deep ? 1 : 80);
    total += held;
    expect(held).toBeGreaterThan(deep ? 200 : 10);
  });
});

describe("so it does on a folder", () => {
  test.each([...scenarios(deep), renewing])("$name", { timeout: 900_000 }, async (scenario) => {
    const held = await points(scenario, folders.open, deep ? 4 : scenario === renewing ? 10 : 25);
    total += held;
    expect(held).toBeGreaterThanOrEqual(4);
  });
});
