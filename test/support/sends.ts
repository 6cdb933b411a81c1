// Send times of a world's calls: each process records them by the monotonic clock that all processes of a machine share.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { World } from "./night.ts";

/** Call it before the workers start. */
export function recordSends({ env, folder }: World): void {
  env["NODE_OPTIONS"] = `--import=${new URL("record-sends.ts", import.meta.url).href}`;
  env["ALMANAC_TEST_SENDS"] = join(folder, "sends");
}

/** In milliseconds, sorted. */
export async function sendsOf({ folder }: Pick<World, "folder">): Promise<number[]> {
  const lines = (await readFile(join(folder, "sends"), "utf8")).split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => Number(line) / 1000)
    .sort((one, other) => one - other);
}

/** The clock of these times. */
export const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

/** The most calls that left within any second of this stretch; they are in order. */
export function mostInASecond(atMs: readonly number[], fromMs = -Infinity, toMs = Infinity): number {
  const within = atMs.filter((at) => at >= fromMs && at < toMs);
  let [most, first] = [0, 0];
  for (const [index, at] of within.entries()) {
    while ((within[first] ?? at) <= at - 1_000) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
