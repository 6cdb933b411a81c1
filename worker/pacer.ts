// Spaces one worker's calls on an address evenly, so that no sliding second sees more than the rate; Temporal's own
// limiter bounds all workers over time but lets twice the rate through in the first second.
import { type Pacer } from "../activities/dependencies.ts";

/** A timer that fires late, or a stalled event loop, is made up for by at most this share of the rate. */
const catchUpShare = 0.03;
/** Lost time beyond this is lost. */
const mostDebtMs = 5_000;

interface Waiting {
  readonly sinceMs: number;
  readonly go: () => void;
}

export function createPacer(ratePerSecond: number): Pacer {
  const intervalMs = 1000 / ratePerSecond;
  const waiting: Waiting[] = [];
  let nextMs = 0;
  let debtMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function pump(): void {
    timer = undefined;
    for (;;) {
      const first = waiting[0];
      if (first === undefined) return;
      const nowMs = performance.now();
      if (nextMs > nowMs) {
        timer = setTimeout(pump, nextMs - nowMs);
        return;
      }
      waiting.shift();
      const lateMs = first.sinceMs > nextMs ? 0 : nowMs - nextMs; // nobody waited: idle, not late
      debtMs = Math.min(debtMs + lateMs, mostDebtMs);
      const advanceMs = Math.min(debtMs, intervalMs * catchUpShare);
      debtMs -= advanceMs;
      nextMs = nowMs + intervalMs - advanceMs;
      first.go();
    }
  }

  return {
    turn(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const leave = (): void => {
          const place = waiting.indexOf(entry);
          if (place >= 0) waiting.splice(place, 1);
          reject(signal.reason);
        };
        const go = (): void => {
          signal.removeEventListener("abort", leave);
          resolve();
        };
        const entry: Waiting = { sinceMs: performance.now(), go };
        signal.addEventListener("abort", leave, { once: true });
        waiting.push(entry);
        if (timer === undefined) pump();
      });
    },
  };
}
