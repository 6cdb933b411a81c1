// The rate of our calls: as the workers' processes send them, and as the sandbox sees them when a call's headers are in.
import { beforeAll, describe, expect, test } from "vitest";
import type { ConfigurationInput } from "../../readings/configuration.schema.ts";
import type { Language } from "../../readings/tables.ts";
import { allPairs } from "../../readings/pairs.ts";
import type { SandboxStatistics } from "../support/sandbox.ts";
import { deep } from "../support/deep.ts";
import { unpacedNightMs } from "../support/unpaced-night.ts";
import { fileEnd } from "../support/ends.ts";
import { countsIn, createWorld, type World } from "../support/night.ts";
import { mostInASecond, recordSends, sendsOf } from "../support/sends.ts";
import { sharedTemporal } from "../support/temporal.ts";

const temporal = await sharedTemporal();

const dailies = ["daily-horoscope"] as const;

/** All calls go to one endpoint; the number of languages and pairs sets the length of the night. */
function configuration(ratePerSecond: number, languages: Language[], pairs: number): ConfigurationInput {
  const all = <T>(figure: T) => ({ english: figure, translator: figure, legacy: figure });
  return {
    languages,
    // With dailies, pages would be rendered during the night; at 100 calls per second, two cores have no time for that.
    operations: [...(ratePerSecond < 100 ? dailies : []), "weekly-horoscope", "love-compatibility"],
    pairs: allPairs.slice(0, pairs).map(([one, other]) => [one, other]),
    service: {
      ratePerSecond: all(ratePerSecond),
      concurrency: all(32),
      answerTimeoutSeconds: all(60),
    },
  };
}

interface Seen {
  readonly calls: number;
  /** The most in a sliding second. */
  readonly peak: number;
  /** Duration from the first call to the last, divided by the minimum for that many calls at the rate. */
  readonly overIdeal: number;
  /** The quickest run of half the calls, and the least that it takes at the rate. */
  readonly quickerHalfMs: number;
  readonly idealHalfMs: number;
  readonly arrivalsMs: readonly number[];
}

async function nightIn(world: World, languages: Language[], ratePerSecond: number): Promise<Seen> {
  await world.sandbox.clearStats();
  const ended = await (await world.nightly({ languages })).result();
  expect(countsIn(ended)).toMatchObject({ stored: ended.planned, retried: 0, skipped: 0 });
  const stats = await world.sandbox.stats();
  expect(stats.calls).toBe(ended.planned);
  const sent = (await sendsOf(world)).slice(-stats.calls);
  expect(sent).toHaveLength(stats.calls);
  return seenBy(stats, mostInASecond(sent), ratePerSecond);
}

function seenBy({ byEndpoint, byRequest }: SandboxStatistics, sent: number, ratePerSecond: number): Seen {
  const { calls, firstMs, lastMs, peakInSlidingSecond } = byEndpoint.translator;
  const idealMs = (count: number) => ((count - 1) * 1000) / ratePerSecond;
  const arrivalsMs = Object.values(byRequest)
    .map((request) => request.firstMs)
    .sort((one, other) => one - other);
  const half = Math.ceil(arrivalsMs.length / 2);
  const halvesMs = arrivalsMs
    .slice(half - 1)
    .map((lastOfHalf, index) => lastOfHalf - (arrivalsMs[index] ?? 0));
  return {
    calls,
    // Too many calls are too many at both ends. A process that is held up shows a call late at one of them.
    peak: Math.min(sent, peakInSlidingSecond),
    overIdeal: ((lastMs ?? 0) - (firstMs ?? 0)) / idealMs(calls),
    quickerHalfMs: Math.min(...halvesMs),
    idealHalfMs: idealMs(half),
    arrivalsMs,
  };
}

interface Night {
  readonly rate: number;
  readonly languages: number;
  /** Languages of the night with two workers: when the second one starts, a few calls' time passes once until each has its share. */
  readonly languagesOfTwo: number;
  readonly pairs: number;
  /** Warms up the worker with an earlier night, which compiles its code. */
  readonly before: Language[];
}
const nights: readonly Night[] = deep
  ? [
      { rate: 20, languages: 1, languagesOfTwo: 3, pairs: 120, before: [] },
      { rate: 100, languages: 8, languagesOfTwo: 15, pairs: 144, before: ["bn", "ta"] },
    ]
  : [{ rate: 10, languages: 1, languagesOfTwo: 3, pairs: 8, before: [] }];

describe.each(nights)("at $rate a second", ({ rate, languages, languagesOfTwo, pairs, before }) => {
  const atEnd = fileEnd();
  const forNights: Language[] = [
    ...(["hi", "ja", "de", "fr", "es", "it", "pt", "ru"] as const),
    ...(["zh", "ar", "nl", "pl", "tr", "uk", "hu", "el"] as const),
    ...(["mr", "te", "ml", "kn", "fil", "id", "gu"] as const),
  ];
  const left = [...forNights];
  const nextLanguages = (count: number) => left.splice(0, count);
  let world: World;
  let isAlone = true;
  beforeAll(async () => {
    world = await createWorld(temporal, configuration(rate, [...before, ...forNights], pairs), atEnd);
    await world.sandbox.latency({ translator: { fixedMs: 50 } });
    recordSends(world);
    await world.worker();
    if (before.length > 0) await (await world.nightly({ languages: before })).result();
  });
  const tell = ({ calls, peak, overIdeal }: Seen, workers: string) =>
    console.log(
      `${rate}/s, ${workers}: ${calls} calls, at most ${peak} in a second, ${overIdeal.toFixed(3)} of ideal`,
    );

  test("no sliding second exceeds the rate by more than one call, and the night is no longer than necessary", async () => {
    const [seen, machineMs] = await Promise.all([
      nightIn(world, nextLanguages(languages), rate),
      deep ? 0 : unpacedNightMs(temporal, atEnd),
    ]);
    tell(seen, "one worker");
    expect(seen.peak).toBeLessThanOrEqual(rate + 1);
    if (deep) expect(seen.overIdeal).toBeLessThanOrEqual(1.03);
    else expect(seen.quickerHalfMs).toBeLessThanOrEqual(1.15 * seen.idealHalfMs + machineMs);
  });

  test("two workers together stay within the rate in every second", async () => {
    if (isAlone) await world.worker();
    isAlone = false;
    const seen = await nightIn(world, nextLanguages(languagesOfTwo), rate);
    tell(seen, "two workers");
    expect(seen.arrivalsMs).toHaveLength(seen.calls);
    expect(seen.peak).toBeLessThanOrEqual(rate + 1);
    if (deep) expect(seen.overIdeal).toBeLessThanOrEqual(1.1);
  });
});
