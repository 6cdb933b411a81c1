// The reports of runs, for the operator: what each asked, kept, retried, set aside and published. Each start of a run has
// its own: a night that is started again asks for little, and hides nothing of what the first one asked.
import { always } from "../store/store.ts";
import type { RunProgress } from "../readings/run-messages.ts";
import { type Report, reportSchema } from "./report.schema.ts";
import { readJson, writeJson } from "./json.ts";
import { folders, layout } from "./layout.ts";
import type { Vault } from "./vault.ts";

/** A second attempt at the report of one start writes over the first. */
export async function keepReport(
  { store }: Vault,
  start: string,
  ended: RunProgress & Pick<Report, "endedAt">,
): Promise<void> {
  const key = layout.report(dayOf(ended), ended.run, start);
  await writeJson(store, key, { format: 1, ...ended }, always);
}

/** Of a run that has it in its name, as all have that `almanac` starts: so its reports are found without a look at others. */
function dayIn(run: string): string | undefined {
  return /-(?:nightly|backfill)-(\d{4}-\d{2}-\d{2})/.exec(run)?.[1];
}

function dayOf({ run, asOf }: RunProgress): string {
  return dayIn(run) ?? asOf.slice(0, 10);
}

interface ReportPlace {
  readonly key: string;
  readonly day: string;
  readonly run: string;
}

/** In the order of days. */
async function placesFrom({ store }: Vault, prefix: string): Promise<ReportPlace[]> {
  const places: ReportPlace[] = [];
  for await (const { key } of store.list(folders.runs + prefix)) {
    const [, day = "", run = ""] = key.split("/");
    places.push({ key, day, run });
  }
  return places;
}

/** In the order in which they ended. */
async function readAll({ store }: Vault, places: readonly ReportPlace[]): Promise<Report[]> {
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
  return reports.find(({ startedAt, endedAt }) => startedAt <= at && at <= endedAt) ?? reports.at(-1);
}

/** The newest report of a run, or of all runs where none is named. */
export async function newestReport(vault: Vault, run?: string): Promise<Report | undefined> {
  if (run !== undefined) return (await reportsOf(vault, run)).at(-1);
  return (await readAll(vault, ofNewestDay(await placesFrom(vault, "")))).at(-1);
}

function ofNewestDay(places: readonly ReportPlace[]): ReportPlace[] {
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
