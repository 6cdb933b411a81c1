// Workflow that the schedule starts. It runs the night of the scheduled instant under its own id, so that a manual start
// attaches to it and a night already under way is left alone.
import { WorkflowExecutionAlreadyStartedError } from "@temporalio/common";
import { executeChild, ParentClosePolicy, workflowInfo } from "@temporalio/workflow";
import { nightlyId, workflowTypes } from "./names.ts";
import type { nightly } from "./nightly.ts";

export async function scheduled(input: { readonly site: string }): Promise<void> {
  const asOf = scheduledTime() ?? workflowInfo().startTime.toISOString();
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

/** The scheduled time, not the time at which the run started. */
function scheduledTime(): string | undefined {
  const [time] = workflowInfo().searchAttributes["TemporalScheduledStartTime"] ?? [];
  return time instanceof Date ? time.toISOString() : undefined;
}
