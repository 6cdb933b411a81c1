// Pages a second beside Eleventy and Hugo (bench:press says more), each a command from its start to its end.
import { sheetsOf } from "../press-pages.ts";
import { ours, peers, pressRounds } from "../press-rounds.ts";
import { spreadOf } from "../rounds.ts";
import { atLeast, type Line, type Measure, ratiosOf } from "./measure.ts";

/** About as many as a night of 26 languages has. */
const pages = 3600;

export const press: Measure = {
  name: "press",
  about: `press: ${pages} pages of the same words, read from a file and written to disk; pages a second`,
  boundSeconds: 180,
  async run({ rounds = 2, share }): Promise<Line[]> {
    const sheets = sheetsOf(pages * share);
    const count = sheets.length * 12;
    const costs = pressRounds(sheets, rounds);
    const rateOf = (name: string): number[] =>
      (costs.get(name) ?? []).map((tookMs) => (count * 1000) / tookMs);
    const own = rateOf(ours.name);
    return [ours, ...peers].map(({ name, aim, missing }): Line => {
      const figures = rateOf(name);
      const line = { what: name, unit: "a second", digits: 0, figures };
      if (missing !== undefined) return { ...line, missing };
      if (name === ours.name) return line;
      const ratios = ratiosOf(own, figures);
      return { ...line, ratios, aim: atLeast(spreadOf(ratios), aim, " times") };
    });
  },
};
