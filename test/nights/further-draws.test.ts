// Optional calls that fill decks: requested last, stored once, and without effect if they fail.
import { expect, test } from "vitest";
import { z } from "zod";
import { planFor } from "../../insight/plan.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import type { Operation } from "../../readings/tables.ts";
import { isFurtherDraw, requestKey } from "../../readings/request.ts";
import { exitCodeOf } from "../../scripts/terminal/run-words.ts";
import { documents } from "../../site/data.schema.ts";
import { cardsIn } from "../../site/seen-cards.ts";
import { readingFrom } from "../../vault/stored-readings.ts";
import { loadConfiguration } from "../../worker/settings/configuration.ts";
import { storedResponseOf } from "../support/stored-responses.ts";
import { deep } from "../support/deep.ts";
import { historiesOf } from "../support/looks.ts";
import { countsIn, createWorld, type World } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const calls = 6;
const small: ConfigurationInput = {
  languages: ["en", "hi"],
  operations: ["daily-tarot", "wisdom-reading"],
  decks: { callsPerNight: calls },
  service: {
    ratePerSecond: { english: 100, translator: 100, legacy: 100 },
    answerTimeoutSeconds: { english: 30, translator: 30, legacy: 30 },
  },
};

async function drawsHeld(world: World): Promise<string[]> {
  return (await world.held()).filter((key) => key.includes("/draw-"));
}

async function jsonAt<Parsed>(world: World, path: string, schema: { parse: (value: unknown) => Parsed }) {
  const file = await world.site.read(path);
  if (file === undefined) throw new Error(`${path} is not published`);
  return schema.parse(JSON.parse(new TextDecoder().decode(file.body)));
}

test("a night's further draws are requested once, stored, and added to their decks, and the day's own cards stay", async () => {
  const world = await createWorld(temporal, small);
  await world.sharedWorker();
  const ended = await (await world.nightly()).result();
  expect(ended.planned).toBe(8 + calls); // two operations, two languages, two days
  expect(exitCodeOf(ended)).toBe(0);
  expect((await world.sandbox.stats()).calls).toBe(8 + calls);
  const draws = await drawsHeld(world);
  expect(draws).toHaveLength(calls);
  expect(draws.filter((key) => key.includes("/hi/"))).toHaveLength(calls / 2);
  for (const key of draws) {
    const [, date = "", language = "", operation = ""] = key.split("/");
    const drawn = await world.vault.response(key);
    const own = await world.vault.response(`daily/${date}/${language}/${operation}/reading`);
    const deck = await jsonAt(world, `v1/${language}/decks/${operation}.json`, documents.deck);
    const names = drawn && cardsIn(readingFrom(drawn)).map(({ card }) => card.name);
    expect(deck.cards.map(({ card }) => card.name)).toEqual(expect.arrayContaining(names ?? ["no card"]));
    const shown = await jsonAt(world, `v1/${language}/${operation}/${date}.json`, documents.card);
    expect(shown.reading).toEqual(own && readingFrom(own).reading);
  }
  const again = await (await world.nightly()).result();
  expect(again).toMatchObject({ planned: 0, held: 8 + calls });
  expect((await world.sandbox.stats()).calls).toBe(8 + calls);
});

/** A world whose vault has all but the draws, which are the keys, and the cards of an operation. */
async function withDrawsLeft(
  more: ConfigurationInput = {},
  lacking?: Operation,
): Promise<{ world: World; draws: string[] }> {
  const world = await createWorld(temporal, { ...small, ...more });
  const configuration = await loadConfiguration(world.env["ALMANAC_CONFIG"], world.folder);
  const input = { run: "plan", kind: "nightly", request: { asOf: new Date().toISOString() } } as const;
  const { due } = await planFor(input, {
    configuration,
    vault: world.vault,
    site: world.site,
    now: () => new Date(),
  });
  const requests = due.map(({ request }) => request);
  for (const request of requests)
    if (!isFurtherDraw(request) && request.operation !== lacking)
      await world.vault.storeResponse(storedResponseOf(request));
  const draws = requests.filter(isFurtherDraw).map(requestKey).sort();
  expect(draws).toHaveLength(calls);
  return { world, draws };
}

test("a night whose further draws all fail is complete, and requests no replacements", async () => {
  const { world, draws } = await withDrawsLeft();
  await world.sandbox.faults([{ match: {}, fault: "empty" }]);
  await world.sharedWorker();
  const ended = await (await world.nightly()).result();
  expect(exitCodeOf(ended)).toBe(0);
  expect(ended).toMatchObject({ state: "done", skipped: [], refused: [], broken: {} });
  expect(countsIn(ended)).toMatchObject({ planned: 0, stored: 0, skipped: 0 });
  expect(await drawsHeld(world)).toEqual([]);
  expect((await world.vault.inQuarantine("")).toSorted()).toEqual(draws);
  const { calls: asked } = await world.sandbox.stats();
  expect(await (await world.nightly()).result()).toMatchObject({ planned: 0 });
  expect((await world.sandbox.stats()).calls).toBe(asked);
});

test("a language requests a publish as soon as only its further draws are missing", async () => {
  const { world, draws } = await withDrawsLeft({ languages: ["en"] }, "wisdom-reading");
  await world.sandbox.faults([{ match: { operation: "daily-tarot" }, fault: "slow", delayMs: 2_000 }]);
  await world.sharedWorker();
  await (await world.nightly()).result();
  expect(draws.some((key) => key.includes("daily-tarot"))).toBe(true);
  expect(await wordsOf(world)).toEqual([true]);
});

/** The field `ready` of each signal from the English edition to its run. */
async function wordsOf(world: World): Promise<boolean[]> {
  const words: boolean[] = [];
  for (const { history } of await historiesOf(world, 2)) {
    for (const { signalExternalWorkflowExecutionInitiatedEventAttributes: signal } of history.events ?? []) {
      const data = signal?.input?.payloads?.[0]?.data;
      if (data)
        words.push(z.object({ ready: z.boolean() }).parse(JSON.parse(Buffer.from(data).toString())).ready);
    }
  }
  return words;
}

// The shortest possible deadline, 36 s.
test.runIf(deep)("a night whose deadline comes before its further draws is whole", async () => {
  const { world } = await withDrawsLeft({ schedule: { deadlineHours: 0.01 } });
  await world.sandbox.faults([{ match: {}, fault: "http500" }]);
  await world.sharedWorker();
  const ended = await (await world.nightly()).result();
  expect(exitCodeOf(ended)).toBe(0);
  expect(ended).toMatchObject({ state: "done", skipped: [], broken: {} });
  expect(countsIn(ended)).toMatchObject({ planned: 0, skipped: 0 });
  expect(await world.site.read("hi/daily-tarot/index.html")).toBeDefined();
});
