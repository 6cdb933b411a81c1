// The first cause of a failure, which Temporal wraps: a run failed because a child failed, because an activity failed, because
// of this.
import { ActivityFailure, ChildWorkflowFailure } from "@temporalio/common";

export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const wraps = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure;
  return wraps && error.cause !== undefined ? failureReason(error.cause) : error.message;
}
