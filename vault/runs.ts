// Files of runs: the plan, in pages, and the report. An edition reads one page at once, because what it reads stands in its history.
import { z } from "zod";
import { type Batch, plannedBatch, progressSchema, type RunProgress } from "../readings/run-messages.ts";
import { always, type Store } from "../store/store.ts";
import { readJson, writeJson, siteFolders, siteLayout } from "./files.ts";
import type { Vault } from "./vault.ts";

/** Some 50 KB. */
const batchesPerPage = 150;

export const planPageSchema = z.object({
  format: z.literal(1),
  batches: z.array(plannedBatch),
});

/** Returns how many pages the plan has. */
export async function keepPlan(plan: string, batches: readonly Batch[], { own }: Vault): Promise<number> {
  const pages = Math.ceil(batches.length / batchesPerPage);
  for (let page = 0; page < pages; page += 1) {
    const onPage = batches.slice(page * batchesPerPage, (page + 1) * batchesPerPage);
    await writeJson(own, siteLayout.planPage(plan, page), { format: 1, batches: onPage }, always);
  }
  return pages;
}

export async function readPlanPage(plan: string, page: number, { own }: Vault): Promise<Batch[]> {
  const key = siteLayout.planPage(plan, page);
  const found = await readJson(own, key, planPageSchema);
  if (found !== undefined) return found.batches;
  throw new Error(`${key}, a part of this run's plan, is missing. Start the run again`);
}

/** Long after the longest night. */
const sweptAfterMs = 3 * 24 * 60 * 60_000;

/** Removes the plans of runs that are long over. */
export async function sweepPlans(own: Store, at: Date): Promise<void> {
  const listed = await Array.fromAsync(own.list(siteFolders.plans));
  const old = listed.filter(({ modifiedAt }) => modifiedAt.getTime() < at.getTime() - sweptAfterMs);
  await own.remove(old.map(({ key }) => key));
}

export const reportSchema = z.object({
  format: z.literal(1),
  endedAt: z.iso.datetime(),
  ...progressSchema.shape,
});
export type Report = z.infer<typeof reportSchema>;

// The reports of runs, for the operator: what each run requested, stored, retried, skipped and published. Each start of a run has
// a report of its own: a night that is started again makes few calls, and must not hide those of the first start.
/** Writes a report; a second attempt at the report of one start replaces the first. */
export async function keepReport(
  { own }: Vault,
  start: string,
  ended: RunProgress & Pick<Report, "endedAt">,
): Promise<void> {
  const key = siteLayout.report(dayOf(ended), ended.run, start);
  await writeJson(own, key, { format: 1, ...ended }, always);
}

/** The day in a run's name, which all runs that `almanac` starts have, so that its reports are found without a look at others. */
function dayIn(run: string) {
  return /-(?:nightly|backfill)-(\d{4}-\d{2}-\d{2})/.exec(run)?.[1];
}

function dayOf({ run, asOf }: RunProgress) {
  return dayIn(run) ?? asOf.slice(0, 10);
}

interface ReportPlace {
  readonly key: string;
  readonly day: string;
  readonly run: string;
}

/** The places of reports, in the order of days. */
function placesFrom({ own }: Vault, prefix: string): Promise<ReportPlace[]> {
  return Array.fromAsync(own.list(siteFolders.runs + prefix), ({ key }) => {
    const [, day = "", run = ""] = key.split("/");
    return { key, day, run };
  });
}

/** Reads reports, in the order in which the runs ended. */
async function readAll({ own }: Vault, places: readonly ReportPlace[]): Promise<Report[]> {
  const found = await Promise.all(places.map(({ key }) => readJson(own, key, reportSchema)));
  return found
    .filter((one) => one !== undefined)
    .toSorted((one, other) => Date.parse(one.endedAt) - Date.parse(other.endedAt));
}

/** The reports of each start of a run, in the order in which they ended. */
export async function reportsOf(vault: Vault, run: string): Promise<Report[]> {
  const day = dayIn(run);
  const places = await placesFrom(vault, day === undefined ? "" : `${day}/${run}`);
  const own = places.filter((one) => one.run === run);
  return readAll(vault, own);
}

/** The report of the start in whose time an answer came; the newest where there is none. */
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
