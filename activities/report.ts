// Keeps what a run asked, kept, retried, set aside and published, for the operator; `almanac status` reads it back. Each
// start of a run has its own: a night that is started again asks for little, and hides nothing of what the first one asked.
import { Context } from "@temporalio/activity";
import { always } from "../store/store.ts";
import type { RunProgress } from "./contracts.ts";
import { settleCalls } from "./day-calls.ts";
import type { Dependencies } from "./dependencies.ts";
import { keepLatency } from "./latency.ts";
import { keepRefusals } from "./refusals.ts";
import { tell } from "./telling.ts";
import { type Report, reportSchema } from "./report.schema.ts";
import { readJson, type Vault, writeJson } from "./vault.ts";

export async function report(progress: RunProgress, dependencies: Dependencies): Promise<void> {
  const { vault, log, now, metrics } = dependencies;
  const day = progress.asOf.slice(0, 10);
  const refused = progress.refused ?? [];
  // A second attempt at this report tells nothing twice; a night that is started again tells anew.
  const once = Context.current().info.workflowExecution?.runId ?? progress.run;
  await keepReport(vault, once, { endedAt: now().toISOString(), ...progress });
  await keepLatency(progress, vault);
  await settleCalls(vault, day, { run: progress.run, start: once }, callsMade(progress));
  await keepRefusals({ run: progress.run, day, refused }, vault);
  for (const refusal of refused) log.warn({ run: progress.run, ...refusal }, "not in your subscription");
  const inQuarantine = (await vault.inQuarantine("")).length;
  metrics.ranTo(progress.state, inQuarantine);
  log.info({ run: progress.run, state: progress.state, planned: progress.planned }, "run reported");
  await tell(progress, { inQuarantine, once }, dependencies);
}

/** Of those that were planned. */
function callsMade({ planned, languages }: RunProgress): number {
  const counts = Object.values(languages).flatMap((tally) => Object.values(tally));
  return counts.reduce((made, { unanswered = 0 }) => made - unanswered, planned);
}

/** A second attempt at the report of one start writes over the first. */
export async function keepReport(
  { store }: Vault,
  start: string,
  ended: RunProgress & Pick<Report, "endedAt">,
): Promise<void> {
  const key = `runs/${dayOf(ended)}/${ended.run}/${start}.json`;
  await writeJson(store, key, { format: 1, ...ended }, always);
}

/** Of a run that has it in its name, as all have that `almanac` starts: so its reports are found without a look at others. */
function dayIn(run: string): string | undefined {
  return /-(?:nightly|backfill)-(\d{4}-\d{2}-\d{2})/.exec(run)?.[1];
}

function dayOf({ run, asOf }: RunProgress): string {
  return dayIn(run) ?? asOf.slice(0, 10);
}

interface Place {
  readonly key: string;
  readonly day: string;
  readonly run: string;
}

/** In the order of days. An earlier version kept one report a run: `runs/2026-11-21/almanac-nightly-2026-11-21.json`. */
async function placesFrom({ store }: Vault, prefix: string): Promise<Place[]> {
  const places: Place[] = [];
  for await (const { key } of store.list(`runs/${prefix}`)) {
    const [, day = "", name = ""] = key.split("/");
    places.push({ key, day, run: name.replace(/\.json$/, "") });
  }
  return places;
}

/** In the order in which they ended. */
async function readAll({ store }: Vault, places: readonly Place[]): Promise<Report[]> {
  const found = await Promise.all(places.map(({ key }) => readJson(store, key, reportSchema)));
  return found
    .filter((one) => one !== undefined)
    .toSorted((one, other) => Date.parse(one.endedAt) - Date.parse(other.endedAt));
}

/** Of each start of a run, in the order in which they ended. */
export async function reportsOf(vault: Vault, run: string): Promise<Report[]> {
  const day = dayIn(run);
  const places = await placesFrom(vault, day === undefined ? "" : `${day}/${run}`);
  const own = places.filter((one) => one.run === run);
  return readAll(vault, own);
}

/** Of the start of a run in whose time an answer came; of the newest, where that is none's. */
export async function reportAt(vault: Vault, run: string, at: string): Promise<Report | undefined> {
  const reports = await reportsOf(vault, run);
  return reports.find(({ startedAt = "", endedAt }) => startedAt <= at && at <= endedAt) ?? reports.at(-1);
}

/** The newest report of a run, or of all runs where none is named. */
export async function newestReport(vault: Vault, run?: string): Promise<Report | undefined> {
  if (run !== undefined) return (await reportsOf(vault, run)).at(-1);
  return (await readAll(vault, ofNewestDay(await placesFrom(vault, "")))).at(-1);
}

function ofNewestDay(places: readonly Place[]): Place[] {
  const newest = places.at(-1)?.day;
  return places.filter(({ day }) => day === newest);
}

/** The one of the same kind before it: of a night the night before, and of that the last start that asked for something. */
export async function reportBefore(vault: Vault, progress: RunProgress): Promise<Report | undefined> {
  const day = dayOf(progress);
  const kind = kindOf(progress.run);
  const places = await placesFrom(vault, "");
  const before = places.filter((one) => one.day < day && kindOf(one.run) === kind);
  const reports = await readAll(vault, ofNewestDay(before));
  return reports.findLast(({ planned }) => planned > 0) ?? reports.at(-1);
}

/** A run's name without its day, such as `almanac-nightly-`. */
function kindOf(run: string): string {
  return run.replace(/\d{4}-\d{2}-\d{2}/, "");
}
