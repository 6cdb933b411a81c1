// Kills the worker halfway through a night and starts another one: the number of repeated calls, none of which may be for a stored
// reading, and the extra duration beyond the time to detect the death.
import { setTimeout as delay } from "node:timers/promises";
import { takeoverMs } from "../../store/lease.ts";
import { languageNames } from "../../readings/tables.ts";
import { until } from "../../test/support/night.ts";
import { temporalForTests, type TestTemporal } from "../../test/support/temporal.ts";
import { ourName } from "../nights/contender.ts";
import { worldFor } from "../nights/ours.ts";
import { at, nightOf, people, type Work } from "../nights/work.ts";
import { spreadOf } from "../rounds.ts";
import { atMost, type Line, type Measure, type Settings } from "./measure.ts";
import { withEnds } from "../../test/support/ends.ts";

const concurrency = 64;
/** Calls that a killed worker sent may still be on their way. */
const arrivesWithinMs = 300;
const horoscopes = ["daily-horoscope", "weekly-horoscope", "monthly-horoscope", "yearly-horoscope"] as const;
const translated = languageNames.filter((language) => language !== "en" && language !== "gu");

interface Crashed {
  readonly repeats: number;
  /** Calls for readings that were stored before the kill. */
  readonly keptAgain: number;
  /** Duration beyond the night's own pace and the time after which a silent worker counts as dead. */
  readonly extraSeconds: number;
}

export const crash: Measure = {
  name: "crash",
  about: `crash: SIGKILL at half of 2,000 requests, another worker at once, ${concurrency} at once; the extra time is beyond the ${takeoverMs / 1000} s after which the other takes the dead one's leases over`,
  boundSeconds: 180,
  async run({ rounds = 1, share, atEnd }): Promise<Line[]> {
    const languages = translated.slice(0, Math.max(1, Math.round(20 * share)));
    const operations = [...horoscopes, "which-animal-are-you-reading" as const];
    const work = nightOf({ languages, operations, people: people(40) }, { concurrency, latencyMs: 200 });
    const temporal = await temporalForTests({}, atEnd);
    const crashes: Crashed[] = [];
    for (let round = 0; round < rounds; round += 1)
      crashes.push(await withEnds((end) => crashed(work, temporal, end)));
    const repeats = crashes.map((one) => one.repeats);
    const keptAgain = crashes.map((one) => one.keptAgain);
    const extra = crashes.map((one) => one.extraSeconds);
    const most = atMost(spreadOf(repeats), 2 * concurrency); // calls in flight, and as many responses that are being stored
    const none = atMost(spreadOf(keptAgain), 0);
    return [
      {
        what: `${ourName}, repeated although stored`,
        unit: "calls",
        digits: 0,
        figures: keptAgain,
        aim: none,
      },
      { what: `${ourName}, repeated in total`, unit: "calls", digits: 0, figures: repeats, aim: most },
      {
        what: `${ourName}, extra time`,
        unit: "s",
        digits: 1,
        figures: extra,
        aim: atMost(spreadOf(extra), 5, " s"),
      },
    ];
  },
};

/**
 * The pace is that of the half before the kill, because a comparison night would take another minute. The second half has less to
 * do: its end is publishing, which is excluded on both sides.
 */
async function crashed(work: Work, temporal: TestTemporal, atEnd: Settings["atEnd"]): Promise<Crashed> {
  const world = await worldFor(work, temporal, atEnd);
  const first = await world.worker();
  const run = await world.nightly({ asOf: at.toISOString() });
  const half = Math.floor(work.requests / 2);
  const look = async () => (await world.sandbox.stats()).byEndpoint.translator;
  const { firstMs } = await until(
    "half of the calls",
    async () => {
      const seen = await look();
      return seen.calls >= half && seen;
    },
    120_000,
  );
  const atHalf = await look();
  await first.kill();
  await delay(arrivesWithinMs);
  const atKill = { calls: (await look()).calls, kept: (await world.held()).length };
  await world.worker();
  const { state, skipped } = await run.result();
  if (state !== "done" || skipped.length > 0)
    throw new Error(`the night ended as ${state}, ${skipped.length} requests skipped`);
  const { calls, lastMs } = await look();
  const firstHalfMs = (atHalf.lastMs ?? Number.NaN) - (firstMs ?? Number.NaN);
  const ownPaceMs = (firstHalfMs * (work.requests - 1)) / Math.max(1, atHalf.calls - 1);
  const tookMs = (lastMs ?? Number.NaN) - (firstMs ?? Number.NaN);
  return {
    repeats: calls - work.requests,
    // Each reading that was not stored is requested once more; only calls beyond that are repeats.
    keptAgain: calls - atKill.calls - (work.requests - atKill.kept),
    extraSeconds: Math.max(0, tookMs - ownPaceMs - takeoverMs) / 1000,
  };
}
