// The only place where a failed activity becomes a value. Cancellations, and errors that are no activity's failure, pass through.
import { ActivityFailure, isCancellation } from "@temporalio/workflow";
import type { CallFailed } from "../readings/run-messages.ts";
import { failureReason } from "./failure-reason.ts";

/** Outcome of each request of a batch whose activity failed as a whole: a fault of our own costs only its requests. */
export function faultOf(error: unknown, tries: number): CallFailed {
  if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
  return { kind: "failed", type: "Fault", reason: failureReason(error).slice(0, 300), tries };
}
