// The rounds of bench:render and of the whole table: Almanac, Eleventy and Hugo, each a command that reads the same readings and
// writes the same pages to the same place, measured from start to end. The outputs are compared word by word first.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RenderedFile, ReadingSet } from "../site/edition.ts";
import { type Builder, ours, peers, peersFile } from "./render-builders.ts";
import { renderPages } from "./render-pages.ts";
import { constants, plainPages } from "./render-readings.ts";

export type Place = "disk" | "memory";

const memoryFolder = "/dev/shm";
const tmpfsType = 0x01_02_19_94;
/** Space for three copies of the readings, and the pages of one builder. */
const neededBytes = 400 * 1024 * 1024;

/** Reason why nothing can be measured there; undefined if it can. */
export function missingPlace(place: Place): string | undefined {
  if (place === "disk") return undefined;
  const found = existsSync(memoryFolder) ? statfsSync(memoryFolder) : undefined;
  if (found?.type !== tmpfsType) return `${memoryFolder} is no folder in memory on this machine`;
  return found.bavail * found.bsize < neededBytes
    ? `${memoryFolder} has less than ${neededBytes / 1024 ** 2} MB of room`
    : undefined;
}

/** Wall-clock milliseconds of each round, by builder. */
export function renderRounds(
  sets: readonly ReadingSet[],
  rounds: number,
  place: Place,
): ReadonlyMap<string, readonly number[]> {
  const rendered = renderPages(sets);
  const work = mkdtempSync(join(place === "disk" ? tmpdir() : memoryFolder, "almanac-render-"));
  try {
    prepare(work, sets, rendered);
    const there = [ours, ...peers.filter(({ missing }) => missing === undefined)];
    const costs = new Map<string, number[]>(there.map(({ name }) => [name, []]));
    for (let round = -1; round < rounds; round += 1) {
      const first = (round + there.length) % there.length;
      for (const builder of [...there.slice(first), ...there.slice(0, first)]) {
        const out = join(work, `out-${round}`, builder.name);
        const tookMs = build(builder, work, out);
        // The first round warms the caches.
        if (round < 0) requireSamePages(out, builder.name, rendered);
        else costs.get(builder.name)?.push(tookMs);
        // After files are removed, ext4 takes ten times as long to create new ones for minutes, so on disk all files stay to the
        // end.
        if (place === "memory") rmSync(out, { recursive: true });
      }
    }
    return costs;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function prepare(work: string, sets: readonly ReadingSet[], rendered: readonly RenderedFile[]): void {
  writeFileSync(join(work, "sets.json"), JSON.stringify(sets));
  const [first] = rendered;
  if (first === undefined) throw new Error("no page was rendered: ask for at least twelve");
  for (const { name } of peers) {
    const folder = join(work, name);
    cpSync(peersFile(name.toLowerCase()), folder, { recursive: true });
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data", "pages.json"), JSON.stringify(plainPages(sets, rendered)));
    writeFileSync(join(folder, "data", "constants.json"), JSON.stringify(constants(first)));
  }
}

/** Wall-clock time, because Hugo uses all cores. */
function build(builder: Builder, work: string, out: string): number {
  const { name } = builder;
  const [program = "", ...args] = builder.command(work, out);
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

/** Requires equal work: as many pages, with the same words and the same style. */
function requireSamePages(out: string, name: string, rendered: readonly RenderedFile[]): void {
  const written = readdirSync(out, { recursive: true, encoding: "utf8" });
  const pages = written.filter((path) => path.endsWith(".html"));
  if (pages.length !== rendered.length)
    throw new Error(`${name} made ${pages.length} pages instead of ${rendered.length}`);
  for (const { path, bytes } of rendered) {
    const own = new TextDecoder().decode(bytes);
    const other = readFileSync(join(out, path), "utf8");
    if (words(own) !== words(other))
      throw new Error(`${name} says something else in ${path}:\n${words(other)}\n${words(own)}`);
    if (Math.abs(own.length - other.length) > own.length / 20)
      throw new Error(`${name} makes ${path} ${other.length} letters long, we ${own.length}`);
  }
}
