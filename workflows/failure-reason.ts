// The first cause of a failure, which Temporal wraps: a run failed because a child failed, because an activity failed, because of
// this cause.
import { ActivityFailure, ChildWorkflowFailure } from "@temporalio/common";

/** Temporal's own mark of a history that the code at hand does not go through. */
const otherHistory = "[TMPRL1100]";

export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const wraps = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure;
  if (wraps && error.cause !== undefined) return failureReason(error.cause);
  if (!error.message.startsWith(otherHistory)) return error.message;
  return "another version of Almanac with other workflows started it; the next run requests the rest";
}
