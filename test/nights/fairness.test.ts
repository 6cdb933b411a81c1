// One slow language beside quick ones on the same address: what it costs the others, in the sandbox's own clock.
import { expect, test } from "vitest";
import { type Language, languageNames } from "../../readings/languages.ts";
import type { SandboxStatistics } from "../support/sandbox.ts";
import { createWorld, until } from "../support/night.ts";
import { temporalForTests } from "../support/temporal.ts";
import { deep } from "../support/deep.ts";

const temporal = await temporalForTests();

interface Case {
  readonly name: string;
  readonly languages: readonly Language[];
  readonly ratePerSecond: number;
  readonly concurrency: number;
  readonly answerMs: number;
  readonly slowAnswerMs: number;
}
const slow: Language = "hi";

/** How long the other languages take until the last of their calls goes out, with or without the slow one's slowness. */
async function othersMs(one: Case, slowed: boolean): Promise<number> {
  const all = <T>(figure: T) => ({ english: figure, translator: figure, legacy: figure });
  const world = await createWorld(temporal, {
    languages: [...one.languages],
    operations: ["daily-horoscope"],
    service: {
      ratePerSecond: all(one.ratePerSecond),
      concurrency: all(one.concurrency),
      answerTimeoutSeconds: all(30),
    },
  });
  await world.sandbox.latency({ translator: { fixedMs: one.answerMs } });
  const delayMs = one.slowAnswerMs - one.answerMs;
  if (slowed) await world.sandbox.faults([{ match: { language: slow }, fault: "slow", delayMs }]);
  const worker = await world.worker();
  const run = await world.nightly();
  const calls = (one.languages.length - 1) * 24; // today's twelve and tomorrow's
  const stats = await until("all calls of the others", async () => {
    const now = await world.sandbox.stats();
    return others(now).length === calls ? now : undefined;
  });
  await run.cancel(); // the slow one would be at it for a while
  await worker.kill();
  return Math.max(...others(stats)) - Math.min(...arrivals(stats));
}

function others({ byRequest }: SandboxStatistics): number[] {
  const named = Object.entries(byRequest).filter(([key]) => !key.includes(`/${slow}/`));
  return named.map(([, { firstMs }]) => firstMs);
}

function arrivals({ byRequest }: SandboxStatistics): number[] {
  return Object.values(byRequest).map(({ firstMs }) => firstMs);
}

const few: readonly Language[] = ["hi", "ja", "de", "fr"];
const translated = languageNames.filter((language) => language !== "en" && language !== "gu");
const slots = { name: "4 languages where the slots are what limits", languages: few };
const cases: readonly Case[] = deep
  ? [
      { ...slots, ratePerSecond: 100, concurrency: 8, answerMs: 500, slowAnswerMs: 10_000 },
      {
        name: "24 languages at the default rate and slots, four times as fast: 20 s answers beside those of 1 s",
        languages: translated,
        ratePerSecond: 20,
        concurrency: 32,
        answerMs: 250,
        slowAnswerMs: 5_000,
      },
      {
        name: "24 languages where the slots are what limits",
        languages: translated,
        ratePerSecond: 100,
        concurrency: 32,
        answerMs: 2_000,
        slowAnswerMs: 20_000,
      },
    ]
  : [{ ...slots, ratePerSecond: 100, concurrency: 8, answerMs: 500, slowAnswerMs: 5_000 }];

test.each(cases)(
  "$name: a slow one costs the others next to nothing",
  { timeout: 600_000, retry: 2 },
  async (one) => {
    const nights = [false, true].map((slowed) => () => othersMs(one, slowed));
    // The full counts one night after the other; the small one both at once, where what else the machine does hits both.
    const [without = 0, beside = 0] = deep
      ? [await nights[0]?.(), await nights[1]?.()]
      : await Promise.all(nights.map((night) => night()));
    console.log(
      `${one.name}: the others took ${(without / 1000).toFixed(1)} s, beside the slow one ${(beside / 1000).toFixed(1)} s: ${(beside / without).toFixed(2)}`,
    );
    // With a window of twice the slots for every language it was 1.9 and more.
    expect(beside / without).toBeLessThanOrEqual(deep ? 1.2 : 1.5);
  },
);
