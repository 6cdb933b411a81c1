import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import type { Language } from "../../readings/tables.ts";
import { deep } from "../support/deep.ts";
import {
  allSlots,
  responsesIn,
  dataOf,
  historiesOf,
  isStable,
  letPass,
  payloadsIn,
  quickService,
  sandboxKey,
  slots,
} from "../support/looks.ts";
import { followRun } from "../../worker/temporal/runs.ts";
import { countsIn, createWorld, until, type World } from "../support/night.ts";
import { sharedTemporal, temporalForTests } from "../support/temporal.ts";
import { fileEnd } from "../support/ends.ts";

const temporal = await temporalForTests({ database: "file" });
/** Not shared, because tests run in parallel and the first server dies. */
const lasting = await sharedTemporal();
const atEnd = fileEnd();

/** Hashes of responses that are the same on every request: horoscopes and pairs. */
function stableHashes(responses: Awaited<ReturnType<typeof responsesIn>>) {
  const stable = [...responses].filter(([key]) => isStable(key));
  return Object.fromEntries(stable.map(([key, { bodyHash }]) => [key, bodyHash]));
}

const person = { id: "reader-1", fullName: "Example Person", birthDate: "1992-02-29" };
const languages: readonly Language[] = deep ? ["en", "hi"] : ["hi"];
/** Maximum loss of one death: the calls in flight, and as many responses that are being stored. */
const mostUnkept = 2 * (deep ? allSlots : slots.translator);
/** Every kind of answer, some 35 requests, with test:deep 110. */
const configuration: ConfigurationInput = {
  languages: [...languages],
  operations: [
    "daily-horoscope",
    ...(deep ? (["weekly-horoscope"] as const) : []),
    "daily-tarot",
    "wisdom-reading",
    "love-compatibility",
    "which-animal-are-you-reading",
  ],
  pairs: [
    ["aries", "leo"],
    ["leo", "aries"],
    ["libra", "libra"],
  ],
  people: [person],
  // Calls of a killed worker are asked for again when these are over.
  service: { ...quickService, answerTimeoutSeconds: { english: 5, translator: 5, legacy: 5 } },
};

/** Compares readings stored before a death with those at the end. */
async function expectKept(
  world: World,
  before: Awaited<ReturnType<typeof stateOf>>,
  asked: Record<string, { readonly calls: number }>,
): Promise<void> {
  const after = await responsesIn(world);
  for (const [key, { bodyHash }] of before.responses) {
    expect(after.get(key)?.bodyHash, `${key} was stored and is another now`).toBe(bodyHash);
    if (!isStable(key)) continue; // the sandbox counts cards of all days as one
    const calls = (at: typeof asked) => at[sandboxKey(key)]?.calls;
    expect(calls(asked), `${key} was stored and asked again`).toBe(calls(before.asked));
  }
}

async function stateOf(world: World) {
  const responses = await responsesIn(world); // first: a call is counted before its answer is stored
  return { responses, asked: (await world.sandbox.stats()).byRequest };
}

test.concurrent("a Temporal server killed during a night and restarted costs no stored reading, and at most the calls in flight", async () => {
  const calm = await createWorld(temporal, configuration, atEnd);
  const calmWorker = await calm.sharedWorker();
  const undisturbed = await (await calm.nightly()).result();
  await calmWorker.stop();
  expect(countsIn(undisturbed)).toMatchObject({ stored: undisturbed.planned, skipped: 0 });

  const world = await createWorld(temporal, configuration, atEnd);
  // The night does not end before the server does.
  await world.sandbox.latency({ english: { fixedMs: 1_000 }, translator: { fixedMs: 1_000 } });
  await world.worker();
  const { id } = await world.nightly();
  await until("a third of the night", async () => (await world.held()).length > undisturbed.planned / 3);
  await temporal.kill();
  const before = await stateOf(world);
  expect(before.responses.size).toBeLessThan(undisturbed.planned);
  await letPass(1_000); // calls in flight end without a server to report to
  await temporal.restartOnSameDatabase();
  const ended = await until("the end of the night", () => resultOf(world, id));

  expect(ended).toMatchObject({ state: "done", planned: undisturbed.planned, broken: {} });
  expect(countsIn(ended)).toMatchObject({ skipped: 0 });
  const stats = await world.sandbox.stats();
  expect(stats.calls - ended.planned).toBeLessThanOrEqual(mostUnkept);
  await expectKept(world, before, stats.byRequest);
  expect(stableHashes(await responsesIn(world))).toEqual(stableHashes(await responsesIn(calm)));
  expect(await world.held()).toHaveLength(ended.planned);

  await expectBareHistories(world);
});

/** Undefined while it runs, or while nobody answers. */
async function resultOf(world: World, id: string) {
  const handle = world.client.workflow.getHandle(id);
  const { status } = await handle.describe().catch(() => ({ status: { name: "AWAY" } }));
  if (status.name === "RUNNING" || status.name === "AWAY") return undefined;
  return followRun(world.client, id).result();
}

async function expectBareHistories(world: World): Promise<void> {
  const responses = [...(await responsesIn(world)).values()];
  const prose = responses.flatMap((response) => sentencesIn(dataOf(response)));
  expect(prose.length).toBeGreaterThan(responses.length);
  const { token, apiKey } = world.sandbox;
  const secrets = [token, apiKey, person.fullName, person.birthDate];
  const histories = await historiesOf(world, 1 + languages.length);
  expect(histories.length).toBeGreaterThan(languages.length); // the night and its editions
  let payloads = 0;
  for (const { workflowId, history } of histories) {
    for (const payload of payloadsIn(history)) {
      payloads += 1;
      const text = payload.toString("utf8");
      expect(payload.length, `a payload of ${workflowId}`).toBeLessThan(64 * 1024);
      const told = [...secrets, ...prose].filter((word) => text.includes(word));
      expect(told, `in a payload of ${workflowId}`).toEqual([]);
    }
  }
  expect(payloads).toBeGreaterThan(10 * histories.length); // else this looks at none
}

/** All values in a response that are too long to be a key or a name. */
function sentencesIn(value: unknown): string[] {
  if (typeof value === "string") return value.split(/[\r\n]+/).filter((line) => line.trim().length >= 20);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(sentencesIn) : [];
}

test.concurrent(
  "a worker that dies repeatedly in one night, between any two steps, loses no stored reading",
  async () => {
    const rounds = deep ? 20 : 2;
    const world = await createWorld(lasting, configuration, atEnd);
    await world.sandbox.latency({
      english: { fixedMs: 200, jitterMs: 800 },
      translator: { fixedMs: 200, jitterMs: 800 },
    });
    const states = [];
    const run = await world.nightly();
    for (let round = 0; round < rounds; round += 1) {
      const before = (await world.sandbox.stats()).calls;
      const worker = await world.worker();
      await until("calls of this worker", async () => (await world.sandbox.stats()).calls > before);
      await letPass(Math.random() * 1_000);
      if (round === rounds - 1)
        await until("something to be stored", async () => (await world.held()).length > 0);
      await worker.kill();
      states.push(await stateOf(world));
    }
    await world.sharedWorker();
    const ended = await run.result();
    expect(ended).toMatchObject({ state: "done", broken: {} });
    expect(countsIn(ended)).toMatchObject({ skipped: 0 });
    expect(await world.held()).toHaveLength(ended.planned);
    const stats = await world.sandbox.stats();
    const stored = states.map(({ responses }) => responses.size);
    expect(
      stored.filter((count) => count > 0 && count < ended.planned),
      `stored: ${stored.join(", ")}`,
    ).not.toEqual([]);
    for (const state of states) await expectKept(world, state, stats.byRequest);
    expect(stats.calls - ended.planned).toBeLessThanOrEqual(rounds * mostUnkept);
  },
  deep ? 1_200_000 : 400_000,
);
