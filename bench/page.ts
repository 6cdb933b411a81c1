// `npm run bench:page [-- files]`: writes what was measured into docs/performance.md, as a table between the markers of each
// part, and draws that page's picture and that of growth. Of several results that have a part the newest counts.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { table, withPart } from "../scripts/generate/markdown.ts";
import { measures } from "./measures/index.ts";
import type { Line, Measure } from "./measures/measure.ts";
import { picture } from "./picture.ts";
import { spreadOf } from "./rounds.ts";
import { type Results, resultsSchema } from "./table.ts";

const inRepository = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const page = inRepository("docs/performance.md");
/** Where `npm run bench`, `bench:long`, `bench:postgres` and `bench:great` keep theirs. */
const usual = ["bench", "bench-long", "bench-postgres", "bench-great"].map((name) => `.almanac/${name}.json`);

interface Part {
  /** Of its markers. */
  readonly name: string;
  readonly command: string;
  readonly picture?: string;
  has(measure: Measure): boolean;
}

const isOnPostgres = (name: string): boolean => name.startsWith("postgres");
const parts: readonly Part[] = [
  {
    name: "beside",
    command: "npm run bench",
    picture: "docs/images/bench.svg",
    has: ({ long, named }) => long !== true && named !== true,
  },
  {
    name: "growth",
    command: "npm run bench:long",
    picture: "docs/images/bench-growth.svg",
    has: ({ name, long }) => long === true && !isOnPostgres(name),
  },
  { name: "postgres", command: "npm run bench:postgres", has: ({ name }) => isOnPostgres(name) },
  { name: "great", command: "npm run bench:great", has: ({ named }) => named === true },
];

const given = process.argv.slice(2);
const files = given.length > 0 ? given : usual.filter((file) => existsSync(file));
const all = files.map((file) => resultsSchema.parse(JSON.parse(readFileSync(file, "utf8"))));
const newestFirst = all.toSorted((one, other) => other.measuredAt.localeCompare(one.measuredAt));
for (const part of parts) write(part, newestFirst);

function write(part: Part, newest: readonly Results[]): void {
  const names = new Set(measures.filter((measure) => part.has(measure)).map(({ name }) => name));
  const results = newest
    .map((one) => ({ ...one, outcomes: one.outcomes.filter(({ name }) => names.has(name)) }))
    .find(({ outcomes, share }) => outcomes.length > 0 && share === 1); // a trial's figures are none
  if (results === undefined) return console.log(`${part.name}: nothing was measured whole`);
  writeFileSync(page, withPart(page, readFileSync(page, "utf8"), part.name, tableFor(results, part)));
  if (part.picture !== undefined) writeFileSync(inRepository(part.picture), picture(results, part.command));
  console.log(`${part.name}: ${results.outcomes.length} rows of ${results.measuredAt}`);
}

function tableFor(
  { outcomes, machine, node, measuredAt }: Results,
  { command, picture: drawn }: Part,
): string {
  const rows = outcomes.flatMap(({ name, lines, state, failure }) =>
    state === "measured"
      ? lines.map((line) => [`\`${name}\``, ...cellsOf(line)])
      : [[`\`${name}\``, "", "", "", "", "", `${state}: ${failure ?? ""}`]],
  );
  const shown = drawn === undefined ? "" : `\n\n![Drawn of the same run](${drawn.replace("docs/", "")})`;
  const about = `\`${command}\`, ${measuredAt.slice(0, 10)}, ${machine.cores} cores (${machine.model}), Node ${node.slice(1)}:`;
  const heads = ["row", "of", "median", "least to most", "ratio", "aim", "besides"];
  return `${about}\n\n${table(heads, rows)}${shown}`;
}

function cellsOf({ what, unit, digits, figures, ratios = [], aim, note, missing, failed }: Line): string[] {
  const besides = [note, missing && `not measured: ${missing}`, failed && `failed: ${failed}`];
  const { min, median, max } = spreadOf(figures);
  const isOne = figures.length < 2;
  return [
    what,
    figures.length === 0 ? "" : `${median.toFixed(digits)} ${unit}`,
    isOne ? "" : `${min.toFixed(digits)} to ${max.toFixed(digits)}`,
    ratios.length === 0 ? "" : spreadOf(ratios).median.toFixed(2),
    aim === undefined ? "" : `${aim.words}: ${aim.holds ? "holds" : "missed"}`,
    besides.filter((words) => words !== undefined).join("; "),
  ];
}
