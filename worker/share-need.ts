// How many calls a second a worker needs, by what it made of its share: all of the rate until it has shown that it needs less.
import type { ShareHolder } from "../vault/rate-note.ts";
import type { MonotonicClock } from "./monotonic-clock.ts";
import type { PacerInShare } from "./pacer.ts";

/** A call that waits for longer shows that the share is too small. */
const lackingMs = 1_000;
/** The time over which a worker finds out what it needs. */
const useMs = 10_000;
/** The time after which an unused share is given to others who lack it. */
const idleMs = 400;
/**
 * Who has had nothing yet waits in the note for so long, whether or not a call still waits: so it finds out which of the holders
 * are dead. Attempts that are shorter than this would otherwise join and leave in turn, and find it out never.
 */
const findingOutMs = 60_000;

export class ShareNeed {
  readonly #pacer: PacerInShare;
  readonly #clock: MonotonicClock;
  readonly #most: number;
  #sinceMs = 0;
  #beganMs = 0;
  #areOthersLacking = false;
  #hasHadNone = true;
  #callsPerSecond: number;

  constructor(pacer: PacerInShare, clock: MonotonicClock, most: number) {
    this.#pacer = pacer;
    this.#clock = clock;
    this.#most = most;
    this.#callsPerSecond = most;
  }

  beginAnew(): void {
    this.#callsPerSecond = this.#most;
    this.#sinceMs = this.#clock.nowMs();
    this.#beganMs = this.#sinceMs;
    this.#areOthersLacking = false;
    this.#hasHadNone = true;
  }

  /** The share has become too small, or could be another's. */
  get isOther(): boolean {
    return (this.#callsPerSecond < this.#most && this.#isLacking()) || this.#isLeft();
  }

  /** At 0 the worker is idle. A need of less than half is worth a write, and only where others could have the rest. */
  now(others: readonly ShareHolder[], ownShare: number): number {
    if (ownShare > 0) this.#hasHadNone = false;
    this.#areOthersLacking = others.some(({ share, wants }) => share < wants);
    if (this.#isLeft()) return (this.#callsPerSecond = 0);
    const isWaiting = this.#pacer.waitedMs() !== undefined;
    if (this.#isLacking() || (this.#callsPerSecond === 0 && isWaiting)) this.#callsPerSecond = this.#most;
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#sinceMs < useMs || this.#isFindingOut()) return this.#callsPerSecond;
    this.#sinceMs = nowMs;
    const { busiestSecond, longestWaitMs } = this.#pacer.takeUse();
    const enough = busiestSecond + 1;
    if (busiestSecond === 0 && !isWaiting && this.#pacer.sentWithin(0) === 0) this.#callsPerSecond = 0;
    else if (others.length > 0 && longestWaitMs <= lackingMs && 2 * enough <= this.#callsPerSecond) {
      this.#callsPerSecond = enough;
    }
    return this.#callsPerSecond;
  }

  /** Others could use what this worker has not used for a second. */
  #isLeft(): boolean {
    const isIdle = this.#pacer.waitedMs() === undefined && this.#pacer.sentWithin(idleMs) === 0;
    const isPast = this.#clock.nowMs() - this.#beganMs > idleMs;
    return this.#areOthersLacking && isIdle && isPast && !this.#isFindingOut();
  }

  #isFindingOut(): boolean {
    return this.#hasHadNone && this.#clock.nowMs() - this.#beganMs < findingOutMs;
  }

  #isLacking(): boolean {
    return (this.#pacer.waitedMs() ?? 0) > lackingMs;
  }
}
