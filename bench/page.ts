// `npm run bench:page [-- files]`: writes results into docs/performance.md and bench/README.md, as a table between the markers of each
// part, and draws the picture of the first. If several results have a part, the newest counts.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { table, withPart } from "../docs/reference/markdown.ts";
import { measures } from "./measures/index.ts";
import type { Line, Measure } from "./measures/measure.ts";
import { picture } from "./picture.ts";
import { spreadOf } from "./rounds.ts";
import { type Results, resultsSchema } from "./table.ts";

const inRepository = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const performance = "docs/performance.md";
const readme = "bench/README.md";
/** Folders where `npm run bench`, `bench:long`, `bench:postgres` and `bench:great` store their outcomes. */
const usual = ["bench", "bench-long", "bench-postgres", "bench-great"].map((name) => `.almanac/${name}.json`);

interface Part {
  /** Name in the page's markers. */
  readonly name: string;
  readonly page: string;
  readonly command: string;
  readonly picture?: string;
  has(measure: Measure): boolean;
}

/** A longer note is only in the table on the terminal. */
const longestNote = 100;

const isOnPostgres = (name: string): boolean => name.startsWith("postgres");
const parts: readonly Part[] = [
  {
    name: "figures",
    page: performance,
    command: "npm run bench",
    picture: "docs/images/bench.svg",
    has: ({ long, named }) => long !== true && named !== true,
  },
  {
    name: "growth",
    page: readme,
    command: "npm run bench:long",
    has: ({ name, long }) => long === true && !isOnPostgres(name),
  },
  {
    name: "postgres",
    page: readme,
    command: "npm run bench:postgres",
    has: ({ name }) => isOnPostgres(name),
  },
  { name: "great", page: readme, command: "npm run bench:great", has: ({ named }) => named === true },
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
    .find(({ outcomes, share }) => outcomes.length > 0 && share === 1); // a trial's figures don't count
  if (results === undefined) return console.log(`${part.name}: nothing was measured whole`);
  const file = inRepository(part.page);
  writeFileSync(file, withPart(part.page, readFileSync(file, "utf8"), part.name, tableFor(results, part)));
  if (part.picture !== undefined) writeFileSync(inRepository(part.picture), picture(results, part.command));
  console.log(`${part.name}: ${results.outcomes.length} rows of ${results.measuredAt}`);
}

function tableFor(
  { outcomes, machine, node, measuredAt }: Results,
  { command, picture: drawn }: Part,
): string {
  const rows = outcomes.flatMap(({ name, lines, state, failure }) =>
    state === "measured"
      ? lines.map((line, index) => [index === 0 ? `\`${name}\`` : "", ...cellsOf(line)])
      : [[`\`${name}\``, "", `${state}: ${failure ?? ""}`, "", "", ""]],
  );
  const shown =
    drawn === undefined ? "" : `\n\n![Bar chart of the figures in this table](${drawn.replace("docs/", "")})`;
  const about = `\`${command}\`, ${measuredAt.slice(0, 10)}, ${machine.cores} cores (${machine.model}), Node ${node.slice(1)}:`;
  return `${about}\n\n${table(["row", "measured", "median", "ratio", "details", "target"], rows)}${shown}`;
}

function cellsOf({ what, unit, digits, figures, ratios = [], aim, note, missing, failed }: Line): string[] {
  const details = [
    note !== undefined && note.length <= longestNote ? note : undefined,
    missing === undefined ? undefined : `not measured: ${missing}`,
    failed === undefined ? undefined : `failed: ${failed}`,
  ];
  return [
    what,
    figures.length === 0 ? "" : `${inWords(spreadOf(figures).median, digits)} ${unit}`.trimEnd(),
    ratios.length === 0 ? "" : spreadOf(ratios).median.toFixed(2),
    details.filter((words) => words !== undefined).join("; "),
    aim === undefined ? "" : `${aim.words} (${aim.holds ? "met" : "**missed**"})`,
  ];
}

function inWords(figure: number, digits: number): string {
  return figure.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
