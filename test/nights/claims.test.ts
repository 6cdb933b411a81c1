// One request is asked once, however many runs and workers want it, and whatever becomes of them.
import { expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import { claimNote } from "../../vault/claim-files.ts";
import { readJson } from "../../vault/json.ts";
import {
  capturesIn,
  historiesOf,
  isStable,
  moveClock,
  pathsOn,
  quickService,
  sandboxKey,
} from "../support/looks.ts";
import { countsIn, createWorld, until, type World } from "../support/night.ts";
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
  // On a busy machine an answer takes seconds, and none is asked for again for that reason.
  service: { ...quickService, answerTimeoutSeconds: { english: 30, translator: 30, legacy: 30 } },
};

const small: ConfigurationInput = { ...configuration, languages: ["hi"], operations: ["daily-horoscope"] };

/** The holders of all claims. */
async function holdersIn({ vault }: World): Promise<string[]> {
  const holders: string[] = [];
  for await (const { key } of vault.store.list("claims/")) {
    const claim = await readJson(vault.store, key, claimNote("").schema);
    holders.push(...Object.keys(claim?.holders ?? {}));
  }
  return holders;
}

test.concurrent("a nightly and a backfill of the same languages end whole, ask for nothing twice with two workers, and leave no claim held", async () => {
  const world = await createWorld(temporal, configuration, atEnd);
  await world.sandbox.latency({ translator: { fixedMs: 100, jitterMs: 300 } });
  await Promise.all([world.worker(), world.sharedWorker()]);
  const night = await world.nightly();
  const beside = await world.backfill({ languages: ["hi", "ja"] });
  const ended = await Promise.all([night.result(), beside.result()]);
  for (const progress of ended) {
    expect(progress).toMatchObject({ state: "done", broken: {}, setAside: [] });
    const { kept, held } = countsIn(progress);
    expect(kept + held).toBe(progress.planned);
  }
  const captures = await capturesIn(world);
  const { byRequest, calls } = await world.sandbox.stats();
  const asked = [...captures.keys()].filter(isStable).map((key) => byRequest[sandboxKey(key)]?.calls);
  expect(asked.length).toBeGreaterThan(50);
  expect(asked.filter((times) => times !== 1)).toEqual([]);
  expect(calls).toBe(captures.size);
  expect(await holdersIn(world)).toEqual([]);
  const paths = await pathsOn(world.site);
  for (const language of ["hi", "ja"]) expect(paths.has(`${language}/daily/leo/index.html`)).toBe(true);
});

test.concurrent("two backfills that share a language both end whole, and ask for nothing twice; a cancelled night leaves no claim held", async () => {
  const world = await createWorld(temporal, configuration, atEnd);
  await world.sharedWorker();
  const operations = ["daily-horoscope"] as const;
  const both = await world.backfill({ languages: ["hi", "ja"], operations: [...operations] });
  const one = await world.backfill({ languages: ["hi"], operations: [...operations] });
  expect(one.id).not.toBe(both.id);
  const ended = await Promise.all([both.result(), one.result()]);
  for (const progress of ended) expect(progress).toMatchObject({ state: "done", broken: {}, setAside: [] });
  expect((await world.sandbox.stats()).calls).toBe((await world.held()).length);

  await world.sandbox.latency({ translator: { fixedMs: 30_000 } });
  const run = await world.nightly();
  await until("claims", async () => (await holdersIn(world)).length > 1);
  await run.cancel();
  await expect(run.result()).rejects.toThrow();
  await until("their end", async () => (await holdersIn(world)).length === 0);
});

test.concurrent("two nights that meet over midnight gather the same local date side by side, and ask for nothing twice", async () => {
  const world = await createWorld(temporal, { ...small, languages: ["ja"], zones: {} }, atEnd);
  await moveClock(world, "2026-11-21T23:00:00Z"); // eight in the morning of the next day in Tokyo, for both
  await world.sandbox.latency({ translator: { fixedMs: 400 } });
  await world.sharedWorker();
  const evening = await world.nightly({ asOf: "2026-11-21T23:00:00Z" });
  const night = await world.nightly({ asOf: "2026-11-22T03:05:00Z" });
  expect(night.id).not.toBe(evening.id);
  const ended = await Promise.all([evening.result(), night.result()]);
  for (const progress of ended) {
    expect(progress).toMatchObject({ state: "done", broken: {}, setAside: [] });
    expect(countsIn(progress)).toMatchObject({ planned: progress.planned });
    expect(progress.planned).toBeGreaterThan(0);
  }
  expect((await world.sandbox.stats()).calls).toBe((await world.held()).length);
  const editions = (await historiesOf(world))
    .map(({ workflowId }) => workflowId)
    .filter((id) => /edition/.test(id));
  expect(editions.toSorted()).toEqual([
    `${world.id}-edition-ja-2026-11-23`,
    expect.stringMatching(/-nightly-2026-11-2[12]-edition-ja-2026-11-23$/), // whichever of them came second
  ]);
});

test.concurrent("a killed worker's claims are taken over by the next attempt as soon as it is missed, long before they end", async () => {
  const service = { ...quickService, answerTimeoutSeconds: { translator: 600 } }; // the claims end long after this test
  const world = await createWorld(temporal, { ...small, service }, atEnd);
  await world.sandbox.latency({ translator: { fixedMs: 1_500 } });
  const worker = await world.worker();
  const run = await world.nightly();
  await until("captures", async () => (await world.held()).length > 4);
  await until("claims", async () => (await holdersIn(world)).length > 0);
  await worker.kill();
  const kept = (await world.held()).length;
  const called = (await world.sandbox.stats()).calls;
  await world.sharedWorker();
  const ended = await run.result();
  expect(countsIn(ended)).toMatchObject({ setAside: 0 });
  expect(await world.held()).toHaveLength(ended.planned);
  // Only what was in flight is asked again.
  expect((await world.sandbox.stats()).calls - ended.planned).toBe(called - kept);
  expect(await holdersIn(world)).toEqual([]);
});
