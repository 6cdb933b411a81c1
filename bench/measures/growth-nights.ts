// Growth of a night with its requests, and with more workers for the same requests. Only with bench:long.
import { temporalForTests } from "../../test/support/temporal.ts";
import { nightlyId } from "../../workflows/names.ts";
import { ourName } from "../nights/contender.ts";
import { historiesOf } from "../nights/histories.ts";
import { ourNight, worldFor } from "../nights/ours.ts";
import { peakMemoryMb, processorMsFromNow, watchMemory } from "../nights/processes.ts";
import { at, nightOf, people, type Work } from "../nights/work.ts";
import { type Line, type Measure, medianOf, type Settings } from "./measure.ts";
import { withEnds } from "../../test/support/ends.ts";

const concurrency = 64;
const animals = "which-animal-are-you-reading" as const;
/** A person asks for one reading in each of 25 languages. */
const languagesEach = 25;

interface Grown {
  readonly secondsAThousand: number;
  readonly processorMs: number;
  /** Peak memory of the largest worker with its child processes; `serverMb` is that of Temporal's server. */
  readonly workerMb: number;
  readonly serverMb: number;
  /** History of the night's largest workflow. */
  readonly historyKb: number;
}

export function nightOfPeople(requests: number): Work {
  const many = people(Math.round(requests / languagesEach));
  return nightOf({ operations: [animals], people: many }, { concurrency, latencyMs: 50 });
}

async function grown(work: Work, workers: number, atEnd: Settings["atEnd"]): Promise<Grown> {
  const temporal = await temporalForTests({}, atEnd);
  const world = await worldFor(work, temporal, atEnd);
  const first = await world.worker();
  const pids = [first.pid];
  for (let more = 1; more < workers; more += 1) pids.push((await world.worker()).pid);
  const peaks = watchMemory(Object.fromEntries(pids.map((pid) => [`worker ${pid}`, pid])));
  const spent = processorMsFromNow(...pids, temporal.pid());
  const { tookMs } = await ourNight(world, work);
  const processorMs = spent();
  const workerMb = Math.max(...peaks().values());
  const histories = await historiesOf(world.client, nightlyId(world.id, at.toISOString().slice(0, 10)));
  return {
    secondsAThousand: tookMs / work.requests,
    processorMs: processorMs / work.requests,
    workerMb,
    serverMb: peakMemoryMb(temporal.pid()),
    historyKb: Math.max(...histories.map(({ bytes }) => bytes)) / 1024,
  };
}

/** Medians of the values that the figures leave out. */
function noteOf(all: readonly Grown[]): string {
  const median = (name: keyof Grown, digits = 0) => medianOf(all.map((one) => one[name])).toFixed(digits);
  return `${median("processorMs", 1)} ms CPU per reading, worker ${median("workerMb")} MB, Temporal server ${median("serverMb")} MB, largest workflow history ${median("historyKb")} KB`;
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
      const ratios = smallest?.map((one, round) => (figures[round] ?? Number.NaN) / one);
      lines.push({
        what: `${ourName}, ${work.requests} requests`,
        unit: "s",
        digits: 2,
        figures,
        ratios,
        note: noteOf(all),
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
    let alone: number[] | undefined;
    const work = nightOfPeople(2_000 * share);
    for (const workers of [1, 2, 4]) {
      const all: Grown[] = [];
      for (let round = 0; round < rounds; round += 1)
        all.push(await withEnds((end) => grown(work, workers, end)));
      const figures = all.map(({ secondsAThousand }) => secondsAThousand);
      const ratios = alone?.map((one, round) => (figures[round] ?? Number.NaN) / one);
      const what = `${ourName}, ${workers} worker${workers === 1 ? "" : "s"}`;
      lines.push({ what, unit: "s", digits: 2, figures, ratios, note: noteOf(all) });
      alone ??= figures;
    }
    return lines;
  },
};
