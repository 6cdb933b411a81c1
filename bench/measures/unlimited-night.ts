// A night limited only by the calls in flight: the whole path of a reading. Ours judges, stores, renders and publishes all files of
// a site; the peers' write one page and one data file.
import { nightsOf, ourName } from "../nights/contender.ts";
import { almanac } from "../nights/ours.ts";
import { createPeers } from "../nights/peers.ts";
import { horoscopeNight } from "../nights/work.ts";
import { spreadOf } from "../rounds.ts";
import { temporalForTests } from "../../test/support/temporal.ts";
import { atLeast, type Line, type Measure, ratiosOf } from "./measure.ts";

const requests = 600;
const concurrency = 64;
const latencyMs = 200;
/** Target ratio for each contender's rate. */
const wanted: Readonly<Record<string, number>> = {
  "bare script": 0.63,
  BullMQ: 0.65,
  "simple Temporal": 0.9,
};

export const unlimitedNight: Measure = {
  name: "unlimited",
  about: `unlimited night: ${requests} requests, answers after ${latencyMs} ms, ${concurrency} at once; readings a second, from the start to the last file`,
  boundSeconds: 300,
  async run({ rounds = 3, share, atEnd }): Promise<Line[]> {
    const work = horoscopeNight(requests * share, { concurrency, latencyMs });
    const temporal = await temporalForTests({}, atEnd);
    const contenders = [almanac(temporal), ...createPeers(temporal)];
    const nights = await nightsOf(contenders, work, { rounds, withinMs: 60_000 });
    const rateOf = (name: string): number[] =>
      (nights.get(name)?.nights ?? []).map(({ tookMs }) => (work.requests * 1000) / tookMs);
    const ours = rateOf(ourName);
    return contenders.map(({ name, missing }): Line => {
      const figures = rateOf(name);
      const line = { what: name, unit: "readings/s", digits: 0, figures };
      if (missing !== undefined) return { ...line, missing };
      const { nights: had = [], failure: failed } = nights.get(name) ?? {};
      if (had.length === 0) return { ...line, failed };
      const costs = had.map(({ processorMs }) => processorMs / work.requests);
      const note = `${spreadOf(costs).median.toFixed(1)} ms CPU per reading`;
      if (name === ourName) return { ...line, note, failed };
      const ratios = ratiosOf(ours, figures);
      const aim = ratios.length === 0 ? undefined : atLeast(spreadOf(ratios), wanted[name] ?? 1);
      return { ...line, note, failed, ratios, aim };
    });
  },
};
