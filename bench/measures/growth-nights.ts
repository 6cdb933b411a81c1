// How a night grows: with its requests, and with more workers at the same one. Only with bench:long.
import { temporalForTests } from "../../test/support/temporal.ts";
import { ourName } from "../nights/contender.ts";
import { ourNight, worldFor } from "../nights/ours.ts";
import { peakMemoryMb } from "../nights/processes.ts";
import { nightOf, people, type Work } from "../nights/work.ts";
import type { Line, Measure, Settings } from "./measure.ts";
import { withEnds } from "../../test/support/ends.ts";

const concurrency = 64;
const animals = "which-animal-are-you-reading" as const;
/** A person asks for one reading in each of 25 languages. */
const languagesEach = 25;

interface Grown {
  readonly secondsAThousand: number;
  readonly processorMs: number;
  readonly memoryMb: number;
}

function nightOfPeople(requests: number): Work {
  const many = people(Math.round(requests / languagesEach));
  return nightOf({ operations: [animals], people: many }, { concurrency, latencyMs: 50 });
}

async function grown(work: Work, workers: number, atEnd: Settings["atEnd"]): Promise<Grown> {
  const temporal = await temporalForTests({}, atEnd);
  const world = await worldFor(work, temporal, atEnd);
  const first = await world.worker();
  for (let more = 1; more < workers; more += 1) await world.worker();
  const { tookMs, processorMs } = await ourNight(world, first, work, temporal);
  return {
    secondsAThousand: tookMs / work.requests,
    processorMs: processorMs / work.requests,
    memoryMb: peakMemoryMb(first.pid),
  };
}

export const growthOfNights: Measure = {
  name: "growth-requests",
  about: "growth: nights of 1,000, 10,000 and 50,000 requests; seconds for each thousand of them",
  boundSeconds: 2_400,
  long: true,
  async run({ rounds = 1, share }): Promise<Line[]> {
    const lines: Line[] = [];
    let smallest: number[] | undefined;
    for (const requests of [1_000, 10_000, 50_000]) {
      const all: Grown[] = [];
      const work = nightOfPeople(requests * share);
      for (let round = 0; round < rounds; round += 1) all.push(await withEnds((end) => grown(work, 1, end)));
      const figures = all.map(({ secondsAThousand }) => secondsAThousand);
      const note = `${all.map(({ processorMs }) => processorMs.toFixed(1)).join(", ")} ms of the processor's a reading, ${all.map(({ memoryMb }) => memoryMb.toFixed(0)).join(", ")} MB`;
      const ratios = smallest?.map((one, round) => (figures[round] ?? Number.NaN) / one);
      lines.push({
        what: `${ourName}, ${work.requests} requests`,
        unit: "s",
        digits: 2,
        figures,
        ratios,
        note,
      });
      smallest ??= figures;
    }
    return lines;
  },
};

export const growthOfWorkers: Measure = {
  name: "growth-workers",
  about:
    "growth: a night of 2,000 requests with 1, 2 and 4 workers on the same machine; seconds for each thousand of them",
  boundSeconds: 600,
  long: true,
  async run({ rounds = 1, share }): Promise<Line[]> {
    const lines: Line[] = [];
    const work = nightOfPeople(2_000 * share);
    for (const workers of [1, 2, 4]) {
      const figures: number[] = [];
      for (let round = 0; round < rounds; round += 1)
        figures.push((await withEnds((end) => grown(work, workers, end))).secondsAThousand);
      lines.push({ what: `${ourName}, ${workers} workers`, unit: "s", digits: 2, figures });
    }
    return lines;
  },
};
