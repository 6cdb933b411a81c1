// Failures as Temporal and the workflow need them. Temporal tries an activity again only after what passes by waiting; what
// came of each request is a value, so that the workflow can count its tries; all else is a fault of our own.
import { ApplicationFailure, CancelledFailure } from "@temporalio/common";
import type { AwayScope } from "../readings/calls-in-vain.ts";
import { type Failure, isFailure } from "../readings/failures.ts";
import { pauseAfterNoAnswerMs } from "../readings/retry-rules.ts";
import type { CaptureFailed } from "../readings/run-messages.ts";

/** Thrown for a request that is not asked any more because the worker stops: another worker asks it. */
export class Leaving extends Error {
  override readonly name = "Leaving";
  constructor() {
    super("the worker stops: another one goes on");
  }
}

/** Thrown for a request that is not asked because the gate of its address holds it: the workflow waits for the gate. */
export class GateClosed extends Error {
  override readonly name = "GateClosed";
  readonly operation: AwayScope["operation"];
  constructor(address: string, { operation, language }: AwayScope) {
    const what = [operation, language].filter((word) => word !== undefined).join(" in ");
    super(
      `the gate of the ${address} address holds ${what || "all requests"}: nothing is asked until a probe is answered`,
    );
    this.operation = operation;
  }
}

/** Thrown for a request that is not asked because the ceiling of its call's day has no room for more than what was planned on it. */
export class OverCeiling extends Error {
  override readonly name = "OverCeiling";
  constructor(key: string, callsPerDay: number) {
    super(`${key} is not asked: the day's ceiling of ${callsPerDay} calls (service.callsPerDay) is spent`);
  }
}

/** How soon Temporal tries again: undefined for its own pauses, which grow. */
const retryDelays: Record<string, number | undefined> = {
  ClaimedElsewhere: 1_000,
  Leaving: 1,
  // A store that is away comes back, and a credentials file in the middle of a rotation is readable again in a moment.
  StoreFailure: undefined,
  CredentialsUnreadable: undefined,
};

export function passesByWaiting(error: unknown): error is Error {
  return error instanceof Error && error.name in retryDelays;
}

export function toTemporal(error: unknown, attempt: number): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (isFailure(error) && error.type === "Unavailable")
    return ApplicationFailure.create({ type: name, message, nextRetryDelay: pauseMs(error, attempt) });
  if (passesByWaiting(error))
    return ApplicationFailure.create({ type: name, message, nextRetryDelay: retryDelays[name] });
  const cause = error instanceof Error && !isFailure(error) ? error : undefined;
  return ApplicationFailure.create({ type: name, message, nonRetryable: true, cause });
}

/** What came of a request that failed. An error that no rule names is a fault of our own; it costs its request, and no more. */
export function outcomeOf(error: unknown, tries: number): CaptureFailed {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 300);
  const failed = { kind: "failed", reason, tries } as const;
  if (passesByWaiting(error))
    return { ...failed, type: "Unavailable", pauseMs: pauseAfterNoAnswerMs(1, Math.random()) };
  if (error instanceof GateClosed) return { ...failed, type: "GateClosed", operation: error.operation };
  if (!isFailure(error)) {
    const name = error instanceof Error ? error.name : undefined;
    const type = (["OutOfReach", "OverCeiling"] as const).find((one) => one === name);
    return { ...failed, type: type ?? "Fault" };
  }
  const { type } = error;
  if (type === "Rejected") return { ...failed, type, said: saidIn(error) };
  if (type === "Unavailable") return { ...failed, type, pauseMs: pauseMs(error, 1) };
  return { ...failed, type };
}

/** What kind of answer it was, without the request, so that the workflow can tell whether all requests were refused alike. */
function saidIn({ facts: { status, seen } }: Failure): string {
  return status === undefined || status === 200 ? seen : `HTTP ${status}: ${seen}`;
}

/** The pause that the service asks for, else our own. */
function pauseMs(failure: Failure, attempt: number): number {
  const asked = "retryAfterMs" in failure ? failure.retryAfterMs : undefined;
  if (typeof asked === "number") return Math.max(1, asked) + Math.random() * 500;
  return pauseAfterNoAnswerMs(attempt, Math.random());
}
