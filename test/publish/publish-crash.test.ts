// Every store call of a scripted history fails: whatever a publisher dies of, readers see the old state or the new one, and
// a retry ends where the undisturbed run ended. After SQLite's way of testing its commits. With test:deep each call fails
// in each of the four ways, otherwise in one of them, each way in its turn.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { deep } from "../support/deep.ts";
import { points, undisturbed } from "./support/crash.ts";
import { Calls, Publisher, ways } from "./support/publisher.ts";
import { firstDate, operationsIn, secondDate } from "./support/nights.ts";
import { openMemories, openResettable, storesIn } from "./support/resettable.ts";
import { allLanguages, lateEvening, renewing, scenarios, scene } from "./support/scenarios.ts";
import { changeTo, correctableText, publishCorrection, recordCorrection } from "../../publish/correct.ts";
import { publishDue } from "../../publish/publish.ts";
import { addDays } from "../../readings/calendar.ts";
import { sandboxProse } from "../support/prose.ts";
import { storedResponseOf } from "../support/stored-responses.ts";
import { bytes, contentOf, fill, inMemory, snapshotOf } from "../support/stores.ts";

const onMemory = openMemories();
const root = mkdtempSync(join(tmpdir(), "almanac-crash-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const onFolder = openResettable(() => storesIn(join(root, String((folders += 1)))));

/**
 * Uses publishDue() itself, which reads stored responses and renders for real, in every run. The times when texts are first shown
 * are known in advance, so a later retry makes the same bytes; test/publish/shown-since.test.ts covers unknown times.
 */
const publishingDue = scene("publishDue() from a vault of stored responses", () => gathered(), [publishDue], {
  at: lateEvening,
  varies: ["asOf", "version"],
});

/** The stores before the publish, or after it. */
async function gathered(isPublished = false) {
  const { site, vault } = await allLanguages();
  const whole = { site, vault: new Map([...vault, ...responses()]) };
  const stores = inMemory(() => lateEvening);
  await fill(stores, whole);
  await publishDue(new Publisher(stores, new Calls(), () => lateEvening).place);
  if (isPublished) return snapshotOf(stores);
  const shown = [...(await contentOf(stores.vault))].filter(([key]) =>
    key.startsWith("sites/almanac/shown/"),
  );
  expect(shown.length).toBeGreaterThan(0);
  return { site, vault: new Map([...whole.vault, ...shown]) };
}

/** Recorded again at the same time by the retry. */
const correcting = scene(
  "a correction of a published text",
  () => gathered(true),
  [
    async (place) => {
      const text = await correctableText(
        { operation: "daily-tarot", language: "en", period: firstDate },
        "love",
        place,
      );
      const change = await changeTo(sandboxProse("en")[3] ?? "", undefined, text, {});
      await recordCorrection(
        change,
        text,
        { by: "Ada", reason: "a test" },
        { ...place, now: () => lateEvening },
      );
      await publishCorrection(change, text.request, place);
    },
  ],
  { at: lateEvening, varies: ["asOf", "version"] },
);

function responses(): [string, Uint8Array][] {
  return (["en", "de", "ar"] as const).flatMap((language) =>
    [firstDate, secondDate].flatMap((period) =>
      operationsIn(language).map((operation): [string, Uint8Array] => {
        const receivedAt = `${addDays(period, -1)}T08:05:17.000Z`;
        const response = storedResponseOf({ operation, language, period }, {}, { receivedAt });
        return [`responses/${response.key}.json`, bytes(JSON.stringify(response))];
      }),
    ),
  );
}

const each = deep ? 1 : 6 * ways.length + 1;
const longestMs = deep ? 3_600_000 : 900_000;
let total = 0;
afterAll(() => console.log(`crash test: ${total} points held on memory and folder`));

describe("in memory, a reader sees one complete state whichever store call fails, and a retry completes it", () => {
  test.each([...scenarios(deep), renewing])("$name", { timeout: longestMs }, async (scenario) => {
    const held = await points(scenario, onMemory, each);
    total += held;
    const { calls } = await undisturbed(scenario);
    expect(held).toBeGreaterThanOrEqual((ways.length * calls) / (each * (scenario.every ?? 1)) - ways.length);
  });

  test.each([
    { ...publishingDue, often: 160 },
    { ...correcting, often: 25 },
  ])("$name", { timeout: longestMs }, async ({ often, ...scenario }) => {
    const held = await points(scenario, onMemory, deep ? 1 : often);
    total += held;
    expect(held).toBeGreaterThan(deep ? 200 : 5);
  });
});

describe("on a folder, the same promise holds", () => {
  test.each([...scenarios(deep), renewing])("$name", { timeout: longestMs }, async (scenario) => {
    const isShort = scenario === renewing || scenario.name === "gc";
    const held = await points(scenario, onFolder, deep ? 4 : isShort ? 10 : 40);
    total += held;
    expect(held).toBeGreaterThanOrEqual(4);
  });
});
