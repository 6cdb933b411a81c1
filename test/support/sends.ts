// When a world's workers sent their calls: each process notes it, by the clock that all processes of a machine share.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { World } from "./night.ts";

/** Call it before the workers start. */
export function recordSends({ env, folder }: World): void {
  env["NODE_OPTIONS"] = `--import=${new URL("record-sends.ts", import.meta.url).href}`;
  env["ALMANAC_TEST_SENDS"] = join(folder, "sends");
}

/** In milliseconds, in order. */
export async function sendsOf({ folder }: Pick<World, "folder">): Promise<number[]> {
  const lines = (await readFile(join(folder, "sends"), "utf8")).split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => Number(line) / 1000)
    .sort((one, other) => one - other);
}

export function mostInASecond(atMs: readonly number[], fromMs = -Infinity, toMs = Infinity): number {
  const within = atMs.filter((at) => at >= fromMs && at < toMs);
  return Math.max(0, ...within.map((from) => within.filter((at) => at >= from && at < from + 1000).length));
}
