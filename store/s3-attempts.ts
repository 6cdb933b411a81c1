// One call to a bucket: tried again while that can help, with a time-out on each attempt and a bound on their number.
import { setTimeout as delay } from "node:timers/promises";
import type { S3 } from "@aws-sdk/client-s3";
import type { Bucket, S3Limits } from "./s3-client.ts";
import { processClock, reportingWait, within } from "./clock.ts";
import { NoAnswer, troubleOf } from "./s3-faults.ts";
import type { Fence } from "./store.ts";

const longestWaitMs = 5_000;
const tooManyRequests = 429;

interface Attempts {
  readonly isHarmlessLate?: boolean;
  readonly fence?: Fence;
}

/**
 * Throws the error of the last attempt. An attempt that would do harm if it arrived late has its whole time: it is over for certain
 * before the next one begins. The work receives whether an earlier attempt of this very call is in doubt: it may have
 * been carried out although its answer never came. A fence is checked before each attempt.
 */
export async function attempting<Answer>(
  bucket: Bucket,
  work: (s3: S3, inDoubt: boolean) => Promise<Answer>,
  { isHarmlessLate = true, fence }: Attempts = {},
): Promise<Answer> {
  const { name, limits } = bucket;
  const mostMs = limits.attempts * (limits.attemptMs + limits.slowDownMs);
  return reportingWait(`the store s3://${name}`, mostMs, () => tryAgain(bucket, work, isHarmlessLate, fence));
}

async function tryAgain<Answer>(
  { limits, times, client }: Bucket,
  work: (s3: S3, inDoubt: boolean) => Promise<Answer>,
  isHarmlessLate: boolean,
  fence: Fence | undefined,
): Promise<Answer> {
  const s3 = await client(fence === undefined ? "usual" : "fenced");
  // An attempt ends in time whatever goes on. A call that has left then ends by the SDK's own time-outs (s3-client.ts).
  const inTime = <Value>(timeoutMs: number, call: Promise<Value>) =>
    within(processClock, timeoutMs, call, () => new NoAnswer(timeoutMs));
  let inDoubt = false;
  for (let count = 1; ; count += 1) {
    const timeoutMs = isHarmlessLate ? times.waitMs(count) : limits.attemptMs;
    try {
      // They may come from a helper that hangs, and a write must not leave long after it was given up.
      await inTime(timeoutMs, s3.config.credentials());
      const answered = await fence?.begin(limits.fencedMs);
      const beganMs = performance.now();
      const answer = await inTime(timeoutMs, marking(work(s3, inDoubt), answered));
      times.answered(performance.now() - beganMs);
      return answer;
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

/** Marks an attempt as answered as soon as the store has surely ended it, also where nobody waits for it any more. */
async function marking<Answer>(attempt: Promise<Answer>, answered = () => {}): Promise<Answer> {
  try {
    const answer = await attempt;
    answered();
    return answer;
  } catch (error) {
    if (!troubleOf(error).mayBeDone) answered();
    throw error;
  }
}
