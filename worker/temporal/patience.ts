// Patience with Temporal: retries calls while that can help, and detects a server that runs but no longer answers. The library can retry
// too, but its retries can't be canceled.
import { setTimeout as delay } from "node:timers/promises";
import { type ConnectionLike, defaultGrpcRetryOptions, isGrpcServiceError } from "@temporalio/client";
import { reportWait, reportingWait } from "../../store/clock.ts";

const pauseMs = 1_000;
const answerMs = 2_000;
/** The longest time without an answer. A server that restarts is back sooner. */
export const patienceMs = 60_000;
/** The most that the last look adds to the bound of the wait, also on a busy machine. */
const lastLookMs = 10_000;

/**
 * Resolves with true after `mostSilentMs` without an answer, which is reported meanwhile, and with false once `ended`. Only time
 * in which an answer could have come counts, so a process that was suspended gives nobody up.
 */
export async function fallsSilent(
  name: string,
  connection: () => Pick<ConnectionLike, "withDeadline" | "workflowService">,
  ended: AbortSignal,
  mostSilentMs = patienceMs,
): Promise<boolean> {
  let silentMs = 0;
  while (silentMs < mostSilentMs) {
    const beganMs = performance.now();
    await delay(pauseMs, undefined, { ref: false });
    if (ended.aborted) return false;
    const isAnswered = await answersOnce(connection());
    if (ended.aborted) return false;
    silentMs = isAnswered ? 0 : silentMs + Math.min(performance.now() - beganMs, pauseMs + answerMs);
    if (silentMs >= answerMs) reportWait({ name, waitedMs: silentMs, mostMs: mostSilentMs + lastLookMs });
  }
  return true;
}

async function answersOnce(connection: Pick<ConnectionLike, "withDeadline" | "workflowService">) {
  const ask = async () => connection.workflowService.getSystemInfo({});
  return connection.withDeadline(Date.now() + answerMs, ask).then(
    () => true,
    () => false,
  );
}

/** How long commands wait for Temporal. */
export interface CallLimits {
  /** The time without any answer after which the server is given up. */
  readonly silentMs: number;
  /** The time for an attempt: three times as long as Temporal holds a call that waits for news. */
  readonly attemptMs: number;
}

export const callLimits: CallLimits = { silentMs: patienceMs, attemptMs: 60_000 };

/** A process that was suspended finds its call cut off, and hears the answer to the second one. */
const mostUnanswered = 2;

/** These calls take long when all is well. */
const waitForNews = new Set<string | symbol>([
  "getWorkflowExecutionHistory",
  "pollWorkflowExecutionUpdate",
  "queryWorkflow",
  "updateWorkflowExecution",
]);

export interface Repeats extends CallLimits {
  /** The server, as reports of waits name it. */
  readonly name: string;
  /** Cancels the call under way and lets no other begin. Its reason is thrown. */
  readonly givenUp: AbortSignal;
  /** The error for a server that answers other calls, but not this one. */
  readonly unanswered: (afterMs: number) => Error;
}

/** The connection's service for workflows, with these repetitions. */
export function repeating(
  connection: Pick<ConnectionLike, "workflowService" | "withAbortSignal">,
  repeats: Repeats,
): ConnectionLike["workflowService"] {
  return new Proxy(connection.workflowService, {
    get(service, name) {
      const call: unknown = Reflect.get(service, name);
      if (typeof call !== "function") return call;
      return (...request: readonly unknown[]) => {
        const attempt = (signal: AbortSignal) =>
          connection.withAbortSignal(signal, () => Reflect.apply(call, service, request));
        const answer = () => repeated(attempt, repeats);
        if (waitForNews.has(name)) return answer();
        return reportingWait(repeats.name, mostUnanswered * repeats.attemptMs, answer);
      };
    },
  });
}

async function repeated(
  attempt: (signal: AbortSignal) => Promise<unknown>,
  { attemptMs, givenUp, unanswered }: Repeats,
): Promise<unknown> {
  const { retryableDecider, delayFunction } = defaultGrpcRetryOptions();
  let unansweredCount = 0;
  for (let count = 1; ; count += 1) {
    givenUp.throwIfAborted();
    const late = AbortSignal.timeout(attemptMs);
    try {
      return await attempt(AbortSignal.any([givenUp, late]));
    } catch (error) {
      givenUp.throwIfAborted();
      if (late.aborted) {
        unansweredCount += 1;
        if (unansweredCount === mostUnanswered) throw unanswered(mostUnanswered * attemptMs);
      } else {
        if (!isGrpcServiceError(error) || !retryableDecider(count, error)) throw error;
        await delay(delayFunction(count, error), undefined, { signal: givenUp }).catch(() => undefined);
      }
    }
  }
}
