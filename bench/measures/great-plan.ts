// Planning a million requests: by the command, and by a night, which is stopped after it has started its first edition.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until, type World } from "../../test/support/night.ts";
import { nightlyId } from "../../workflows/names.ts";
import { ourName } from "../nights/contender.ts";
import { greatWork, greatWorld } from "../nights/great.ts";
import { watchMemory } from "../nights/processes.ts";
import { at } from "../nights/work.ts";
import type { Line, Measure } from "./measure.ts";

const entry = fileURLToPath(new URL("../../scripts/almanac.js", import.meta.url));
const requests = 1_000_000;
const plannedWithinMs = 30 * 60_000;

export const greatPlan: Measure = {
  name: "great-plan",
  about: `a plan of ${requests} requests; by the command and by a night, until first edition`,
  boundSeconds: 3600,
  named: true,
  async run({ share, atEnd }): Promise<Line[]> {
    const work = greatWork(requests * share);
    const { temporal, world } = await greatWorld(work, atEnd);
    const command = await byCommand(world);
    const worker = await world.worker();
    const peaks = watchMemory({ "the worker": worker.pid, "Temporal's server": temporal.pid() });
    const startedMs = performance.now();
    await world.nightly({ asOf: at.toISOString() });
    const { bytes } = await until("the first edition", () => firstEdition(world), plannedWithinMs);
    const seconds = (performance.now() - startedMs) / 1000;
    const memory = [...peaks()];
    await worker.kill();
    const inVault = await bytesIn(join(world.folder, "vault"));
    const note = `${work.requests} requests`;
    return [
      { what: "almanac plan", unit: "s", digits: 1, figures: [command.seconds], note },
      { what: "almanac plan", unit: "MB", digits: 0, figures: [command.peakMb], note: "peak" },
      { what: `${ourName}, until first edition`, unit: "s", digits: 1, figures: [seconds], note },
      ...memory.map(([what, mb]): Line => ({
        what,
        unit: "MB",
        digits: 0,
        figures: [mb],
        note: "peak",
      })),
      { what: "history of nightly", unit: "KB", digits: 0, figures: [bytes / 1024] },
      { what: "the plan in the vault", unit: "MB", digits: 1, figures: [inVault / 1e6] },
    ];
  },
};

async function byCommand({ env, folder }: World): Promise<{ seconds: number; peakMb: number }> {
  const startedMs = performance.now();
  const words = [entry, "plan", "--as-of", at.toISOString()];
  const child = spawn(process.execPath, words, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
  const exited = once(child, "exit");
  const peaks = watchMemory({ plan: child.pid ?? 0 });
  const [code] = await exited;
  const peakMb = peaks().get("plan") ?? Number.NaN;
  if (code !== 0) throw new Error(`almanac plan ended with ${String(code)}`);
  return { seconds: (performance.now() - startedMs) / 1000, peakMb };
}

/** Follows the current run of the workflow, which may have continued as new. */
async function firstEdition({ client, id }: World) {
  const handle = client.workflow.getHandle(nightlyId(id, at.toISOString().slice(0, 10)));
  const { historySize = 0, status } = await handle.describe();
  if (status.name !== "RUNNING") throw new Error(`the night is ${status.name}`);
  const { events } = await handle.fetchHistory();
  const has = events?.some((event) => event.startChildWorkflowExecutionInitiatedEventAttributes) === true;
  return has && { bytes: historySize };
}

async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
