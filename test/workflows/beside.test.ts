import { expect, test } from "vitest";
import { type ConfigurationInput } from "../../readings/configuration.schema.ts";
import { capturesIn, isStable, pathsOn, quickService, sandboxKey, fileEnd } from "../support/looks.ts";
import { countsIn, createWorld } from "../support/night.ts";
import { temporalForTests } from "../support/temporal.ts";

const temporal = await temporalForTests();
const atEnd = fileEnd();

const configuration: ConfigurationInput = {
  languages: ["hi", "ja"],
  operations: ["daily-horoscope", "weekly-horoscope", "daily-tarot", "wisdom-reading", "love-compatibility"],
  pairs: [
    ["aries", "leo"],
    ["libra", "libra"],
  ],
  service: quickService,
};

test.concurrent("a nightly and a backfill of the same languages at the same time end whole, and nothing is asked twice", async () => {
  const world = await createWorld(temporal, configuration, atEnd);
  await world.sandbox.latency({ translator: { fixedMs: 100, jitterMs: 200 } });
  await world.worker();
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
  const paths = await pathsOn(world.site);
  for (const language of ["hi", "ja"]) expect(paths.has(`${language}/daily/leo/index.html`)).toBe(true);
}, 90_000);

test.concurrent("two backfills that share a language both end whole, and ask for nothing twice", async () => {
  const world = await createWorld(temporal, { ...configuration, operations: ["daily-horoscope"] }, atEnd);
  await world.worker();
  const both = await world.backfill({ languages: ["hi", "ja"] });
  const one = await world.backfill({ languages: ["hi"] });
  expect(one.id).not.toBe(both.id);
  const ended = await Promise.all([both.result(), one.result()]);
  for (const progress of ended) expect(progress).toMatchObject({ state: "done", broken: {}, setAside: [] });
  expect((await world.sandbox.stats()).calls).toBe((await world.held()).length);
}, 90_000);
