// Spaces one worker's calls on an address evenly within its share of the rate, which rate-share.ts gives and takes.
import type { Pacer } from "../activities/dependencies.ts";
import { paceBounds, spacingMsFor } from "../readings/call-pace.ts";
import { type MonotonicClock, processClock } from "./monotonic-clock.ts";

// The event loop of a busy worker is held up for longer than the 10 ms between two calls again and again. The lost turns are
// made up for at once, as long as the second that ends now has room: if each turn were counted from the late one before it, 100
// a second would become 57 (measured).
/**
 * Turns that are made up for come no nearer to each other than this share of the usual time, over a twentieth of a second. A
 * loop that comes to its timers every 20 ms gives several turns at once, or it would fall behind for good.
 */
const leastSpacing = 0.25;
const bunchesPerSecond = 20;
/** Lost time beyond this is not made up for. */
const mostDebtMs = 5_000;
/** Timers go off up to a millisecond early. */
const timerMs = 1;
/** No share lets more out within its window. */
const mostLeft = paceBounds.ratePerSecond.most;
/** A turn that is not used within this time is over. Until then it counts as a call, for it may go out at any moment. */
export const turnMs = 5_000;

/** Thrown in place of sending where a turn is over, or the share that it came from. */
export class TurnOver extends Error {
  override readonly name = "TurnOver";
  constructor() {
    super("held up on its way out for longer than its turn, or its worker's share of the rate, lasted");
  }
}

/** What was made of a share since the last look. */
export interface ShareUse {
  /** The most calls that left within one second. */
  readonly busiestSecond: number;
  readonly longestWaitMs: number;
}
const unused: ShareUse = { busiestSecond: 0, longestWaitMs: 0 };

interface Waiting {
  readonly sinceMs: number;
  readonly go: (onSent: () => void) => void;
}

/** The most calls that a share lets out within `windowMs`, catching up included. A broken share needs a longer window. */
function boundOf(share: number) {
  const most = Math.ceil(share);
  return { most, windowMs: (most / share) * 1000 + timerMs };
}

/** Under one a second it is the time of a call. */
export function secondOf(share: number): number {
  return share > 0 && share < 1 ? boundOf(share).windowMs : 1000 + timerMs;
}

export class PacerInShare implements Pacer {
  readonly #onWaiting: () => void;
  readonly #clock: MonotonicClock;
  readonly #waiting: Waiting[] = [];
  /** When the last ones got their turns. */
  readonly #went: number[] = [];
  /** The turns that are given and not used yet, by when they were given. */
  readonly #out = new Map<object, number>();
  /** When the last calls left. */
  readonly #left: number[] = [];
  #share = 0;
  #untilMs = 0;
  #dueMs = 0;
  #use = unused;
  #cancelTimer: (() => void) | undefined;

  /** `onWaiting` is told where a call waits and there is no share. */
  constructor(onWaiting: () => void = () => undefined, clock: MonotonicClock = processClock) {
    this.#onWaiting = onWaiting;
    this.#clock = clock;
  }

  turn(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const giveUp = (): void => {
        const place = this.#waiting.indexOf(entry);
        if (place >= 0) this.#waiting.splice(place, 1);
        reject(signal.reason);
      };
      const go = (onSent: () => void): void => {
        signal.removeEventListener("abort", giveUp);
        resolve(onSent);
      };
      const entry: Waiting = { sinceMs: this.#clock.nowMs(), go };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(entry);
      if (this.#cancelTimer === undefined) this.#pump();
    });
  }

  /** So many calls a second from now on, until that moment; at 0 only those leave that have their turns. */
  allow(share: number, untilMs: number): void {
    const nowMs = this.#clock.nowMs();
    if (!this.#isAllowed(nowMs)) this.#dueMs = Math.max(this.#dueMs, nowMs); // nothing of that time is made up for
    this.#share = share;
    this.#untilMs = untilMs;
    if (this.#isAllowed(nowMs)) this.#pump();
  }

  /** The calls on their way out, and those that left within so many milliseconds. */
  sentWithin(ms: number): number {
    const nowMs = this.#clock.nowMs();
    this.#endTurns(nowMs);
    return this.#out.size + this.#leftSince(nowMs - ms);
  }

  /** How long the first that waits has waited; undefined where none does. */
  waitedMs(): number | undefined {
    return this.#waiting[0] && this.#clock.nowMs() - this.#waiting[0].sinceMs;
  }

  takeUse(): ShareUse {
    const taken = this.#use;
    this.#use = unused;
    return taken;
  }

  #isAllowed(nowMs: number): boolean {
    return this.#share > 0 && nowMs < this.#untilMs;
  }

  #leftSince(sinceMs: number): number {
    return this.#left.length - 1 - this.#left.findLastIndex((atMs) => atMs <= sinceMs);
  }

  #endTurns(nowMs: number): void {
    for (const [turn, wentMs] of this.#out) if (nowMs - wentMs >= turnMs) this.#out.delete(turn);
  }

  #nextMs(): number {
    const { most, windowMs } = boundOf(this.#share);
    const bunch = Math.max(1, Math.round(this.#share / bunchesPerSecond));
    const bunchMs = bunch * spacingMsFor(this.#share) * leastSpacing;
    const free = most - this.#out.size;
    const [oldestOut = 0] = this.#out.values();
    const roomMs = free > 0 ? (this.#left.at(-free) ?? -Infinity) + windowMs : oldestOut + turnMs;
    // A full second is no lost time. Made up for, the calls of a share that became smaller would go out in one bunch a second,
    // and those of many workers together.
    if (free > 0) this.#dueMs = Math.max(this.#dueMs, roomMs);
    return Math.max(this.#dueMs, (this.#went.at(-bunch) ?? -Infinity) + bunchMs, roomMs);
  }

  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (;;) {
      const first = this.#waiting[0];
      if (first === undefined) return;
      const nowMs = this.#clock.nowMs();
      this.#endTurns(nowMs);
      if (!this.#isAllowed(nowMs)) return this.#onWaiting();
      const waitMs = this.#nextMs() - nowMs;
      if (waitMs > 0) {
        this.#cancelTimer = this.#clock.after(waitMs, () => this.#pump());
        return;
      }
      this.#waiting.shift();
      this.#give(first, nowMs);
    }
  }

  #give({ sinceMs, go }: Waiting, nowMs: number): void {
    // Nobody waited when the turn was due: that was idle time, not lost time.
    const fromMs = sinceMs > this.#dueMs ? nowMs : Math.max(this.#dueMs, nowMs - mostDebtMs);
    this.#dueMs = fromMs + spacingMsFor(this.#share);
    this.#went.push(nowMs);
    if (this.#went.length > mostLeft / bunchesPerSecond) this.#went.shift();
    const { longestWaitMs } = this.#use;
    this.#use = { ...this.#use, longestWaitMs: Math.max(longestWaitMs, nowMs - sinceMs) };
    const turn = {};
    this.#out.set(turn, nowMs);
    let isUsed = false;
    go(() => {
      if (isUsed) return;
      isUsed = true;
      this.#leave(turn);
    });
  }

  /** The look before the call goes out: nothing comes between it and the sending. */
  #leave(turn: object): void {
    const nowMs = this.#clock.nowMs();
    this.#endTurns(nowMs);
    const isItsTurn = this.#out.delete(turn) && nowMs < this.#untilMs; // also where no more turns are given
    if (isItsTurn) {
      this.#left.push(nowMs);
      if (this.#left.length > mostLeft) this.#left.shift();
      const busiestSecond = Math.max(this.#use.busiestSecond, this.#leftSince(nowMs - 1000));
      this.#use = { ...this.#use, busiestSecond };
    }
    if (this.#cancelTimer !== undefined) this.#pump(); // there may be room sooner than it seemed
    if (!isItsTurn) throw new TurnOver();
  }
}
