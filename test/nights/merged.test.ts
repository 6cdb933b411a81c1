// A reading is requested once, however many runs and workers want it, and whatever happens to them.
import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import {
  responsesIn,
  isStable,
  moveClock,
  pathsOn,
  quickService,
  sandboxKey,
  workflowsOf,
} from "../support/looks.ts";
import { countsIn, createWorld, until } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";
import { fileEnd } from "../support/ends.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();

const configuration: ConfigurationInput = {
  languages: ["hi", "ja"],
  operations: ["daily-horoscope", "wisdom-reading", "love-compatibility"],
  pairs: [
    ["aries", "leo"],
    ["libra", "libra"],
  ],
  // On a busy machine a response takes seconds, and must not be requested again.
  service: { ...quickService, answerTimeoutSeconds: { english: 30, translator: 30, legacy: 30 } },
};

const small: ConfigurationInput = { ...configuration, languages: ["hi"], operations: ["daily-horoscope"] };

test.concurrent("a nightly and a backfill of the same languages complete with two workers, without repeated requests", async () => {
  const world = await createWorld(temporal, configuration, atEnd);
  await world.sandbox.latency({ translator: { fixedMs: 100, jitterMs: 300 } });
  await Promise.all([world.worker(), world.sharedWorker()]);
  const night = await world.nightly();
  const beside = await world.backfill({ languages: ["hi", "ja"] });
  const ended = await Promise.all([night.result(), beside.result()]);
  for (const progress of ended) {
    expect(progress).toMatchObject({ state: "done", broken: {}, skipped: [] });
    const { stored, held } = countsIn(progress);
    expect(stored + held).toBe(progress.planned);
  }
  const responses = await responsesIn(world);
  const { byRequest, calls } = await world.sandbox.stats();
  const asked = [...responses.keys()].filter(isStable).map((key) => byRequest[sandboxKey(key)]?.calls);
  expect(asked.length).toBeGreaterThan(50);
  expect(asked.filter((times) => times !== 1)).toEqual([]);
  expect(calls).toBe(responses.size);
  const paths = await pathsOn(world.site);
  for (const language of ["hi", "ja"]) expect(paths.has(`${language}/daily/leo/index.html`)).toBe(true);
});

test.concurrent("two backfills that share a language complete without repeated requests, and a cancelled night's calls stop at once", async () => {
  const world = await createWorld(temporal, configuration, atEnd);
  await world.sharedWorker();
  const operations = ["daily-horoscope"] as const;
  const both = await world.backfill({ languages: ["hi", "ja"], operations: [...operations] });
  const one = await world.backfill({ languages: ["hi"], operations: [...operations] });
  expect(one.id).not.toBe(both.id);
  const ended = await Promise.all([both.result(), one.result()]);
  for (const progress of ended) expect(progress).toMatchObject({ state: "done", broken: {}, skipped: [] });
  expect((await world.sandbox.stats()).calls).toBe((await world.held()).length);

  await world.sandbox.latency({ translator: { fixedMs: 30_000 } });
  const run = await world.nightly();
  const before = (await world.sandbox.stats()).calls;
  await until("calls", async () => (await world.sandbox.stats()).calls > before);
  await run.cancel();
  await expect(run.result()).rejects.toThrow();
});

test.concurrent("two nights that overlap at midnight gather the same local date in parallel, without repeated requests", async () => {
  const world = await createWorld(temporal, { ...small, languages: ["ja"], zones: {} }, atEnd);
  await moveClock(world, "2026-11-21T23:00:00Z"); // eight in the morning of the next day in Tokyo, for both
  await world.sandbox.latency({ translator: { fixedMs: 400 } });
  await world.sharedWorker();
  const evening = await world.nightly({ asOf: "2026-11-21T23:00:00Z" });
  const night = await world.nightly({ asOf: "2026-11-22T03:05:00Z" });
  expect(night.id).not.toBe(evening.id);
  const ended = await Promise.all([evening.result(), night.result()]);
  for (const progress of ended) {
    expect(progress).toMatchObject({ state: "done", broken: {}, skipped: [] });
    expect(countsIn(progress)).toMatchObject({ planned: progress.planned });
    expect(progress.planned).toBeGreaterThan(0);
  }
  expect((await world.sandbox.stats()).calls).toBe((await world.held()).length);
  const editions = (await workflowsOf(world, 4))
    .map(({ workflowId }) => workflowId)
    .filter((id) => /edition/.test(id));
  expect(editions.toSorted()).toEqual([
    `${world.id}-edition-ja-2026-11-23`,
    expect.stringMatching(/-nightly-2026-11-2[12]-edition-ja-2026-11-23$/), // whichever of them came second
  ]);
});

test.concurrent("a killed worker's endpoint is taken over after its batch times out, and only calls in flight are repeated", async () => {
  const world = await createWorld(temporal, small, atEnd);
  await world.sandbox.latency({ translator: { fixedMs: 1_500 } });
  const worker = await world.worker();
  const run = await world.nightly();
  await until("stored responses", async () => (await world.held()).length > 4);
  await worker.kill();
  const stored = (await world.held()).length;
  const called = await until("the end of the calls in flight", async () => {
    const { calls, byStatus } = await world.sandbox.stats();
    return Object.values(byStatus).reduce((sum, ended) => sum + ended, 0) === calls && calls;
  });
  await world.sharedWorker();
  const ended = await run.result();
  expect(countsIn(ended)).toMatchObject({ skipped: 0 });
  expect(await world.held()).toHaveLength(ended.planned);
  // Only calls in flight are repeated.
  expect((await world.sandbox.stats()).calls - ended.planned).toBe(called - stored);
});
