// Wall-clock time to start: of interactive commands, and of a worker until it polls for its first task. `node -e 0` is measured
// too, as the baseline of Node itself.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { World } from "../../test/support/night.ts";
import { temporalForTests } from "../../test/support/temporal.ts";
import { mainQueue } from "../../workflows/names.ts";
import { worldFor } from "../nights/ours.ts";
import { horoscopeNight } from "../nights/work.ts";
import { spreadOf } from "../rounds.ts";
import { atMost, type Line, type Measure, ratiosOf } from "./measure.ts";

const entry = fileURLToPath(new URL("../../scripts/almanac.js", import.meta.url));
/** Temporal's enum value for the task queues of workflows. */
const workflows = 1;
const startsWithinMs = 30_000;

export const coldStart: Measure = {
  name: "cold-start",
  about: "cold start; seconds by the clock, beside Node's own",
  boundSeconds: 240,
  async run({ rounds = 9, atEnd }): Promise<Line[]> {
    const folder = await mkdtemp(join(tmpdir(), "almanac-start-"));
    atEnd(() => rm(folder, { recursive: true, force: true }));
    const temporal = await temporalForTests({}, atEnd);
    const world = await worldFor(horoscopeNight(60, { concurrency: 8, latencyMs: 0 }), temporal, atEnd);
    const starts: [string, number | undefined, () => number | Promise<number>][] = [
      ["node -e 0", undefined, () => secondsOf(["-e", "0"], folder)],
      ["almanac --help", 0.15, () => secondsOf([entry, "--help"], folder)],
      ["almanac plan", 0.4, () => secondsOf([entry, "plan"], folder)],
      ["almanac worker, until its first poll", 1.5, () => secondsToPoll(world)],
    ];
    const figures = new Map<string, number[]>(starts.map(([name]) => [name, []]));
    for (let round = -1; round < rounds; round += 1) {
      for (const [name, , start] of starts) {
        const seconds = await start();
        if (round >= 0) figures.get(name)?.push(seconds); // the first round warms the caches
      }
    }
    const [[plain] = [""]] = starts;
    return starts.map(([what, most]): Line => {
      const own = figures.get(what) ?? [];
      const line = { what, unit: "s", digits: 3, figures: own };
      if (most === undefined) return line;
      const times = spreadOf(ratiosOf(own, figures.get(plain) ?? [])).median.toFixed(1);
      return { ...line, aim: atMost(spreadOf(own), most, " s"), note: `${times} times as long as Node` };
    });
  },
};

/** Runs in an empty folder, as on a first day. */
function secondsOf(words: readonly string[], cwd: string): number {
  const startedMs = performance.now();
  const { PATH, HOME } = process.env;
  const { status, stderr } = spawnSync(process.execPath, words, {
    cwd,
    env: { PATH, HOME },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${stderr}`);
  return (performance.now() - startedMs) / 1000;
}

/** Ends when Temporal has seen its poll for workflow tasks, which comes last. */
async function secondsToPoll({ id, env, folder, client }: World): Promise<number> {
  const { namespace } = client.options;
  const queue = { name: mainQueue(id) };
  const beganAt = Date.now();
  const startedMs = performance.now();
  const child = spawn(process.execPath, [entry, "worker"], { cwd: folder, env, stdio: "ignore" });
  const exited = once(child, "exit");
  const killNow = () => child.kill("SIGKILL");
  process.once("exit", killNow);
  try {
    while (performance.now() - startedMs < startsWithinMs) {
      const { pollers } = await client.workflowService.describeTaskQueue({
        namespace,
        taskQueue: queue,
        taskQueueType: workflows,
      });
      const newest = pollers.map(
        ({ lastAccessTime }) =>
          Number(lastAccessTime?.seconds ?? 0) * 1000 + (lastAccessTime?.nanos ?? 0) / 1e6,
      );
      if (newest.some((atMs) => atMs > beganAt)) return (performance.now() - startedMs) / 1000;
      await delay(10);
    }
    throw new Error(`the worker asked for no work within ${startsWithinMs / 1000} s`);
  } finally {
    killNow();
    await exited;
    process.off("exit", killNow);
  }
}
