// A clock that only measures durations: nobody sets it, and no two processes agree on it. What holds a rate over all workers asks
// no other. Tests play many processes with it, each at its own speed, stopped and gone on.
export interface MonotonicClock {
  nowMs(): number;
  /** Calls after so many milliseconds; returns what takes that back. */
  after(ms: number, then: () => void): () => void;
}

export const processClock: MonotonicClock = {
  nowMs: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

export function passing(clock: MonotonicClock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
