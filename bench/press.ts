// `npm run bench:press [-- --pages 3600 --rounds 7]`: pages a second beside Eleventy and Hugo, each a command that reads the
// same readings and writes the same pages to the same disk, start and end included; then ours to memory. The peers live
// in bench/peers (`npm ci --prefix bench/peers`; Hugo as said below). A measurement: losses are printed too.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { constants, plainPages, pressPages, sheetsOf } from "./press-pages.ts";
import { heading, processorTime, row, type Spread, spreadOf } from "./rounds.ts";

const { values } = parseArgs({
  options: { pages: { type: "string", default: "3600" }, rounds: { type: "string", default: "7" } },
});
const rounds = Number(values.rounds);
const sheets = sheetsOf(Number(values.pages));
const pressed = pressPages(sheets);
const count = pressed.length;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Builder {
  readonly name: string;
  /** How many times faster we want to be. */
  readonly aim: number;
  readonly missing?: string | undefined;
  readonly command: readonly string[];
}

const work = mkdtempSync(join(tmpdir(), "almanac-press-"));
const out = (name: string) => join(work, "out", name);

function hugo(): string | undefined {
  const { HUGO_PATH, PATH = "" } = process.env;
  const places = PATH.split(delimiter).map((folder) => join(folder, "hugo"));
  return [HUGO_PATH, ...places, here("peers/python/hugo/binaries/hugo")].find(
    (path) => path !== undefined && existsSync(path),
  );
}

const eleventyEntry = here("peers/node_modules/@11ty/eleventy/cmd.cjs");
const hugoPath = hugo();
const ours: Builder = {
  name: "Almanac",
  aim: 1,
  command: [process.execPath, here("press-ours.ts"), join(work, "sheets.json"), out("Almanac")],
};
const peers: Builder[] = [
  {
    name: "Eleventy",
    aim: 5,
    missing: existsSync(eleventyEntry) ? undefined : "`npm ci --prefix bench/peers` brings it",
    command: [process.execPath, eleventyEntry, "--quiet", `--output=${out("Eleventy")}`],
  },
  {
    name: "Hugo",
    aim: 3,
    missing:
      hugoPath === undefined
        ? "`pip install --no-deps --target bench/peers/python hugo==0.168.0` brings it; HUGO_PATH names another"
        : undefined,
    command: [hugoPath ?? "", "--quiet", "--destination", out("Hugo")],
  },
];

function prepare(): void {
  writeFileSync(join(work, "sheets.json"), JSON.stringify(sheets));
  const [first] = pressed;
  if (first === undefined) throw new Error("no page was pressed: ask for at least twelve");
  for (const { name } of peers) {
    const folder = join(work, name);
    cpSync(here(`peers/${name.toLowerCase()}`), folder, { recursive: true });
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data", "pages.json"), JSON.stringify(plainPages(sheets, pressed)));
    writeFileSync(join(folder, "data", "constants.json"), JSON.stringify(constants(first)));
  }
}

/** Milliseconds by the clock, because Hugo works on all cores at once. */
function build({ name, command: [program = "", ...args] }: Builder): number {
  rmSync(out(name), { recursive: true, force: true });
  const cwd = existsSync(join(work, name)) ? join(work, name) : work;
  const start = performance.now();
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  const tookMs = performance.now() - start;
  if (status !== 0) throw new Error(`${name} failed with ${status}: ${stderr}`);
  return tookMs;
}

/** A page without its markup. */
function words(html: string): string {
  const text = html.replace(/<style>.*?<\/style>/s, "").replaceAll(/<[^>]*>/g, " ");
  return text
    .replaceAll(/&#39;|&#x27;/g, "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** What is measured has to be the same work: as many pages, and on each the same words, with the same style. */
function requireSamePages(name: string): void {
  const written = readdirSync(out(name), { recursive: true, encoding: "utf8" });
  const pages = written.filter((path) => path.endsWith(".html"));
  if (pages.length !== count) throw new Error(`${name} made ${pages.length} pages instead of ${count}`);
  for (const { path, bytes } of pressed) {
    const own = new TextDecoder().decode(bytes);
    const other = readFileSync(join(out(name), path), "utf8");
    if (words(own) !== words(other))
      throw new Error(`${name} says something else in ${path}:\n${words(other)}\n${words(own)}`);
    if (Math.abs(own.length - other.length) > own.length / 20)
      throw new Error(`${name} makes ${path} ${other.length} letters long, we ${own.length}`);
  }
}

const perSecond = ({ min, median, max }: Spread): Spread => ({
  min: (count / max) * 1000,
  median: (count / median) * 1000,
  max: (count / min) * 1000,
});

try {
  prepare();
  const there = [ours, ...peers.filter(({ missing }) => missing === undefined)];
  for (const builder of there) {
    build(builder); // the first run warms what the machine keeps
    requireSamePages(builder.name);
  }
  const costs = new Map<string, number[]>(there.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const turned = [...there.slice(round % there.length), ...there.slice(0, round % there.length)];
    for (const builder of turned) costs.get(builder.name)?.push(build(builder));
  }
  print(costs);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function print(costs: ReadonlyMap<string, readonly number[]>): void {
  const own = costs.get(ours.name) ?? [];
  console.log(
    `\n${count} pages of the same words, read from a file and written to disk, ${rounds} rounds side by side`,
  );
  console.log(heading);
  for (const [name, all] of costs) console.log(row(`${name}, pages a second`, perSecond(spreadOf(all)), 0));
  for (const { name, aim, missing } of peers) {
    if (missing !== undefined) {
      console.log(`  ${name} is not on this machine and was not measured: ${missing}`);
      continue;
    }
    const ratio = spreadOf((costs.get(name) ?? []).map((cost, round) => cost / (own[round] ?? Number.NaN)));
    console.log(row(`times as fast as ${name}, round by round`, ratio, 2));
    console.log(verdict(`${aim} times as fast as ${name}`, ratio.median, aim));
  }
  const memory = Array.from({ length: 11 }, () => processorTime(1, () => pressPages(sheets)) / count);
  const each = spreadOf(memory);
  const rate = { min: 1e6 / each.max, median: 1e6 / each.median, max: 1e6 / each.min };
  console.log(`\nThe same pages to memory, ${memory.length} times, in processor time`);
  console.log(heading);
  console.log(row("microseconds a page", each));
  console.log(row("pages a second", rate, 0));
  console.log(verdict("10000 pages a second", rate.median, 10_000));
}

function verdict(what: string, seen: number, aim: number): string {
  return `  the aim ${seen >= aim ? "holds" : "is missed"}: at least ${what}, ${seen.toFixed(seen < 100 ? 2 : 0)} here`;
}
