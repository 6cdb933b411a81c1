// One call to a bucket: tried again while that can help, with a time-out on each attempt and a bound on their number.
import { setTimeout as delay } from "node:timers/promises";
import type { S3 } from "@aws-sdk/client-s3";
import type { Bucket, S3Limits } from "./s3-client.ts";
import { reportingWait } from "./waits.ts";
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
  let inDoubt = false;
  for (let count = 1; ; count += 1) {
    const timeoutMs = isHarmlessLate ? times.waitMs(count) : limits.attemptMs;
    try {
      // They may come from a helper that hangs, and a write must not leave long after it was given up.
      await within(timeoutMs, s3.config.credentials());
      const answered = await fence?.begin(limits.fencedMs);
      const beganMs = performance.now();
      const answer = await within(timeoutMs, marking(work(s3, inDoubt), answered));
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

/** Ends in time whatever goes on. A call that has left then ends by the SDK's own time-outs (s3-client.ts). */
async function within<Answer>(timeoutMs: number, work: Promise<Answer>): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new NoAnswer(timeoutMs)), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

// How long a bucket takes to answer, as it was seen, and so how long to wait for an answer before the call is made again. A server
// that hangs now and then costs each such call some seconds in place of the whole time of an attempt: what many calls wait for,
// such as a publish, meets one in each of its steps. The wait follows what is seen, as TCP's does, so that a slow line, on
// which everything takes long, is not made slower by calls that are made twice.
/** The limits of a bucket's calls that concern the wait (s3-client.ts). */
interface WaitLimits {
  readonly attemptMs: number;
  readonly attempts: number;
  readonly hastyMs: number;
}

/** The wait is so many times as long as answers take, with their spread. */
const spare = 3;
const spreads = 4;
/** The shares of the newest answer in what is known of all. */
const [newestShare, newestSpreadShare] = [1 / 8, 1 / 4];

export class AnswerTimes {
  readonly #limits: WaitLimits;
  #meanMs: number | undefined;
  #spreadMs = 0;

  constructor(limits: WaitLimits) {
    this.#limits = limits;
  }

  /**
   * How long to wait at this attempt, the first one being 1. From the third on each waits twice as long as the one before, and the
   * last one its whole time, so that a server that has become slow is heard.
   */
  waitMs(attempt: number): number {
    const { attemptMs, attempts, hastyMs } = this.#limits;
    if (this.#meanMs === undefined || attempt >= attempts) return attemptMs;
    const usualMs = spare * (this.#meanMs + spreads * this.#spreadMs);
    return Math.min(attemptMs, Math.max(hastyMs, usualMs) * 2 ** Math.max(0, attempt - 2));
  }

  answered(afterMs: number): void {
    if (this.#meanMs === undefined) {
      this.#meanMs = afterMs;
      this.#spreadMs = afterMs / 2;
      return;
    }
    const apartMs = afterMs - this.#meanMs;
    this.#meanMs += newestShare * apartMs;
    this.#spreadMs += newestSpreadShare * (Math.abs(apartMs) - this.#spreadMs);
  }
}
