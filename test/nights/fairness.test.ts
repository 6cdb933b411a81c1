// One slow language next to quick ones on the same endpoint: how many of the places for calls it has.
import { expect, test } from "vitest";
import type { Language } from "../../readings/tables.ts";
import type { SandboxStatistics } from "../support/sandbox.ts";
import { createWorld, until, type World } from "../support/night.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();

const slow: Language = "hi";
const quick: readonly Language[] = ["ja", "de", "fr", "es", "it"];
const slots = 8;
/** The share of one of six languages, rounded up, and the batch that is with Temporal at the same time. */
const mostOfOne = 6;
/** Longer than the test: the slow language gets no answer, and keeps every place that it takes. */
const slowAnswerMs = 590_000;
/** Far fewer than the others have: calls of theirs wait all the time. */
const furtherCalls = 96;

test("a slow language leaves slots for the others as long as they have waiting calls", async () => {
  const all = <T>(figure: T) => ({ english: figure, translator: figure, legacy: figure });
  const world = await createWorld(temporal, {
    languages: [slow, ...quick],
    operations: ["daily-horoscope", "weekly-horoscope", "monthly-horoscope", "yearly-horoscope"],
    service: { ratePerSecond: all(100), concurrency: all(slots), answerTimeoutSeconds: all(600) },
  });
  await world.sandbox.latency({ translator: { fixedMs: 500 } });
  const worker = await world.worker();
  const run = await world.nightly();
  const calls = async (isSlow: boolean) => keysOf(await world.sandbox.stats(), isSlow).length;
  const seen = await until("calls of every quick language", async () => {
    const keys = keysOf(await world.sandbox.stats(), false);
    return quick.every((one) => keys.some((key) => key.includes(`/${one}/`))) ? keys.length : undefined;
  });
  // It becomes slow when the others are here. If no other language waited for a place, the slow one could take all of them.
  await world.sandbox.faults([{ match: { language: slow }, fault: "slow", delayMs: slowAnswerMs }]);
  await until("further calls of the others", async () =>
    (await calls(false)) >= seen + furtherCalls ? true : undefined,
  );
  const unanswered = (await calls(true)) - (await storedOf(world)).length;
  await run.cancel(); // the slow one would be at it for a while
  await worker.kill();
  expect(unanswered).toBeGreaterThan(0);
  expect(unanswered).toBeLessThanOrEqual(mostOfOne);
});

async function storedOf({ vault }: World): Promise<string[]> {
  return (await vault.held("")).filter((key) => key.includes(`/${slow}/`));
}

function keysOf({ byRequest }: SandboxStatistics, isSlow: boolean): string[] {
  return Object.keys(byRequest).filter((key) => key.includes(`/${slow}/`) === isSlow);
}
