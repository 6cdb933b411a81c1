// One slow language next to quick ones on the same endpoint: how many of the slots for calls it has.
import { expect, test } from "vitest";
import type { Language } from "../../readings/languages.ts";
import type { SandboxStatistics } from "../support/sandbox.ts";
import { createWorld, until } from "../support/night.ts";
import { temporalForTests } from "../support/temporal.ts";

const temporal = await temporalForTests();

const slow: Language = "hi";
const quick: readonly Language[] = ["ja", "de", "fr", "es", "it"];
const slots = 8;
/** The share of one in six languages, rounded up, and the bundle that is with Temporal at the same time. */
const mostOfOne = 6;
/** Longer than the test: the slow language gets no answer, and keeps every slot that it takes. */
const slowAnswerMs = 590_000;

test("a slow language leaves slots to the others, as long as calls of theirs wait", async () => {
  const all = <T>(figure: T) => ({ english: figure, translator: figure, legacy: figure });
  const world = await createWorld(temporal, {
    languages: [slow, ...quick],
    operations: ["daily-horoscope"],
    service: { ratePerSecond: all(100), concurrency: all(slots), answerTimeoutSeconds: all(600) },
  });
  await world.sandbox.latency({ translator: { fixedMs: 500 } });
  await world.sandbox.faults([{ match: { language: slow }, fault: "slow", delayMs: slowAnswerMs }]);
  const worker = await world.worker();
  const run = await world.nightly();
  // Today's twelve and tomorrow's, without the last: when no call of the others waits, a free slot is the slow language's too.
  const calls = quick.length * 24 - 24;
  const stats = await until("the calls of the others", async () => {
    const now = await world.sandbox.stats();
    return keysOf(now, false).length >= calls ? now : undefined;
  });
  await run.cancel(); // the slow one would be at it for a while
  await worker.kill();
  expect(keysOf(stats, true).length).toBeLessThanOrEqual(mostOfOne);
});

function keysOf({ byRequest }: SandboxStatistics, isSlow: boolean): string[] {
  return Object.keys(byRequest).filter((key) => key.includes(`/${slow}/`) === isSlow);
}
