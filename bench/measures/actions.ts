// Billed actions per reading in Temporal Cloud. bench/nights/actions.ts explains how they are counted.
import { temporalForTests } from "../../test/support/temporal.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { type Actions, actionsOf } from "../nights/actions.ts";
import { ourName } from "../nights/contender.ts";
import { ourNight, worldFor } from "../nights/ours.ts";
import { horoscopeNight, type Work } from "../nights/work.ts";
import { spreadOf } from "../rounds.ts";
import { withEnds } from "../../test/support/ends.ts";
import { atMost, type Line, type Measure, type Settings } from "./measure.ts";

/** Response times of a fifth of a second, and of the translator. */
const nights = [
  { requests: 600, latencyMs: 200, concurrency: 64, most: 0.2 },
  { requests: 240, latencyMs: 27_000, concurrency: 120, most: 0.6 },
] as const;

export const actions: Measure = {
  name: "actions",
  about:
    "Temporal's actions as its cloud bills them, heartbeats and children counted: nights of horoscopes, plan to report; actions a kept reading",
  boundSeconds: 240,
  async run({ rounds = 1, share }): Promise<Line[]> {
    const lines: Line[] = [];
    for (const { requests, most, ...bounds } of nights) {
      const work = horoscopeNight(requests * share, bounds);
      const figures: number[] = [];
      let words = "";
      for (let round = 0; round < rounds; round += 1) {
        const billed = await withEnds((end) => billedFor(work, end));
        figures.push(billed.total / work.requests);
        words = billed.words;
      }
      lines.push({
        what: `${ourName}, responses after ${bounds.latencyMs / 1000} s`,
        unit: "actions per reading",
        digits: 2,
        figures,
        aim: atMost(spreadOf(figures), most),
        note: `${work.requests} readings: ${words}`,
      });
    }
    return lines;
  },
};

async function billedFor(work: Work, atEnd: Settings["atEnd"]): Promise<Actions> {
  const [metricsPort = 0] = await freePorts([undefined]);
  const temporal = await temporalForTests({ words: ["--metrics-port", String(metricsPort)] }, atEnd);
  const world = await worldFor(work, temporal, atEnd);
  await world.worker();
  await ourNight(world, work);
  return actionsOf(metricsPort);
}
