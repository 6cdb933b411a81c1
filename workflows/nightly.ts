// A night: fixes the instant it is for, plans, runs one edition a language, reports. readings/plan.ts says what is due.
import { isCancellation, setHandler, workflowInfo, defineQuery } from "@temporalio/workflow";
import type { RunPlan, RunProgress, RunRequest } from "../readings/run-messages.ts";
import { mainActivities, planActivities } from "./activities.ts";
import { progressQuery } from "./names.ts";
import { failureReason } from "./failure-reason.ts";
import { isProbePassed, refusedOperationsOf, totalOf } from "../readings/tally.ts";
import { requestOf } from "../readings/request.ts";
import { afterAll, foundDamaged, type Run, runEditions, untilMsOf } from "./run.ts";

export interface RunInput extends RunRequest {
  readonly site: string;
}

export const progressOf = defineQuery<RunProgress>(progressQuery);

export async function nightly(input: RunInput): Promise<RunProgress> {
  return runAs("nightly", input);
}

/** Fills in what a language or a span of dates lacks; a nightly at the same time does no harm. */
export async function backfill(input: RunInput): Promise<RunProgress> {
  return runAs("backfill", input);
}

async function runAs(kind: Run["kind"], input: RunInput): Promise<RunProgress> {
  const { site, ...wish } = input;
  const asOf = input.asOf ?? workflowInfo().startTime.toISOString();
  const progress = beginning(workflowInfo().workflowId, asOf);
  setHandler(progressOf, () => progress);
  try {
    const request = { ...wish, asOf };
    const plan = await planned(kind, request, progress);
    const run: Run = { site, kind, asOf, plan, results: [], unpublished: new Set(), progress };
    await runEditions(run);
    await requestTheRest(run, request);
    await requestDamaged(run, request);
    progress.state = plan.languages.every((language) => run.unpublished.has(language)) ? "failed" : "done";
  } catch (error) {
    progress.state = isCancellation(error) ? "cancelled" : "failed";
    if (progress.state === "failed") progress.failure = failureReason(error).slice(0, 300);
    throw error;
  } finally {
    await afterAll(async () => {
      progress.damaged = await mainActivities("report").report(progress);
    });
  }
  return progress;
}

function beginning(run: string, asOf: string): Run["progress"] {
  return {
    run,
    startedAt: workflowInfo().startTime.toISOString(),
    asOf,
    state: "planning",
    planned: 0,
    held: 0,
    outOfReach: 0,
    leftOut: 0,
    languages: {},
    skipped: [],
    refused: [],
    broken: {},
    published: [],
  };
}

async function planned(
  kind: Run["kind"],
  request: RunRequest & { readonly asOf: string },
  progress: Run["progress"],
): Promise<RunPlan> {
  const plan = await planActivities().plan({ run: progress.run, start: workflowInfo().runId, kind, request });
  progress.planned = requestsIn(plan);
  progress.held = plan.held;
  progress.outOfReach = plan.outOfReach;
  progress.leftOut = plan.leftOut;
  progress.refused = refusedOperationsOf(plan.refused, []);
  foundDamaged(progress, plan.damaged);
  progress.languages = Object.fromEntries(plan.editions.map(({ language, tally }) => [language, tally]));
  progress.state = "gathering";
  return plan;
}

/** If the probe of an operation that was refused the day before was answered, the rest of the operation is requested, too. */
async function requestTheRest(run: Run, request: RunRequest & { readonly asOf: string }): Promise<void> {
  const passed = run.plan.refused.filter((refusal) => isProbePassed(refusal, run.results));
  if (passed.length === 0) return;
  await requestMore(run, "rest", { ...request, operations: passed.map(({ operation }) => operation) });
}

/** Requests once again the readings that were found damaged at publication, as far as they can still be requested. */
async function requestDamaged(run: Run, request: RunRequest & { readonly asOf: string }): Promise<void> {
  const requested = new Set(run.plan.damaged?.map(({ key }) => key));
  const found = (run.progress.damaged ?? []).flatMap(({ key }) =>
    requested.has(key) ? [] : (requestOf(key) ?? []),
  );
  if (found.length === 0) return;
  const operations = [...new Set(found.map(({ operation }) => operation))];
  const languages = [...new Set(found.map(({ language }) => language))];
  await requestMore(run, "damaged", { ...request, operations, languages });
}

/** A further round of a run, with a plan of its own. `name` distinguishes the calls of its plan from those of the first. */
async function requestMore(
  run: Run,
  name: string,
  request: RunRequest & { readonly asOf: string },
): Promise<void> {
  const { kind, plan, progress } = run;
  if (Date.now() >= untilMsOf(plan)) return;
  const start = `${workflowInfo().runId}-${name}`;
  const rest = await planActivities().plan({ run: progress.run, start, kind, request });
  progress.planned += requestsIn(rest);
  progress.leftOut += rest.leftOut;
  const languages = rest.editions.map(({ language }) => language);
  await runEditions({ ...run, plan: { ...rest, languages, refused: plan.refused } });
}

function requestsIn({ editions }: RunPlan): number {
  return editions.reduce((sum, { tally }) => sum + totalOf([tally]).planned, 0);
}
