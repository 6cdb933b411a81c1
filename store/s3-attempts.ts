// One call to a bucket: tried again while that can help, with a time-out on each attempt and a bound on their number.
import { setTimeout as delay } from "node:timers/promises";
import type { S3 } from "@aws-sdk/client-s3";
import type { Bucket, S3Limits } from "./s3-client.ts";
import { reportingWait } from "./waits.ts";
import { NoAnswer, troubleOf } from "./s3-errors.ts";

const longestWaitMs = 5_000;
const tooManyRequests = 429;

/**
 * Throws the error of the last attempt. An attempt that would do harm if it arrived late has its whole time: it is over for certain
 * before the next one begins. The work is told whether an earlier attempt of this very call is in doubt: it may have
 * been carried out although its answer never came.
 */
export async function attempting<Answer>(
  bucket: Bucket,
  work: (s3: S3, inDoubt: boolean) => Promise<Answer>,
  isHarmlessLate = true,
): Promise<Answer> {
  const { name, limits } = bucket;
  const mostMs = limits.attempts * (limits.attemptMs + limits.slowDownMs);
  return reportingWait(`the store s3://${name}`, mostMs, () => tryAgain(bucket, work, isHarmlessLate));
}

async function tryAgain<Answer>(
  { limits, times, client }: Bucket,
  work: (s3: S3, inDoubt: boolean) => Promise<Answer>,
  isHarmlessLate: boolean,
): Promise<Answer> {
  const s3 = await client();
  let inDoubt = false;
  for (let count = 1; ; count += 1) {
    const timeoutMs = isHarmlessLate ? times.waitMs(count) : limits.attemptMs;
    const beganMs = performance.now();
    try {
      const answer = await within(timeoutMs, async (isOver) => {
        // They may come from a helper that hangs, and a write must not leave long after it was given up.
        await s3.config.credentials();
        if (isOver()) throw new NoAnswer(timeoutMs);
        return work(s3, inDoubt);
      });
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

/** Ends in time whatever goes on. A call that has left then ends by the SDK's own time-outs (s3-client.ts). */
async function within<Answer>(
  timeoutMs: number,
  work: (isOver: () => boolean) => Promise<Answer>,
): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    reject(new NoAnswer(timeoutMs));
  }, timeoutMs);
  try {
    return await Promise.race([work(() => isOver), promise]);
  } finally {
    clearTimeout(timer);
  }
}
