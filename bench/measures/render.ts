// Pages per second, compared with Eleventy and Hugo (bench:render reports more), each a command measured from start to end, on disk
// and in memory; and the cost of making one page.
import { ours, peers } from "../render-builders.ts";
import { renderPages } from "../render-pages.ts";
import { setsOf } from "../render-readings.ts";
import { missingPlace, type Place, renderRounds } from "../render-rounds.ts";
import { processorTime, spreadOf } from "../rounds.ts";
import { atLeast, type Line, type Measure, ratiosOf } from "./measure.ts";

/** About the number of pages in a night of 26 languages. */
const pages = 3600;

const work = `${pages} pages of the same words, read from a file and written`;
export const render = renderMeasure("render", "disk", `render: ${work} to disk; pages a second`);
export const renderInMemory = renderMeasure(
  "render-in-memory",
  "memory",
  `render in memory: ${work} to a folder in memory; pages a second`,
);

function renderMeasure(name: string, place: Place, about: string): Measure {
  return {
    name,
    about,
    boundSeconds: 300, // files that stay on disk until the end take as long to remove
    async run({ rounds = 2, share }): Promise<Line[]> {
      const sets = setsOf(pages * share);
      const count = sets.length * 12;
      const missing = missingPlace(place);
      const costs = missing === undefined ? renderRounds(sets, rounds, place) : new Map<string, number[]>();
      const rateOf = (builder: string): number[] =>
        (costs.get(builder) ?? []).map((tookMs) => (count * 1000) / tookMs);
      const own = rateOf(ours.name);
      return [ours, ...peers].map((builder): Line => {
        const figures = rateOf(builder.name);
        const line = { what: builder.name, unit: "pages/s", digits: 0, figures };
        const lacks = missing ?? builder.missing;
        if (lacks !== undefined) return { ...line, missing: lacks };
        if (builder === ours) return line;
        const ratios = ratiosOf(own, figures);
        return { ...line, ratios, aim: atLeast(spreadOf(ratios), builder.aims[place], " times") };
      });
    },
  };
}

/** Pages per second of processor time, without startup and files. */
export const pagesToMemory: Measure = {
  name: "pages",
  about: `pages: the same ${pages} to memory, without a start or a file; pages a second of processor time`,
  boundSeconds: 60,
  async run({ rounds = 2, share }): Promise<Line[]> {
    const sets = setsOf(pages * share);
    const count = sets.length * 12;
    // The first three runs only warm the compiler.
    const times = Array.from({ length: 3 + rounds * 4 }, () => processorTime(1, () => renderPages(sets)));
    const figures = times.slice(3).map((microseconds) => (count * 1e6) / microseconds);
    const aim = atLeast(spreadOf(figures), 13_000);
    return [{ what: ours.name, unit: "pages/s", digits: 0, figures, aim }];
  },
};
