// One rate shared by several worker processes: the service must see it obeyed and fully used, whatever their number.
import { temporalForTests, type TestTemporal } from "../../test/support/temporal.ts";
import { ourName } from "../nights/contender.ts";
import { ourNight, worldFor } from "../nights/ours.ts";
import { horoscopeNight } from "../nights/work.ts";
import { spreadOf } from "../rounds.ts";
import { withEnds } from "../../test/support/ends.ts";
import type { Line, Measure } from "./measure.ts";

const requests = 240;
const ratePerSecond = 20;
const latencyMs = 200;
const ofIdeal = 1.03;

export const limitedAbout = `one limit over several workers: ${requests} requests at ${ratePerSecond} a second, answers after ${latencyMs} ms, 1, 2 and 4 worker processes; from the first call to the last, over the ideal`;

export const limitedWorkers: Measure = {
  name: "limited-20-workers",
  about: limitedAbout,
  boundSeconds: 240,
  async run({ rounds = 3, share, atEnd }): Promise<Line[]> {
    return linesOfLimited(await temporalForTests({}, atEnd), share, rounds);
  },
};

export async function linesOfLimited(
  temporal: Pick<TestTemporal, "address">,
  share: number,
  rounds: number,
): Promise<Line[]> {
  const work = horoscopeNight(requests * share, { ratePerSecond, concurrency: 64, latencyMs });
  const idealMs = ((work.requests - 1) * 1000) / ratePerSecond;
  const lines: Line[] = [];
  for (const workers of [1, 2, 4]) {
    const figures: number[] = [];
    let most = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { firstToLastCallMs, mostInASecond } = await withEnds(async (end) => {
        const world = await worldFor(work, temporal, end);
        await Promise.all(Array.from({ length: workers }, () => world.worker()));
        return ourNight(world, work);
      });
      figures.push(firstToLastCallMs / idealMs);
      most = Math.max(most, mostInASecond);
    }
    const isKept = most <= ratePerSecond + 1;
    const words = `at most ${ofIdeal} and ${ratePerSecond + 1} calls`;
    lines.push({
      what: `${ourName}, ${workers} worker${workers === 1 ? "" : "s"}`,
      unit: "× ideal",
      digits: 3,
      figures,
      aim: { words, holds: isKept && spreadOf(figures).median <= ofIdeal },
      note: `at most ${most} calls in one second`,
    });
  }
  return lines;
}
