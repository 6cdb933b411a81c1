// Keeps what a run asked, kept, retried, set aside and published, for the operator; `almanac status` reads it back.
import { Context } from "@temporalio/activity";
import { always } from "../store/store.ts";
import type { RunProgress } from "./contracts.ts";
import type { Dependencies } from "./dependencies.ts";
import { keepLatency } from "./latency.ts";
import { keepRefusals } from "./refusals.ts";
import { tell } from "./telling.ts";
import { type Report, reportSchema } from "./report.schema.ts";
import { readJson, type Vault, writeJson } from "./vault.ts";

export async function report(progress: RunProgress, dependencies: Dependencies): Promise<void> {
  const { vault, log, now, metrics } = dependencies;
  const day = progress.asOf.slice(0, 10);
  const facts = { format: 1, endedAt: now().toISOString(), ...progress };
  await writeJson(vault.store, reportKey(day, progress.run), facts, always);
  const refused = progress.refused ?? [];
  // A second attempt at this report tells nothing twice; a night that is started again tells anew.
  const once = Context.current().info.workflowExecution?.runId ?? progress.run;
  await keepLatency(progress, vault);
  await keepRefusals({ run: progress.run, day, refused }, vault);
  for (const refusal of refused) log.warn({ run: progress.run, ...refusal }, "not in your subscription");
  const inQuarantine = (await vault.inQuarantine("")).length;
  metrics.ranTo(progress.state, inQuarantine);
  log.info({ run: progress.run, state: progress.state, planned: progress.planned }, "run reported");
  await tell(progress, { inQuarantine, once }, dependencies);
}

function reportKey(day: string, run: string): string {
  return `runs/${day}/${run}.json`;
}

/** The report of a run whose id has its day in it, as all have that ask for readings; undefined where there is none. */
export async function reportOf({ store }: Vault, run: string): Promise<Report | undefined> {
  const day = /^[\w-]+?-(\d{4}-\d{2}-\d{2})[\w-]*$/.exec(run)?.[1];
  return day === undefined ? undefined : readJson(store, reportKey(day, run), reportSchema);
}

/** The newest report of a run, or of all runs where none is named. */
export async function newestReport({ store }: Vault, run?: string): Promise<Report | undefined> {
  const keys: string[] = [];
  for await (const { key } of store.list("runs/")) {
    if (run === undefined || key.endsWith(`/${run}.json`)) keys.push(key);
  }
  const newestDay = keys.at(-1)?.split("/")[1] ?? "";
  let newest: Report | undefined;
  for (const key of keys.filter((one) => one.startsWith(`runs/${newestDay}/`))) {
    const found = await readJson(store, key, reportSchema);
    if (found !== undefined && (newest === undefined || found.endedAt > newest.endedAt)) newest = found;
  }
  return newest;
}

/** The one of the same kind before it: of a night the night before. */
export async function reportBefore(
  { store }: Vault,
  { run, asOf }: RunProgress,
): Promise<Report | undefined> {
  const day = asOf.slice(0, 10);
  const kind = kindOf(run);
  const keys: string[] = [];
  for await (const { key } of store.list("runs/")) {
    const [, ofDay = "", name = ""] = key.split("/");
    if (ofDay < day && kindOf(name.replace(/\.json$/, "")) === kind) keys.push(key);
  }
  const newest = keys.toSorted().at(-1);
  return newest === undefined ? undefined : readJson(store, newest, reportSchema);
}

/** A run's name without its day, such as `almanac-nightly-`. */
function kindOf(run: string): string {
  return run.replace(/\d{4}-\d{2}-\d{2}/, "");
}
