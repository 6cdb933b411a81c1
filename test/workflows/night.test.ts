import { expect, test } from "vitest";
import { type ConfigurationInput } from "../../readings/configuration.schema.ts";
import { pointerPath } from "../../activities/publish/state.ts";
import { countsIn, createWorld, until } from "../support/night.ts";
import { temporalForTests } from "../support/temporal.ts";

const temporal = await temporalForTests();

/** Small and quick: three languages, horoscopes, cards of two kinds, four pairs. */
const small: ConfigurationInput = {
  languages: ["en", "hi", "ja"],
  operations: ["daily-horoscope", "weekly-horoscope", "daily-tarot", "wisdom-reading", "love-compatibility"],
  pairs: [
    ["aries", "leo"],
    ["leo", "aries"],
    ["libra", "libra"],
    ["pisces", "virgo"],
  ],
  service: {
    ratePerSecond: { english: 100, translator: 100, legacy: 100 },
    concurrency: { english: 8, translator: 8, legacy: 2 },
    answerTimeoutSeconds: { english: 5, translator: 5, legacy: 5 },
  },
};

test("asks for every due request once and for nothing else; a second night asks for nothing and changes no byte", async () => {
  const world = await createWorld(temporal, small);
  await world.worker();
  const run = await world.nightly();
  const ended = await run.result();
  const counts = countsIn(ended);
  expect(ended.state).toBe("done");
  expect(counts).toEqual({ planned: ended.planned, kept: ended.planned, held: 0, retried: 0, setAside: 0 });
  const stats = await world.sandbox.stats();
  expect(stats.calls).toBe(ended.planned);
  expect(await world.held()).toHaveLength(ended.planned);

  const pointer = await world.site.read(pointerPath);
  const again = await (await world.nightly()).result();
  expect(again.planned).toBe(0);
  expect((await world.sandbox.stats()).calls).toBe(ended.planned);
  expect((await world.site.read(pointerPath))?.version).toBe(pointer?.version);
});

test("a second start of the same night attaches; one for other languages is refused and names the run", async () => {
  const world = await createWorld(temporal, small);
  await world.sandbox.latency({ translator: { fixedMs: 100 } });
  const first = await world.nightly();
  const second = await world.nightly();
  expect(second).toMatchObject({ id: first.id, attached: true });
  await expect(world.nightly({ languages: ["hi"] })).rejects.toThrow(
    `${first.id} is running for all languages`,
  );
  await first.cancel();
});

test("one quiet sign holds back its own sheet and nothing else", async () => {
  const world = await createWorld(temporal, small);
  await world.sandbox.faults([
    { match: { operation: "daily-horoscope", language: "hi", sign: "leo" }, fault: "empty" },
  ]);
  await world.worker();
  const ended = await (await world.nightly()).result();
  expect(ended.setAside.map(({ key }) => key)).toEqual([
    expect.stringMatching(/hi\/daily-horoscope\/leo$/),
    expect.stringMatching(/hi\/daily-horoscope\/leo$/),
  ]);
  expect(ended.setAside[0]).toMatchObject({ type: "Unfit" });
  expect(countsIn(ended)).toMatchObject({ setAside: 2, retried: 4 });
  expect(await world.site.read("en/daily/leo/index.html")).toBeDefined();
  expect(await world.site.read("hi/weekly/leo/index.html")).toBeDefined();
  expect(await world.site.read("hi/daily/aries/index.html")).toBeUndefined();
  const entries = await world.vault.inQuarantine("");
  expect(entries).toHaveLength(2);
});

test("the day's ceiling holds over all starts of a night, and what it left out is told", async () => {
  const world = await createWorld(temporal, { ...small, service: { ...small.service, callsPerDay: 40 } });
  await world.worker();
  const first = await (await world.nightly()).result();
  expect(first.planned).toBe(40);
  expect(first.leftOut).toBeGreaterThan(0);
  const again = await (await world.nightly()).result();
  expect(again).toMatchObject({ planned: 0, held: 40, leftOut: first.leftOut });
  expect((await world.sandbox.stats()).calls).toBe(40);
});

test("an answer rejected at random is asked again and kept", async () => {
  const world = await createWorld(temporal, small);
  await world.sandbox.faults([
    { match: { operation: "daily-tarot" }, fault: "http400", times: 2 },
    { match: { operation: "wisdom-reading" }, fault: "http500", times: 2 },
    { match: { operation: "love-compatibility" }, fault: "http429", times: 1, retryAfter: 1 },
  ]);
  await world.worker();
  const ended = await (await world.nightly()).result();
  expect(countsIn(ended)).toMatchObject({ kept: ended.planned, setAside: 0 });
  expect((await world.sandbox.stats()).calls).toBe(ended.planned + 5);
});

test("a refusal in mid-night closes the gate, few calls go out while it is closed, and it opens by itself after renewal", async () => {
  const world = await createWorld(temporal, small);
  await world.sandbox.latency({ english: { fixedMs: 100 }, translator: { fixedMs: 100 } });
  await world.worker();
  const run = await world.nightly();
  await until("some captures", async () => (await world.held()).length > 10);
  await world.sandbox.credentials({ token: "another", apiKey: "another" });
  await until(
    "the gate is closed",
    async () => (await world.vault.store.read("gate/translator.json")) !== undefined,
  );
  const before = (await world.sandbox.stats()).byStatus["401"] ?? 0;
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const after = (await world.sandbox.stats()).byStatus["401"] ?? 0;
  // The calls in flight on both addresses, and the probes of three seconds on each.
  expect(before).toBeLessThanOrEqual(18);
  expect(after - before).toBeLessThanOrEqual(18);
  await world.sandbox.credentials({ token: world.sandbox.token, apiKey: world.sandbox.apiKey });
  const ended = await run.result();
  // A probe that succeeds keeps its answer, which the request then finds held.
  const { kept, held, setAside } = countsIn(ended);
  expect({ all: kept + held, setAside }).toEqual({ all: ended.planned, setAside: 0 });
  expect(await world.held()).toHaveLength(ended.planned);
  const log = await world.log();
  expect(log).not.toContain(world.sandbox.token);
}, 60_000);

test("a worker killed in mid-night loses nothing that was kept and repeats at most the calls in flight", async () => {
  const world = await createWorld(temporal, small);
  await world.sandbox.latency({ english: { fixedMs: 150 }, translator: { fixedMs: 150 } });
  const first = await world.worker();
  const run = await world.nightly();
  await until("a third of the night", async () => (await world.held()).length > 60);
  await first.kill();
  const kept = await world.held();
  await world.worker();
  const ended = await run.result();
  expect(ended.state).toBe("done");
  const held = await world.held();
  expect(held).toEqual(expect.arrayContaining(kept));
  expect(held).toHaveLength(ended.planned);
  const stats = await world.sandbox.stats();
  expect(stats.calls - ended.planned).toBeLessThanOrEqual(18); // the slots of the three addresses
}, 90_000);

test("cancelling a night stops its calls within a second and keeps what was kept", async () => {
  const world = await createWorld(temporal, small);
  await world.sandbox.latency({ english: { fixedMs: 3_000 }, translator: { fixedMs: 3_000 } });
  await world.worker();
  const run = await world.nightly();
  await until("calls in flight", async () => (await world.sandbox.stats()).calls > 4);
  await run.cancel();
  await expect(run.result()).rejects.toThrow();
  const calls = (await world.sandbox.stats()).calls;
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect((await world.sandbox.stats()).calls).toBe(calls);
}, 60_000);
