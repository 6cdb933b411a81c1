// The publish activities, for a run or the turn. On a store that heeds no conditions one workflow at a time may publish,
// which its fixed id sees to: a worker there answers with that id, and the batch goes to a child of that name.
import {
  ActivityFailure,
  ApplicationFailure,
  executeChild,
  ParentClosePolicy,
  setWorkflowOptions,
  sleep,
} from "@temporalio/workflow";
import { WorkflowExecutionAlreadyStartedError } from "@temporalio/common";
import type { PublishInput, PublishResult } from "../readings/run-messages.ts";
import { mainActivities } from "./activities.ts";
import { workflowTypes } from "./names.ts";
import { movesToCurrent } from "./versions.ts";

/** Without a batch it turns the page. Not `async`: a later return would change the order of events in nights under way. */
export function publishing(batch?: PublishInput): Promise<PublishResult> {
  if (batch === undefined) return mainActivities("turn the page where the date has changed").turn();
  return mainActivities(`publish ${batch.languages.join(" ")}`).publish(batch);
}

// Every other publish waits for this workflow, so it must not stay behind with workers that have gone.
setWorkflowOptions(movesToCurrent, publishing);

/** Publishes in a child of the fixed id if the failure names that id; throws any other failure. */
export async function publishInTurn(failure: unknown, batch?: PublishInput): Promise<PublishResult> {
  const id = onlyPublisherIn(failure);
  if (id === undefined) throw failure;
  return whenFree(id, batch);
}

/** The id in a failure that activities/only-publisher.ts threw. */
function onlyPublisherIn(error: unknown): string | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure) || cause.type !== "NotItsTurn") return undefined;
  const id: unknown = cause.details?.[0];
  return typeof id === "string" ? id : undefined;
}

const longestWaitMs = 10_000; // an hour's wait is 360 looks, some 2,500 events

async function whenFree(workflowId: string, batch: PublishInput | undefined): Promise<PublishResult> {
  for (let waitMs = 1_000; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await executeChild<typeof publishing>(workflowTypes.publishing, {
        workflowId,
        workflowIdReusePolicy: "ALLOW_DUPLICATE",
        parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
        args: batch === undefined ? [] : [batch],
        staticSummary: batch === undefined ? "the turn" : `for ${batch.run}: ${batch.languages.join(" ")}`,
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      await sleep(waitMs, { summary: "another one is publishing" });
    }
  }
}
