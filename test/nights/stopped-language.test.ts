// A language of which a rule refuses every answer: it stops early, is reported at once, and holds up no other.
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { allPairs } from "../../readings/pairs.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { almanac } from "../support/cli.ts";
import { startCollector } from "../support/collector.ts";
import { fileEnd } from "../support/ends.ts";
import { letPass, quickService } from "../support/looks.ts";
import { createWorld, until, type World } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";
import { stoppedLanguages } from "../../vault/call-notes.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();

/** A night's calls in a language, less the twelve probes that it may send in six hours. */
const mostBeforeProbes = 60 - 12;

async function callsIn({ sandbox }: World, language: string): Promise<number> {
  const { byRequest } = await sandbox.stats();
  const own = Object.entries(byRequest).filter(([key]) => key.includes(`/${language}/`));
  return own.reduce((sum, [, { calls }]) => sum + calls, 0);
}

async function heldIn({ vault }: World, language: string): Promise<number> {
  return (await vault.held("")).filter((key) => key.includes(`/${language}/`)).length;
}

test.concurrent("a language that reads like another one is asked at most 60 times in a night, reported at once, and asked again in the next night or under other rules", async () => {
  const world = await createWorld(
    temporal,
    {
      languages: ["de", "it"],
      operations: ["daily-horoscope", "weekly-horoscope", "monthly-horoscope", "love-compatibility"],
      pairs: allPairs.slice(0, 60).map(([one, other]) => [one, other]),
      service: quickService,
    },
    atEnd,
  );
  const alerts = await startCollector(atEnd);
  const [port = 0] = await freePorts([undefined]);
  Object.assign(world.env, { ALMANAC_ALERT_URL: alerts.url, ALMANAC_MONITOR_ADDRESS: String(port) });
  await world.sandbox.faults([{ match: { language: "it" }, fault: "wrongLanguage", language: "en" }]);
  const worker = await world.worker();
  const stops = () => alerts.received.filter(({ body }) => body.includes("language-stopped"));

  const night = await world.nightly();
  let isOver = false;
  const ended = night.result().finally(() => (isOver = true));
  ended.catch(() => undefined);
  await until("the alert, or the night's end", async () => stops().length > 0 || isOver, 120_000);
  const isPublished = async () =>
    (await night.progress()).published.some((one) => one.languages.includes("de"));
  await until("the other language to be published", async () => isOver || (await isPublished()), 120_000);
  const { languages } = await night.progress();
  const planned = Object.values(languages.it ?? {}).reduce((sum, one) => sum + one.planned, 0);
  expect(planned).toBeGreaterThan(90);
  expect(await callsIn(world, "it")).toBeLessThanOrEqual(mostBeforeProbes);
  expect(stops().map(({ body }) => body)).toEqual([
    expect.stringMatching(/it: (1[2-9]|2[0-9]|3[0-6]) of \1 read like English/),
  ]);
  // Its first publish may come before its last readings.
  await until("all readings of the other language", async () => (await heldIn(world, "de")) === planned);
  expect(isOver).toBe(false);

  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toMatch(/^almanac_next_edition_missing_readings\{[^}]*language="it"[^}]*\} 12$/m);
  const options = { env: world.env, cwd: world.folder };
  const status = await almanac(["status"], options);
  expect(status.stdout).toMatch(
    /^it has been stopped since .*the rule "language" .*reads like en.*next probe/m,
  );
  expect(status.stdout).not.toMatch(/about .* left/);
  const quarantine = await almanac(["quarantine", "list"], options);
  expect(quarantine.stdout).toMatch(/^it: \d+ rejected by the rule "language".*quality\.rules/m);

  await night.cancel();
  await expect(ended).rejects.toThrow();
  const before = await callsIn(world, "it");
  const asOf = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
  const next = await world.nightly({ asOf });
  const nextEnded = next.result();
  nextEnded.catch(() => undefined);
  await until("the next night's alert", async () => stops().length > 1, 120_000);
  const calls = (await callsIn(world, "it")) - before;
  expect(calls).toBeGreaterThanOrEqual(12);
  expect(calls).toBeLessThanOrEqual(mostBeforeProbes);
  expect(await heldIn(world, "it")).toBe(0);

  await worker.stop();
  const path = world.env["ALMANAC_CONFIG"] ?? "";
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace("{", '{"quality":{"rules":{"language":"warn"}},'));
  await world.sharedWorker();
  await until("texts under other rules", async () => (await heldIn(world, "it")) > 12, 120_000);
  await next.cancel();
  await expect(nextEnded).rejects.toThrow();
}, 400_000);

test.concurrent("calls that are out when the language stops are few, however many may be in flight and whichever worker makes them", async () => {
  const all = <Figure>(figure: Figure) => ({ english: figure, translator: figure, legacy: figure });
  const world = await createWorld(
    temporal,
    {
      languages: ["it"],
      operations: ["weekly-horoscope", "monthly-horoscope", "love-compatibility"],
      pairs: allPairs.slice(0, 100).map(([one, other]) => [one, other]),
      service: { ratePerSecond: all(200), concurrency: all(100), answerTimeoutSeconds: all(60) },
    },
    atEnd,
  );
  await world.sandbox.latency({ translator: { fixedMs: 2_000 } });
  await world.sandbox.faults([{ match: { language: "it" }, fault: "wrongLanguage", language: "en" }]);
  await Promise.all([world.worker(), world.sharedWorker()]);
  const night = await world.nightly();
  const ended = night.result();
  ended.catch(() => undefined);
  const stopped = () => stoppedLanguages(world.vault, night.id);
  await until("the stop", async () => (await stopped()).length > 0, 120_000);
  // Whatever was out is answered, and asked again after a second if nothing holds it.
  await letPass(6_000);
  expect(await callsIn(world, "it")).toBeLessThanOrEqual(mostBeforeProbes);
  expect(await stopped()).toMatchObject([{ language: "it", run: night.id, probes: 0 }]);
  await night.cancel();
  await expect(ended).rejects.toThrow();
}, 240_000);
