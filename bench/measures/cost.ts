// Processor time per reading, end to end, compared with a plain script and with an empty activity, which shows Temporal's own
// share.
import { temporalForTests } from "../../test/support/temporal.ts";
import { nightsOf, ourName } from "../nights/contender.ts";
import { almanac } from "../nights/ours.ts";
import { bare, emptyActivities } from "../nights/peers.ts";
import { horoscopeNight } from "../nights/work.ts";
import { spreadOf } from "../rounds.ts";
import { atMost, type Line, type Measure, ratiosOf } from "./measure.ts";
import { withEnds } from "../../test/support/ends.ts";

const requests = 300;
const most = 1.3;

export const cost: Measure = {
  name: "cost",
  about: `cost: a first night of ${requests} requests, with Temporal's server; milliseconds of the processor's time a reading`,
  boundSeconds: 240,
  async run({ rounds = 2, share, atEnd }): Promise<Line[]> {
    const work = horoscopeNight(requests * share, { concurrency: 64, latencyMs: 50 });
    const temporal = await temporalForTests({}, atEnd);
    const nights = await nightsOf([almanac(temporal), bare], work, { rounds, withinMs: 60_000 });
    const costsOf = (name: string): number[] =>
      (nights.get(name)?.nights ?? []).map(({ processorMs }) => processorMs / work.requests);
    const line = { unit: "ms", digits: 1 };
    const ours = costsOf(ourName);
    const own: Line = { ...line, what: ourName, figures: ours, failed: nights.get(ourName)?.failure };
    if (bare.missing !== undefined)
      return [own, { ...line, what: bare.name, figures: [], missing: bare.missing }];
    const empty: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { processorMs } = await withEnds((end) => emptyActivities(work, temporal, end));
      empty.push(processorMs / work.requests);
    }
    const plain = costsOf(bare.name);
    const both = plain.map((figure, round) => figure + (empty[round] ?? Number.NaN));
    const ratios = ratiosOf(ours, both);
    return [
      own,
      { ...line, what: bare.name, figures: plain, failed: nights.get(bare.name)?.failure },
      { ...line, what: "empty activity", figures: empty },
      {
        ...line,
        what: `${bare.name} + empty activity`,
        figures: both,
        ratios,
        aim: atMost(spreadOf(ratios), most, " times"),
      },
    ];
  },
};
