// Failures as Temporal needs them: with an explicit type, and with whether Temporal may retry. It retries only what passes by
// waiting: Unavailable, and a store that is away. The workflow counts the tries of all else, or it is a fault of our own.
import { ApplicationFailure, CancelledFailure } from "@temporalio/common";
import { type Failure, isFailure, type Unavailable } from "../readings/failures.ts";
import { pauseAfterNoAnswerMs } from "../readings/retry-rules.ts";
import { ClaimedElsewhere } from "../vault/claims.ts";

/** A store that is away comes back, and a credentials file in the middle of a rotation is readable again in a moment. */
const passesByWaiting = new Set(["StoreFailure", "CredentialsUnreadable"]);

export function toTemporal(error: unknown, attempt: number): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (isFailure(error)) return failureToTemporal(error, attempt);
  if (error instanceof ClaimedElsewhere) {
    return ApplicationFailure.create({ type: error.name, message: error.message, nextRetryDelay: 1_000 });
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (passesByWaiting.has(name)) return ApplicationFailure.create({ type: name, message });
  return ApplicationFailure.create({
    type: name,
    message,
    nonRetryable: true,
    cause: error instanceof Error ? error : undefined,
  });
}

function failureToTemporal(failure: Failure, attempt: number) {
  const { type, message } = failure;
  if (type === "Unavailable") {
    return ApplicationFailure.create({ type, message, nextRetryDelay: pauseMs(failure, attempt) });
  }
  const details = type === "Rejected" ? [saidIn(failure)] : undefined;
  return ApplicationFailure.create({ type, message, nonRetryable: true, details });
}

/** The service's own words without the request, so that the workflow can tell whether all requests were refused alike. */
function saidIn({ facts: { status, seen } }: Failure) {
  return status === undefined || status === 200 ? seen : `HTTP ${status}: ${seen}`;
}

/** The pause that the service asks for, else our own. */
function pauseMs(failure: Failure | Unavailable, attempt: number) {
  const asked = "retryAfterMs" in failure ? failure.retryAfterMs : undefined;
  if (asked !== undefined) return Math.max(1, asked) + Math.random() * 500;
  return pauseAfterNoAnswerMs(attempt, Math.random());
}

/** The gate is closed: the request was not asked, and the workflow waits for the gate. */
export function gateClosed(address: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: "GateClosed",
    message: `the ${address} address refuses the credentials: nothing is asked until a probe succeeds`,
    nonRetryable: true,
  });
}

/** The day's ceiling has no room for a call beyond those of the plan, so the call is not made. */
export function overCeiling(key: string, callsPerDay: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: "OverCeiling",
    message: `${key} is not asked again: the day's ceiling of ${callsPerDay} calls (service.callsPerDay) is spent`,
    nonRetryable: true,
  });
}
