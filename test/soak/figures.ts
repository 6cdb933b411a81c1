// Output of the soak: a line per night, the final checks, and the figures.
import { openBreakers } from "../../vault/call-notes.ts";
import { alerts } from "../support/looks.ts";
import type { World } from "../support/night.ts";
import { growthOf, medianOf } from "./memory.ts";
import type { NightFigures } from "./night.ts";
import type { Prediction } from "./rehearsal.ts";
import type { Sizes } from "./sizes.ts";

/**
 * Ratio of memory in the last third of the nights to that in the first. A process's resident memory varies without any leak (from
 * 531 to 403 MB in the first four nights, measured), so its limit is wider.
 */
const mostGrowth = { heap: 1.15, rss: 1.25 };
/**
 * Maximum ratios to the prediction. Cards are drawn again, and tries and notes vary by some bytes per stored response. A disturbed
 * night is published in more steps than a quiet one, and each step leaves its own front pages and indexes, which matters in short
 * runs.
 */
const most = { responses: 1.02, paths: 1.02, objects: 1.15, manifests: 1.35 };
const mostOfFew = { ...most, objects: 1.5, manifests: 3 };
const least = 0.98;
/** From this many nights on, sizes settle, and comparing the first and last third of memory is meaningful. */
const enoughNights = 9;

export const headLine = "night       asked  calls  stored  skipped  again  version  memory   took  troubles";

export function nightLine(date: string, night: NightFigures): string {
  const { planned, calls, stored, skipped, again, version, memory, tookMs, troubles } = night;
  const columns = [
    String(planned).padStart(5),
    String(calls).padStart(6),
    String(stored).padStart(7),
    String(skipped).padStart(8),
    String(again).padStart(6),
    String(version).padStart(8),
    `${megabytes(memory.rss)} MB`.padStart(7),
    `${(tookMs / 1000).toFixed(1)} s`.padStart(6),
  ];
  return `${date}  ${columns.join(" ")}  ${troubles.join(", ")}`;
}

export async function verdictOf(
  world: World,
  lived: readonly NightFigures[],
  prediction: Prediction,
  sizes: Sizes,
): Promise<string[]> {
  const { vault } = world;
  const problems: string[] = [];
  const held = new Set(await vault.held(""));
  problems.push(...differences(prediction.responses, held, "stored"));
  const paths = lived.at(-1)?.left.paths ?? new Set<string>();
  problems.push(...differences(prediction.paths, paths, "published"));
  for (const key of await vault.inQuarantine("")) problems.push(`${key} is in quarantine in the end`);
  for (const { endpoint } of await openBreakers(vault)) problems.push(`the breaker of ${endpoint} is open`);
  const rotations = lived.filter(({ troubles }) => troubles.includes("rotation")).length;
  const alarms = await alerts(world, "credentials-refused");
  if (alarms > rotations) problems.push(`${rotations} rotations raised ${alarms} alarms`);
  for (const key of await vault.supersededKeys()) problems.push(`superseded/${key} is left in the vault`);
  for (const name of ["responses", "paths", "objects", "manifests"] as const) {
    const share = sizes[name].bytes / prediction.sizes[name].bytes;
    if (share < least || share > (lived.length < enoughNights ? mostOfFew : most)[name])
      problems.push(`${name} take ${share.toFixed(2)} times the bytes that were predicted`);
  }
  const growth = {
    heap: growthOf(lived.map(({ memory }) => memory.heapUsed)),
    rss: growthOf(lived.map(({ memory }) => memory.rss)),
  };
  if (lived.length >= enoughNights && (growth.heap > mostGrowth.heap || growth.rss > mostGrowth.rss)) {
    const told = `${growth.rss.toFixed(2)} times that of the first nights, its heap to ${growth.heap.toFixed(2)}`;
    problems.push(`the worker's memory grew to ${told}`);
  }
  return problems;
}

function differences(predicted: ReadonlySet<string>, found: ReadonlySet<string>, word: string): string[] {
  const lacking = [...predicted].filter((one) => !found.has(one)).map((one) => `${one} is not ${word}`);
  const more = [...found]
    .filter((one) => !predicted.has(one))
    .map((one) => `${one} is ${word}, not predicted`);
  return [...lacking.slice(0, 10), ...more.slice(0, 10)];
}

export function summary(
  seed: number,
  lived: readonly NightFigures[],
  prediction: Prediction,
  sizes: Sizes,
  tookMs: number,
): string {
  const sum = (of: (night: NightFigures) => number): number =>
    lived.reduce((total, night) => total + of(night), 0);
  const counts = new Map<string, number>();
  for (const name of lived.flatMap(({ troubles }) => troubles)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const rss = lived.map(({ memory }) => memory.rss);
  const heap = lived.map(({ memory }) => memory.heapUsed);
  const third = Math.ceil(lived.length / 3);
  const size = (name: keyof Sizes): string => {
    const [real, predicted] = [sizes[name], prediction.sizes[name]];
    return `${name} ${real.count} of ${predicted.count}, ${megabytes(real.bytes)} of ${megabytes(predicted.bytes)} MB`;
  };
  return [
    "",
    `seed ${seed}: ${lived.length} nights in ${(tookMs / 60_000).toFixed(1)} minutes`,
    `troubles: ${[...counts].map(([name, count]) => `${name} ${count}`).join(", ") || "none"}`,
    `requests: ${sum(({ planned }) => planned)} planned, ${sum(({ stored }) => stored)} stored in ${sum(({ calls }) => calls)} calls`,
    `skipped and named: ${sum(({ skipped }) => skipped)}; all of them stored later`,
    `asked for although stored: ${sum(({ twice }) => twice.length)}, and ${sum(({ late }) => late)} by workers that were frozen before the call`,
    `asked again because under way or doubted: ${sum(({ again }) => Math.max(0, again))}, at most ${sum(({ againAtMost }) => againAtMost)}`,
    `memory of the worker that lived: ${megabytes(medianOf(rss.slice(0, third)))} MB in the first third, ${megabytes(medianOf(rss.slice(-third)))} MB in the last (${growthOf(rss).toFixed(2)}; its heap ${growthOf(heap).toFixed(2)})`,
    `vault as predicted: ${size("responses")}`,
    `site as predicted: ${size("paths")}; ${size("objects")}; ${size("manifests")}`,
  ].join("\n");
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
