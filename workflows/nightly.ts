// A night: fixes the instant it is for, plans, runs one edition a language, reports. readings/plan.ts says what is due.
import { isCancellation, setHandler, workflowInfo, defineQuery, defineSignal } from "@temporalio/workflow";
import { type RunProgress, type RunRequest } from "../activities/contracts.ts";
import { gateActivities, mainActivities, planActivities } from "./activities.ts";
import { openGateSignal, progressQuery } from "./names.ts";
import { afterAll, type Run, runEditions } from "./run.ts";

export interface RunInput extends RunRequest {
  readonly site: string;
}

export const progressOf = defineQuery<RunProgress>(progressQuery);
/** An operator who knows that the credentials work need not wait for the next probe. */
export const openGate = defineSignal(openGateSignal);

export async function nightly(input: RunInput): Promise<RunProgress> {
  return runAs("nightly", input);
}

/** Fills in what a language or a span of dates lacks; beside a nightly neither harms the other. */
export async function backfill(input: RunInput): Promise<RunProgress> {
  return runAs("backfill", input);
}

async function runAs(kind: Run["kind"], input: RunInput): Promise<RunProgress> {
  const { site, ...request } = input;
  const asOf = input.asOf ?? workflowInfo().startTime.toISOString();
  const run = workflowInfo().workflowId;
  const progress: Run["progress"] = {
    run,
    asOf,
    state: "planning",
    planned: 0,
    held: 0,
    outOfReach: 0,
    leftOut: 0,
    languages: {},
    setAside: [],
    broken: {},
    published: [],
  };
  setHandler(progressOf, () => progress);
  setHandler(openGate, async () => {
    await gateActivities(60_000).openGate({ run });
  });
  const plan = await planActivities().plan({
    run,
    start: workflowInfo().runId,
    kind,
    request: { ...request, asOf },
  });
  progress.planned = plan.editions.reduce((sum, edition) => sum + edition.keys.length, 0);
  progress.held = plan.held;
  progress.outOfReach = plan.outOfReach;
  progress.leftOut = plan.leftOut;
  progress.state = "gathering";
  try {
    await runEditions({ site, kind, asOf, plan, progress });
    progress.state = "done";
  } catch (error) {
    if (!isCancellation(error)) throw error;
    progress.state = "cancelled";
    throw error;
  } finally {
    await afterAll(() => mainActivities("report").report(progress));
  }
  return progress;
}
