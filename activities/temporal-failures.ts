// Failures as Temporal and the workflow need them. Temporal tries an activity again only after what passes by waiting; what
// came of each request is a value, so that the workflow can count its tries; all else is a fault of our own.
import { ApplicationFailure, ApplicationFailureCategory, CancelledFailure } from "@temporalio/common";
import { type Failure, isFailure } from "../readings/answer.ts";
import { pauseAfterNoAnswerMs } from "../readings/gather-rules.ts";
import type { CallFailed } from "../readings/run-messages.ts";
import { BreakerOpen } from "../service/breaker.ts";

/** Thrown for a batch of a format that this build does not know: an owner of the run's build can take it. */
export class AnotherBuild extends Error {
  override readonly name = "AnotherBuild";
  constructor() {
    super("the batch has the format of another build. Start a worker of that build, or wait for one");
  }
}

/** Thrown for a request that is not sent because the call ceiling of its day has room only for planned calls. */
export class OverCeiling extends Error {
  override readonly name = "OverCeiling";
  constructor(key: string, callsPerDay: number) {
    super(
      `${key} was not requested: the daily ceiling of ${callsPerDay} calls (service.callsPerDay) is reached`,
    );
  }
}

/** A refused batch may go to the endpoint's owner, or to the next one, after this time. */
const refusedMs = 1_000;
/** Longest pause before an open breaker is checked again. It is shorter than the time after which an idle owner leaves. */
const mostHeldMs = 45_000;

/** How soon Temporal repeats a batch: undefined for its own pauses, which grow. */
const retryDelays: Record<string, number | undefined> = {
  NotOwner: refusedMs,
  HeldUp: refusedMs,
  BreakerOpen: refusedMs,
  AnotherBuild: 5_000,
  // A store that is away comes back, and a credentials file in the middle of a rotation is readable again in a moment.
  StoreFailure: undefined,
  CredentialsUnreadable: undefined,
  // Another process publishes, or took the site over from this one.
  LeaseHeld: undefined,
  LeaseLost: undefined,
  NoResponse: undefined,
  RecordMoved: undefined,
  PointerMoved: undefined,
};
/** The request was not sent. These errors are ordinary, so that Temporal neither logs nor counts them as faults. */
const notSent = new Set(["NotOwner", "HeldUp", "BreakerOpen"]);

export function passesByWaiting(error: unknown): error is Error {
  return error instanceof Error && error.name in retryDelays;
}

function retryDelayOf(error: Error): number | undefined {
  if (!(error instanceof BreakerOpen)) return retryDelays[error.name];
  return Math.min(error.retryMs, mostHeldMs) + Math.random() * 1_000;
}

export function toTemporal(error: unknown, attempt: number): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (isFailure(error) && error.type === "Unavailable")
    return ApplicationFailure.create({ type: name, message, nextRetryDelay: pauseMs(error, attempt) });
  if (passesByWaiting(error)) {
    const category = notSent.has(name) ? ApplicationFailureCategory.BENIGN : undefined;
    return ApplicationFailure.create({ type: name, message, nextRetryDelay: retryDelayOf(error), category });
  }
  const cause = error instanceof Error && !isFailure(error) ? error : undefined;
  return ApplicationFailure.create({ type: name, message, nonRetryable: true, cause });
}

/** Outcome of a failed request. An error that no rule names is a fault of our own and costs only its request. */
export function outcomeOf(error: unknown, tries: number): CallFailed {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 300);
  const failed = { kind: "failed", reason, tries } as const;
  if (passesByWaiting(error)) {
    if (notSent.has(error.name))
      return { ...failed, type: "NotRequested", tries: tries - 1, pauseMs: retryDelayOf(error) ?? refusedMs };
    return { ...failed, type: "Unavailable", pauseMs: pauseAfterNoAnswerMs(1, Math.random()) };
  }
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

/** Kind of the answer, without the request, so that the workflow can detect that all requests were refused alike. */
function saidIn({ facts: { status, seen } }: Failure): string {
  return status === undefined || status === 200 ? seen : `HTTP ${status}: ${seen}`;
}

/** The pause that the service requests, otherwise our own. */
function pauseMs(failure: Failure, attempt: number): number {
  const retryAfterMs = "retryAfterMs" in failure ? failure.retryAfterMs : undefined;
  if (typeof retryAfterMs === "number") return Math.max(1, retryAfterMs) + Math.random() * 500;
  return pauseAfterNoAnswerMs(attempt, Math.random());
}
