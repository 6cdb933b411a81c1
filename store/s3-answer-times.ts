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
