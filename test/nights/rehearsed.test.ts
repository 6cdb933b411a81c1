// A night as it was rehearsed and the same one on a real Temporal server, with a sandbox that answers after two seconds, at
// two rates; with test:deep another one whose calls in flight set the time.
import { expect, test } from "vitest";
import { type RehearsedCall, rehearseNight } from "../../insight/simulated-night.ts";
import { type ConfigurationInput, configurationSchema } from "../../readings/configuration.schema.ts";
import { allPairs } from "../../readings/pairs.ts";
import { deep } from "../support/deep.ts";
import { fileEnd } from "../support/ends.ts";
import { createWorld } from "../support/night.ts";
import { zonesAtNoon } from "../support/noon.ts";
import { sharedTemporal } from "../support/temporal.ts";
import { unpacedNightMs } from "../support/unpaced-night.ts";

const temporal = await sharedTemporal();
const atEnd = fileEnd();

interface Night {
  readonly rate: number;
  readonly latencyMs: number;
  readonly inFlight: number;
  readonly pairs: number;
  /** Allowed deviation, as a share of the predicted time. */
  readonly off: number;
}

function configurationFor({ rate, inFlight, pairs }: Night): ConfigurationInput {
  const all = <T>(figure: T) => ({ english: figure, translator: figure, legacy: figure });
  return {
    languages: ["hi", "ja"],
    zones: zonesAtNoon(),
    operations: ["love-compatibility", "wisdom-reading"],
    pairs: allPairs.slice(0, pairs).map(([one, other]) => [one, other]),
    service: { ratePerSecond: all(rate), concurrency: all(inFlight), answerTimeoutSeconds: all(60) },
  };
}

const nights: readonly Night[] = [
  { rate: 5, inFlight: 32, pairs: deep ? 144 : 24, latencyMs: 2_000, off: 0.05 },
  { rate: 10, inFlight: 32, pairs: deep ? 144 : 48, latencyMs: 2_000, off: 0.05 },
  ...(deep ? [{ rate: 5, inFlight: 8, pairs: 70, latencyMs: 8_000, off: 0.05 }] : []),
];

/** All nights run concurrently, so one control is enough. */
let machine: Promise<number> | undefined;

test.concurrent.each(nights)(
  "a night at $rate a second with responses of $latencyMs ms makes the rehearsed calls in the rehearsed time",
  { timeout: 400_000 },
  async (night) => {
    const { rate, latencyMs, off } = night;
    const configuration = configurationFor(night);
    const world = await createWorld(temporal, configuration, atEnd);
    await world.sandbox.latency({ translator: { fixedMs: latencyMs } });
    await world.sharedWorker();
    const [ended, machineMs] = await Promise.all([
      world.nightly().then((run) => run.result()),
      deep ? 0 : (machine ??= unpacedNightMs(temporal, atEnd)),
    ]);
    const { calls, byEndpoint, byRequest } = await world.sandbox.stats();

    const rehearsed = await rehearseNight(
      new Date(ended.asOf),
      { keys: new Map(), quarantined: new Set(), refusals: new Map() },
      {
        configuration: configurationSchema.parse(configuration),
        from: new Date(ended.asOf),
        days: 1,
        outages: [],
        refused: { languages: [], operations: [] },
        latencyMs: { translator: latencyMs },
        newChance: () => () => 0.5,
      },
      () => 0.5,
    );
    const { firstMs, lastMs } = byEndpoint.translator;
    const tookMs = (lastMs ?? 0) - (firstMs ?? 0) + latencyMs;
    const foretoldMs = spanOf(rehearsed.calls);
    console.log(
      `${rate}/s: ${calls} calls in ${(tookMs / 1000).toFixed(2)} s, ` +
        `rehearsed ${(foretoldMs / 1000).toFixed(2)} s`,
    );
    expect(calls).toBe(rehearsed.calls.reduce((sum, call) => sum + call.calls, 0));
    expect(tookMs).toBeGreaterThan(foretoldMs * (1 - off));
    if (deep) expect(tookMs).toBeLessThan(foretoldMs * (1 + off));
    // A busy machine holds some calls up, but not each run of half of them.
    const sentMs = Object.values(byRequest).map((request) => request.firstMs);
    const foretoldHalfMs = quickerHalfMs(rehearsed.calls.map((call) => call.firstMs ?? Infinity));
    expect(quickerHalfMs(sentMs)).toBeLessThan(foretoldHalfMs * (1 + off) + machineMs);
  },
);

/** The time between the first and the last of half the calls, where they follow each other the soonest. */
function quickerHalfMs(callsMs: readonly number[]): number {
  const inOrder = callsMs.toSorted((one, other) => one - other);
  const half = Math.ceil(inOrder.length / 2);
  return Math.min(...inOrder.slice(half - 1).map((last, index) => last - (inOrder[index] ?? -Infinity)));
}

/** Duration from the first call to the last response. */
function spanOf(calls: readonly RehearsedCall[]): number {
  const begun = Math.min(...calls.map(({ firstMs = Infinity }) => firstMs));
  return Math.max(...calls.map(({ endMs }) => endMs)) - begun;
}
