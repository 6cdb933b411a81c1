// A service with slow responses, like the translator: calls in flight are the limit, and no slot may be idle.
import { nightsOf, ourName } from "../nights/contender.ts";
import { almanac } from "../nights/ours.ts";
import { nightOf } from "../nights/work.ts";
import { languageNames } from "../../readings/tables.ts";
import { spreadOf } from "../rounds.ts";
import { temporalForTests } from "../../test/support/temporal.ts";
import { atMost, type Line, type Measure } from "./measure.ts";

const concurrency = 32;
/** A tenth of the translator's response time. */
const latencyMs = 2_700;
/** Forty requests per language: two days of twelve signs and two cards, and one week of signs. */
const operations = [
  "daily-horoscope",
  "weekly-horoscope",
  "divine-angel-reading",
  "egyptian-prediction",
] as const;
const languages = languageNames.filter((language) => language !== "en" && language !== "gu").slice(0, 16);

export const slowService: Measure = {
  name: "slow-service",
  about: `slow service: 640 requests, answers after 2.7 s (a tenth of the translator's), ${concurrency} at once; from the first call to the last answer, over N x latency / in flight`,
  boundSeconds: 180,
  async run({ rounds = 1, share, atEnd }): Promise<Line[]> {
    const some = languages.slice(0, Math.max(1, Math.round(languages.length * share)));
    const work = nightOf({ languages: some, operations: [...operations] }, { concurrency, latencyMs });
    const temporal = await temporalForTests({}, atEnd);
    const bounds = { rounds, withinMs: 150_000 };
    const had = (await nightsOf([almanac(temporal)], work, bounds)).get(ourName);
    const { nights = [], failure } = had ?? {};
    if (nights.length === 0) throw new Error(failure);
    const idealMs = (work.requests * latencyMs) / concurrency;
    const figures = nights.map(({ firstToLastCallMs }) => (firstToLastCallMs + latencyMs) / idealMs);
    const wholeMs = spreadOf(nights.map(({ tookMs }) => tookMs)).median;
    const note = `${work.requests} requests, median of the calls; whole run ${(wholeMs / 1000).toFixed(1)} s, ideal ${(idealMs / 1000).toFixed(1)} s`;
    return [
      { what: ourName, unit: "× ideal", digits: 3, figures, note, aim: atMost(spreadOf(figures), 1.02) },
    ];
  },
};
