// A clock for several processes that a test plays: it goes on only when the test says so, from one timer to the next.
import type { Clock } from "../../../store/clock.ts";

interface Timer {
  readonly atMs: number;
  readonly ring: () => void;
}

export class PlayedClock implements Clock {
  #nowMs = 0;
  readonly #timers = new Set<Timer>();

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#nowMs;
  }

  after(ms: number, ring: () => void): () => void {
    const timer = { atMs: this.#nowMs + ms, ring };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Advances to the next timer; false if there is none. */
  next(): boolean {
    const [next] = [...this.#timers].sort((one, other) => one.atMs - other.atMs);
    if (next === undefined) return false;
    this.#timers.delete(next);
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    next.ring();
    return true;
  }
}
