// The ceiling counts a call on the UTC day on which it is made, whatever date a night is for and whenever it was planned.
import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { always } from "../../store/store.ts";
import { callsTakenOn } from "../../vault/call-notes.ts";
import { writeJson, layout } from "../../vault/files.ts";
import { almanac } from "../support/cli.ts";
import { fileEnd } from "../support/ends.ts";
import { quickService } from "../support/looks.ts";
import { createWorld, until } from "../support/night.ts";
import { clockMovedBy } from "../support/noon.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();

/** Two requests a night: today's and tomorrow's. */
const configuration: ConfigurationInput = {
  languages: ["hi"],
  operations: ["wisdom-reading"],
  service: {
    ...quickService,
    // The worker is stopped while both calls are in flight.
    answerTimeoutSeconds: { english: 10, translator: 10, legacy: 10 },
    callsPerDay: 50,
  },
};
const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test.concurrent("a night for another date counts against the ceiling of the day on which it calls", async () => {
  const few = { ...configuration, service: { ...configuration.service, callsPerDay: 3 } };
  const world = await createWorld(temporal, few, atEnd);
  await world.sharedWorker();
  const nightly = async (...words: string[]) => {
    const ran = await almanac(["nightly", "--wait", "--json", ...words], {
      env: world.env,
      cwd: world.folder,
    });
    return JSON.parse(ran.stdout);
  };
  expect(await nightly()).toMatchObject({ planned: 2, leftOut: 0 });
  const plan = ["plan", "--as-of", dayAfter(2), "--json"];
  const planned = await almanac(plan, { env: world.env, cwd: world.folder });
  expect(JSON.parse(planned.stdout)).toMatchObject({ forecast: { calls: 1 } });
  expect(await nightly("--as-of", dayAfter(2))).toMatchObject({ planned: 1, leftOut: 1 });
  expect(await nightly("--as-of", dayAfter(4))).toMatchObject({ planned: 0, leftOut: 2 });
  expect(await callsTakenOn(world.vault, dayAfter(0).slice(0, 10))).toBe(3);
  expect((await world.sandbox.stats()).calls).toBe(3);
});

test.concurrent("a planned call that is made after midnight counts against the new day", async () => {
  const world = await createWorld(temporal, configuration, atEnd);
  await world.sandbox.faults([{ match: { operation: "wisdom-reading" }, fault: "timeout", times: 2 }]);
  const worker = await world.sharedWorker();
  const run = await world.nightly();
  await until("both calls", async () => (await world.sandbox.stats()).calls === 2);
  await worker.stop();
  const tomorrow = dayAfter(1).slice(0, 10);
  const full = { format: 1, starts: { "another-run/1": 49 }, drawn: 0 };
  await writeJson(world.vault.store, layout.dayCalls(tomorrow), full, always);
  Object.assign(world.env, clockMovedBy(86_400_000));
  await world.sharedWorker();
  const { skipped } = await run.result();
  expect(skipped).toMatchObject([
    { type: "OverCeiling", reason: expect.stringContaining("ceiling of 50 calls") },
  ]);
  expect((await world.sandbox.stats()).calls).toBe(2 + 1);
  expect(await callsTakenOn(world.vault, tomorrow)).toBe(50);
});
