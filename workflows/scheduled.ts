// The workflows that schedules start: the night of the scheduled instant, under its own id, so that a manual start attaches to it and a
// night already under way is left alone; publishing every language whose local date has changed, without a call; and the scrub of
// a day in as many calls as it takes (publish/repair/scrub.ts).
import { WorkflowExecutionAlreadyStartedError } from "@temporalio/common";
import { executeChild, ParentClosePolicy, workflowInfo, setWorkflowOptions } from "@temporalio/workflow";
import { nightlyId, workflowTypes } from "./names.ts";
import type { nightly } from "./nightly.ts";
import type { PublishResult, ScrubResult } from "../readings/run-messages.ts";
import { mainActivities } from "./activities.ts";

export async function scheduled(input: { readonly site: string }): Promise<void> {
  const { searchAttributes, startTime } = workflowInfo();
  // The scheduled time, not the time at which the run started.
  const [time] = searchAttributes["TemporalScheduledStartTime"] ?? [];
  const asOf = (time instanceof Date ? time : startTime).toISOString();
  try {
    await executeChild<typeof nightly>(workflowTypes.nightly, {
      workflowId: nightlyId(input.site, asOf.slice(0, 10)),
      workflowIdReusePolicy: "ALLOW_DUPLICATE",
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      args: [{ site: input.site, asOf }],
      memo: { requested: "all languages" },
      staticSummary: "all languages",
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

export function publish(): Promise<PublishResult> {
  return mainActivities("publish languages whose date has changed").publishDue();
}

// A publish that waits for its store when old workers leave continues on the new ones: pages must change whatever is deployed.
setWorkflowOptions(movesToCurrent, publish);

export async function scrub(): Promise<ScrubResult> {
  const { runId: id } = workflowInfo();
  for (;;) {
    const seen = await mainActivities("check the day's share of vault and site").scrub({ id });
    if (seen.isDone) return seen;
  }
}

setWorkflowOptions(movesToCurrent, scrub);

/** Options for `setWorkflowOptions`. A worker without a version must name no behaviour, or its tasks would never be done. */
export function movesToCurrent(): { versioningBehavior?: "AUTO_UPGRADE" } {
  const isVersioned = Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
  return isVersioned ? { versioningBehavior: "AUTO_UPGRADE" } : {};
}
