// A night under a rate limit: how close the calls come to the rate, and whether they obey it.
import { ourName, type Contender, type Nights, nightsOf } from "../nights/contender.ts";
import { almanac } from "../nights/ours.ts";
import { createPeers } from "../nights/peers.ts";
import { horoscopeNight } from "../nights/work.ts";
import { spreadOf } from "../rounds.ts";
import { temporalForTests } from "../../test/support/temporal.ts";
import { atMost, type Line, type Measure, ratiosOf, type Settings } from "./measure.ts";

const concurrency = 64;
const latencyMs = 200;
const ofIdeal = 1.02;

function limited(name: string, requests: number, ratePerSecond: number): Measure {
  return {
    name,
    about: `limited night: ${requests} requests at ${ratePerSecond} a second, answers after ${latencyMs} ms; from the first call to the last, over the ideal`,
    boundSeconds: 300,
    async run({ rounds = 1, share, atEnd }: Settings): Promise<Line[]> {
      const work = horoscopeNight(requests * share, { ratePerSecond, concurrency, latencyMs });
      const temporal = await temporalForTests({}, atEnd);
      const contenders = [almanac(temporal), ...createPeers(temporal)];
      const withinMs = 4_000 * (work.requests / ratePerSecond) + 15_000;
      const nights = await nightsOf(contenders, work, { rounds, withinMs });
      const idealMs = ((work.requests - 1) * 1000) / ratePerSecond;
      const overIdeal = (contender: string): number[] =>
        (nights.get(contender)?.nights ?? []).map(({ firstToLastCallMs }) => firstToLastCallMs / idealMs);
      const ours = overIdeal(ourName);
      return contenders.map((contender) =>
        lineOf(contender, overIdeal(contender.name), ours, nights.get(contender.name), ratePerSecond),
      );
    },
  };
}

function lineOf(
  { name, missing }: Contender,
  figures: number[],
  ours: readonly number[],
  had: Nights | undefined,
  ratePerSecond: number,
): Line {
  const line = { what: name, unit: "× ideal", digits: 3, figures };
  if (missing !== undefined) return { ...line, missing };
  const { nights = [], failure: failed } = had ?? {};
  if (nights.length === 0) return { ...line, failed };
  const most = Math.max(...nights.map(({ mostInASecond }) => mostInASecond));
  const isKept = most <= ratePerSecond + 1;
  const note = `at most ${most} calls in one second${isKept ? "" : ", over the limit"}`;
  if (name !== ourName) return { ...line, ratios: ratiosOf(ours, figures), note, failed };
  const near = atMost(spreadOf(figures), ofIdeal);
  const words = `at most ${ofIdeal} and ${ratePerSecond + 1} calls`;
  return { ...line, note, failed, aim: { words, holds: near?.holds === true && isKept } };
}

export const limitedSlow = limited("limited-20", 240, 20);
export const limitedFast = limited("limited-100", 1200, 100);
