// Only repeated requests that were really sent count against the daily ceiling.
import { expect, test } from "vitest";
import { endpointNames } from "../../readings/tables.ts";
import { layout } from "../../vault/files.ts";
import { callsTakenOn } from "../../vault/call-notes.ts";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { mostAttempts } from "../../readings/gather-rules.ts";
import { letPass, quickService } from "../support/looks.ts";
import { createWorld, until, type World } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";
import { fileEnd } from "../support/ends.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();

/** Two requests, and room for each of their tries. */
const configuration: ConfigurationInput = {
  languages: ["hi"],
  operations: ["wisdom-reading"],
  service: {
    ...quickService,
    answerTimeoutSeconds: { english: 1, translator: 1, legacy: 1 },
    callsPerDay: 50,
  },
};

/** A night whose first answers are all refused, up to the pause before they are asked for again. */
async function nightInItsFirstPause() {
  const world = await createWorld(temporal, configuration, atEnd);
  await world.sandbox.faults([{ match: { operation: "wisdom-reading" }, fault: "empty" }]);
  await world.sharedWorker();
  const run = await world.nightly();
  const keys = await until("the first answers", async () => {
    const refused = await world.vault.inQuarantine("");
    return refused.length === 2 && refused;
  });
  return { world, run, keys };
}

async function counts(world: World) {
  const day = new Date().toISOString().slice(0, 10);
  return { taken: await callsTakenOn(world.vault, day), made: (await world.sandbox.stats()).calls };
}

/** The number of batches of which Temporal knows that they counted a call beyond the plan. */
async function callsNoted({ client }: World, run: string): Promise<number> {
  const pendingIn = async (id: string) => (await client.workflow.getHandle(id).describe()).raw;
  const { pendingChildren } = await pendingIn(run);
  const editions = (pendingChildren ?? []).map(({ workflowId }) => pendingIn(workflowId ?? ""));
  const notes = (await Promise.all(editions))
    .flatMap(({ pendingActivities }) => pendingActivities ?? [])
    .map(({ heartbeatDetails }) => Buffer.from(heartbeatDetails?.payloads?.[0]?.data ?? []).toString());
  return notes.filter((note) => note.includes("/wisdom-reading/")).length;
}

test.concurrent("a call that an open breaker delayed counts once", async () => {
  const { world, run } = await nightInItsFirstPause();
  const { token, apiKey } = world.sandbox;
  await world.sandbox.credentials({ token: "another", apiKey: "another" });
  await until("an open breaker", () => world.vault.store.read("endpoints/translator.json"));
  await letPass(4_000);
  await world.sandbox.credentials({ token, apiKey });
  await run.result();
  const { taken, made } = await counts(world);
  expect(taken).toBe(2 * mostAttempts);
  expect(made).toBeGreaterThan(2 * mostAttempts); // refused probes draw nothing
});

test.concurrent("a call counts once, however often it gets no response and whatever happens to the worker", async () => {
  const world = await createWorld(temporal, configuration, atEnd);
  await world.sandbox.faults([
    { match: { operation: "wisdom-reading" }, fault: "empty", times: 2 },
    { match: { operation: "wisdom-reading" }, fault: "http500" },
  ]);
  const worker = await world.worker();
  const run = await world.nightly();
  await until("four calls in vain", async () => (await world.sandbox.stats()).calls >= 2 + 4);
  await until("both calls to be noted", async () => (await callsNoted(world, run.id)) === 2);
  await worker.kill();
  await world.sandbox.clearFaults();
  await world.sharedWorker();
  expect(await run.result()).toMatchObject({ state: "done", skipped: [] });
  const { taken, made } = await counts(world);
  expect(taken).toBe(2 + 2);
  expect(made).toBeGreaterThanOrEqual(2 + 4 + 2);
});

test.concurrent("calls that a night planned but got no response to are available to the next start", async () => {
  const world = await createWorld(
    temporal,
    {
      ...configuration,
      operations: ["wisdom-reading", "daily-tarot"], // 4 requests
      service: { ...quickService, callsPerDay: 6 }, // a late answer would be none, and the texts must be refused
      schedule: { deadlineHours: 0.02 }, // the refused answers and the calls after them come before it
    },
    atEnd,
  );
  // A 429 opens no breaker, so that the refused texts are asked for again before there are errors.
  await world.sandbox.faults([
    { match: { operation: "wisdom-reading" }, fault: "empty", times: 2 },
    { match: { operation: "daily-tarot" }, fault: "http429", retryAfter: 1 },
    { match: { operation: "wisdom-reading" }, fault: "http500" },
  ]);
  const worker = await world.sharedWorker();
  const first = await (await world.nightly()).result();
  expect(first.skipped.map(({ type }) => type)).toEqual(Array(4).fill("Deadline"));
  // Two answers were refused, and two more calls drawn for them.
  expect((await counts(world)).taken).toBe(4);
  await world.sandbox.clearFaults();
  // The pause before the next probe may be as long as the deadline by now: who knows that the service is back removes the note.
  await worker.stop();
  await world.vault.store.remove(endpointNames.map(layout.endpoint));
  await world.sharedWorker();
  // Items that this same run skipped wait for a later run.
  expect(await (await world.nightly()).result()).toMatchObject({ planned: 2, leftOut: 0, skipped: [] });
  expect((await counts(world)).taken).toBe(6);
});
