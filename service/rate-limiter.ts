// Spaces the calls of an endpoint evenly, so that no second sees more than the rate and one. A token bucket would let twice the
// rate out in a second after a pause.
//
// The event loop of a busy process is held up again and again for longer than the time between two calls. The time lost is made
// up for at once, as long as the second that ends now has room: if each call were counted from the late one before it, 100
// calls per second would become 57 (measured).
import { paceBounds, spacingMsFor } from "../readings/plan-order.ts";
import { type Clock, processClock } from "../store/clock.ts";
import type { Lease } from "../store/held-lease.ts";

/**
 * Calls that make up for lost time come no nearer to each other than this share of the usual time, averaged over a twentieth of a
 * second. A loop that comes to its timers every 20 ms lets several calls out at once, or it would fall behind for good.
 */
const leastSpacing = 0.25;
const bunchesPerSecond = 20;
/** Lost time beyond this is not made up for. */
const mostDebtMs = 5_000;
/** Timers fire up to a millisecond early. */
const timerMs = 1;
const mostPerSecond = paceBounds.ratePerSecond.most;
/** A call that was let out and has not left within this time must not leave. Until then it counts, for it can leave at any moment. */
const leaveWithinMs = 5_000;
/** A new owner of an endpoint sends nothing for at least this long. */
const leastQuietMs = 1_000;

/** Called when the request leaves. Throws if it must not: because it was held up for too long, or because `mayLeave` throws. */
export type Leave = (mayLeave?: () => void) => void;

interface Waiting {
  readonly sinceMs: number;
  readonly go: (leave: Leave) => void;
  readonly fail: (error: unknown) => void;
}

export class RateLimiter {
  /** In each `windowMs`, at most `most` calls leave. A rate below one per second needs a longer window. */
  readonly windowMs: number;
  readonly #most: number;
  readonly #spacingMs: number;
  readonly #bunch: number;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  /** When the last calls were let out. */
  readonly #letOut: number[] = [];
  /** The calls that were let out and have not left, with that moment. */
  readonly #leaving = new Map<Leave, number>();
  /** When the last calls left. */
  readonly #left: number[] = [];
  #dueMs = -Infinity;
  #quietUntilMs = -Infinity;
  #cancelTimer: (() => void) | undefined;

  constructor(ratePerSecond: number, clock: Clock = processClock) {
    this.#most = Math.ceil(ratePerSecond);
    this.windowMs = (this.#most / ratePerSecond) * 1000 + timerMs;
    this.#spacingMs = spacingMsFor(ratePerSecond);
    this.#bunch = Math.max(1, Math.round(ratePerSecond / bunchesPerSecond));
    this.#clock = clock;
  }

  /** Resolves when the call may leave. A call that is held up on its way counts from when it leaves. */
  acquire(signal: AbortSignal): Promise<Leave> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const giveUp = (): void => {
        const place = this.#waiting.indexOf(entry);
        if (place >= 0) this.#waiting.splice(place, 1);
        reject(signal.reason);
      };
      const go = (leave: Leave): void => {
        signal.removeEventListener("abort", giveUp);
        resolve(leave);
      };
      const fail = (error: unknown): void => {
        signal.removeEventListener("abort", giveUp);
        reject(error);
      };
      const entry: Waiting = { sinceMs: this.#clock.monotonicMs(), go, fail };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(entry);
      if (this.#cancelTimer === undefined) this.#pump();
    });
  }

  /** Keeps a new owner's calls out of the window, of at least a second, of the previous owner's last calls. */
  beginAfter({ before, freeFromMs = this.#clock.monotonicMs() }: Pick<Lease, "before" | "freeFromMs">): void {
    if (before === "none" || before === "idle") return;
    this.quietUntil(freeFromMs + Math.max(leastQuietMs, this.windowMs));
  }

  /** Lets nothing out before then. That time is not made up for. */
  quietUntil(ms: number): void {
    this.#quietUntilMs = ms;
    this.#dueMs = Math.max(this.#dueMs, ms);
  }

  /** Rejects every call that waits. */
  stop(error: Error): void {
    for (const { fail } of this.#waiting.splice(0)) fail(error);
  }

  /** Whether no call has left within the last window, here or at an owner before, and none is about to. */
  isQuiet(): boolean {
    const nowMs = this.#clock.monotonicMs();
    this.#endLeaving(nowMs);
    const lastMs = Math.max(this.#left.at(-1) ?? -Infinity, this.#quietUntilMs - this.windowMs);
    return this.#leaving.size === 0 && lastMs <= nowMs - this.windowMs;
  }

  #endLeaving(nowMs: number): void {
    for (const [leave, atMs] of this.#leaving) if (nowMs - atMs >= leaveWithinMs) this.#leaving.delete(leave);
  }

  #nextMs(): number {
    const free = this.#most - this.#leaving.size;
    const [oldestMs = 0] = this.#leaving.values();
    const roomMs = free > 0 ? (this.#left.at(-free) ?? -Infinity) + this.windowMs : oldestMs + leaveWithinMs;
    if (free > 0) this.#dueMs = Math.max(this.#dueMs, roomMs); // a full second is no lost time
    const bunchMs = this.#bunch * this.#spacingMs * leastSpacing;
    return Math.max(
      this.#dueMs,
      (this.#letOut.at(-this.#bunch) ?? -Infinity) + bunchMs,
      roomMs,
      this.#quietUntilMs,
    );
  }

  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (;;) {
      const first = this.#waiting[0];
      if (first === undefined) return;
      const nowMs = this.#clock.monotonicMs();
      this.#endLeaving(nowMs);
      const waitMs = this.#nextMs() - nowMs;
      if (waitMs > 0) {
        this.#cancelTimer = this.#clock.after(waitMs, () => this.#pump());
        return;
      }
      this.#waiting.shift();
      this.#let(first, nowMs);
    }
  }

  #let({ sinceMs, go }: Waiting, nowMs: number): void {
    // If nobody waited when a call was due, that was idle time and not lost time.
    const fromMs = sinceMs > this.#dueMs ? nowMs : Math.max(this.#dueMs, nowMs - mostDebtMs);
    this.#dueMs = fromMs + this.#spacingMs;
    this.#letOut.push(nowMs);
    if (this.#letOut.length > mostPerSecond / bunchesPerSecond) this.#letOut.shift();
    const leave: Leave = (mayLeave) => this.#leave(leave, mayLeave);
    this.#leaving.set(leave, nowMs);
    go(leave);
  }

  /** The last check before the call leaves: nothing comes between it and the sending. */
  #leave(leave: Leave, mayLeave: () => void = () => undefined): void {
    const nowMs = this.#clock.monotonicMs();
    this.#endLeaving(nowMs);
    const isInTime = this.#leaving.delete(leave);
    try {
      if (!isInTime) throw new HeldUp();
      mayLeave();
      this.#left.push(nowMs);
      if (this.#left.length > mostPerSecond) this.#left.shift();
    } finally {
      this.giveUp(leave);
    }
  }

  /** Ends a call that will not leave. One that has left still counts. */
  giveUp(leave: Leave): void {
    this.#leaving.delete(leave);
    if (this.#cancelTimer !== undefined) this.#pump(); // there may be room earlier than planned
  }
}

/** Thrown in place of sending. */
export class HeldUp extends Error {
  override readonly name = "HeldUp";
  constructor() {
    super(`the process was blocked for longer than ${leaveWithinMs / 1000} s before the call was sent`);
  }
}
