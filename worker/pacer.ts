// Spaces one worker's calls on an address evenly, so that no sliding second sees more than the rate; Temporal's own
// limiter bounds all workers over time but lets twice the rate through in the first second.
import type { Pacer } from "../activities/dependencies.ts";

// A timer fires up to a millisecond or two late, which at 100 a second would be a tenth of the rate: the calls after it
// go out when they would have anyway. Beyond that, what a stalled event loop lost is made up for little by little. Both
// are small, so that the service's own jitter finds room in a second's bound: at 20 a second 35 ms of it, where making up
// for everything at 3 % left 18 ms, and a loaded machine showed 22 calls in a second (measured).
const graceMs = 5;
const graceShare = 0.25;
const catchUpShare = 0.01;
/** Lost time beyond this is lost. */
const mostDebtMs = 5_000;

interface Waiting {
  readonly sinceMs: number;
  readonly go: () => void;
}

export function createPacer(ratePerSecond: number): Pacer {
  const intervalMs = 1000 / ratePerSecond;
  const mostGraceMs = Math.min(graceMs, intervalMs * graceShare);
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
      const forgivenMs = Math.min(lateMs, mostGraceMs);
      debtMs = Math.min(debtMs + lateMs - forgivenMs, mostDebtMs);
      const advanceMs = Math.min(debtMs, intervalMs * catchUpShare);
      debtMs -= advanceMs;
      nextMs = nowMs - forgivenMs + intervalMs - advanceMs;
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
