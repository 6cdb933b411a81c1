// One call to a bucket: tried again while that can help, with a time-out on each attempt and a bound on their number.
import { setTimeout as delay } from "node:timers/promises";
import type { S3Limits } from "./s3-client.ts";
import { NoAnswer, troubleOf } from "./s3-errors.ts";

const longestWaitMs = 5_000;
const tooManyRequests = 429;

export interface Attempt {
  readonly signal: AbortSignal;
  /** Whether an earlier attempt of this very call may have been carried out although its answer never came. */
  readonly inDoubt: boolean;
}

/** Throws the error of the last attempt. */
export async function attempting<Answer>(
  limits: S3Limits,
  work: (attempt: Attempt) => Promise<Answer>,
): Promise<Answer> {
  let inDoubt = false;
  for (let count = 1; ; count += 1) {
    try {
      return await within(limits.attemptMs, (signal) => work({ signal, inDoubt }));
    } catch (error) {
      const trouble = troubleOf(error);
      if (!trouble.again || count >= limits.attempts) throw error;
      inDoubt ||= trouble.mayBeDone;
      const leastMs = trouble.status === tooManyRequests ? limits.slowDownMs : 0;
      await delay(Math.max(leastMs, waitMs(limits, count)));
    }
  }
}

/** Half of the wait is chance, so that twelve writers that were refused together do not come back together. */
function waitMs({ firstWaitMs }: S3Limits, count: number) {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** (count - 1)) * (0.5 + Math.random() / 2);
}

/** Ends in time even if nobody listens to the signal: a credential helper may hang, and a body may stop half-way. */
async function within<Answer>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const late = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new NoAnswer(timeoutMs)); // before the abort, whose own error says less
    late.abort();
  }, timeoutMs);
  try {
    return await Promise.race([work(late.signal), promise]);
  } finally {
    clearTimeout(timer);
  }
}
