// `npm run bench:render [-- --pages 3600 --rounds 7]`: pages per second, compared with Eleventy and Hugo, on disk and in memory,
// then ours without files. The peers are in bench/peers (`npm ci --prefix bench/peers`; for Hugo see below). A measurement: losses
// are printed too.
import { parseArgs } from "node:util";
import { ours, peers } from "./render-builders.ts";
import { renderPages } from "./render-pages.ts";
import { setsOf } from "./render-readings.ts";
import { missingPlace, type Place, renderRounds } from "./render-rounds.ts";
import { heading, processorTime, row, type Spread, spreadOf } from "./rounds.ts";

const { values } = parseArgs({
  options: { pages: { type: "string", default: "3600" }, rounds: { type: "string", default: "7" } },
});
const rounds = Number(values.rounds);
const sets = setsOf(Number(values.pages));
const count = renderPages(sets).length;

const perSecond = ({ min, median, max }: Spread): Spread => ({
  min: (count / max) * 1000,
  median: (count / median) * 1000,
  max: (count / min) * 1000,
});

for (const place of ["disk", "memory"] as const) {
  const missing = missingPlace(place);
  if (missing === undefined) print(place, renderRounds(sets, rounds, place));
  else console.log(`\nNot measured in ${place}: ${missing}`);
}
const times = Array.from({ length: 11 }, () => processorTime(1, () => renderPages(sets)) / count);
const each = spreadOf(times);
const rate = { min: 1e6 / each.max, median: 1e6 / each.median, max: 1e6 / each.min };
console.log(`\nThe same pages to memory, ${times.length} times, in processor time`);
console.log(heading);
console.log(row("microseconds a page", each));
console.log(row("pages a second", rate, 0));
console.log(verdict("13000 pages a second", rate.median, 13_000));

function print(place: Place, costs: ReadonlyMap<string, readonly number[]>): void {
  const own = costs.get(ours.name) ?? [];
  console.log(
    `\n${count} pages of the same words, read from a file and written to ${place}, ${rounds} rounds side by side`,
  );
  console.log(heading);
  for (const [name, all] of costs) console.log(row(`${name}, pages a second`, perSecond(spreadOf(all)), 0));
  for (const { name, aims, missing } of peers) {
    if (missing !== undefined) {
      console.log(`  ${name} was not measured: ${missing}`);
      continue;
    }
    const ratio = spreadOf((costs.get(name) ?? []).map((cost, round) => cost / (own[round] ?? Number.NaN)));
    console.log(row(`times as fast as ${name}, round by round`, ratio, 2));
    console.log(verdict(`${aims[place]} times as fast as ${name}`, ratio.median, aims[place]));
  }
}

function verdict(what: string, seen: number, aim: number): string {
  return `  the aim ${seen >= aim ? "holds" : "is missed"}: at least ${what}, ${seen.toFixed(seen < 100 ? 2 : 0)} here`;
}
