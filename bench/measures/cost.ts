// What a reading costs of the processor's time, end to end, and what memory a worker takes for ten thousand of them. Beside
// the bare script's cost and that of an activity that does nothing, which is what Temporal takes for itself.
import { temporalForTests } from "../../test/support/temporal.ts";
import { nightsOf, ourName, withEnds } from "../nights/contender.ts";
import { ourNight, worldFor } from "../nights/ours.ts";
import { bare, emptyActivities } from "../nights/peers.ts";
import { peakMemoryMb } from "../nights/processes.ts";
import { horoscopeNight, nightOf, people } from "../nights/work.ts";
import { medianOf, type Line, type Measure, type Settings } from "./measure.ts";

const concurrency = 64;
/** With a whole night of all languages and operations they make 10,086 requests. */
const manyPeople = 200;
const someRequests = 600;

export const cost: Measure = {
  name: "cost",
  about:
    "cost: 10,086 requests, worker and Temporal's server together; milliseconds of the processor's time a reading",
  boundSeconds: 420,
  async run({ rounds = 3, share, atEnd }): Promise<Line[]> {
    const plain = await plainCosts(rounds, share, atEnd);
    const whole = await wholeNight(share, atEnd);
    const unit = "ms";
    const lines: Line[] = [
      { what: `${ourName}, ${whole.requests} requests`, unit, digits: 1, figures: [whole.cost] },
    ];
    if (plain === undefined) {
      lines.push({ what: "a bare script", unit, digits: 1, figures: [], missing: bare.missing ?? "" });
    } else {
      const sum = medianOf(plain.bareCosts) + medianOf(plain.emptyCosts);
      const ratio = whole.cost / sum;
      lines.push(
        { what: "a bare script", unit, digits: 1, figures: plain.bareCosts },
        { what: "an activity that does nothing", unit, digits: 1, figures: plain.emptyCosts },
        {
          what: "both together",
          unit,
          digits: 1,
          figures: [sum],
          ratios: [ratio],
          aim: { words: "at most 1.5 times", holds: ratio <= 1.5 },
        },
      );
    }
    const aim = { words: "under 350 MB", holds: whole.memoryMb < 350 };
    lines.push({
      what: `${ourName}, its worker's memory`,
      unit: "MB",
      digits: 0,
      figures: [whole.memoryMb],
      aim,
    });
    return lines;
  },
};

async function wholeNight(share: number, atEnd: Settings["atEnd"]) {
  const site =
    share < 1
      ? horoscopeNight(1440 * share, { concurrency, latencyMs: 50 }).site
      : { people: people(manyPeople) };
  const work = nightOf(site, { concurrency, latencyMs: 50 });
  const temporal = await temporalForTests({}, atEnd);
  const world = await worldFor(work, temporal, atEnd);
  const worker = await world.worker();
  const { processorMs } = await ourNight(world, worker, work, temporal);
  return { requests: work.requests, cost: processorMs / work.requests, memoryMb: peakMemoryMb(worker.pid) };
}

async function plainCosts(rounds: number, share: number, atEnd: Settings["atEnd"]) {
  if (bare.missing !== undefined) return undefined;
  const work = horoscopeNight(someRequests * share, { concurrency, latencyMs: 50 });
  const temporal = await temporalForTests({}, atEnd);
  const nights = await nightsOf([bare], work, { rounds, withinMs: 60_000 });
  const emptyCosts: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { processorMs } = await withEnds((end) => emptyActivities(work, temporal, end));
    emptyCosts.push(processorMs / work.requests);
  }
  const bareCosts = (nights.get(bare.name)?.nights ?? []).map(
    ({ processorMs }) => processorMs / work.requests,
  );
  return { bareCosts, emptyCosts };
}
