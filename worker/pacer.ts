// Spaces one worker's calls on an address evenly, so that no sliding second sees more than the rate and one; Temporal's own
// limiter bounds all workers over time but lets twice the rate through in the first second.
import type { Pacer } from "../activities/dependencies.ts";
import { spacingMsFor } from "../readings/call-pace.ts";

// The event loop of a busy worker is held up for longer than the 10 ms between two calls again and again. The lost turns are
// made up for at once, as long as the second that ends now has room: if each turn were counted from the late one before it, 100
// a second would become 57 (measured). Nearly all of that room is for the network.
const networkShare = 0.9;
/**
 * Turns that are made up for come no nearer to each other than this share of the usual time, over a twentieth of a second. A
 * loop that comes to its timers every 20 ms gives several turns at once, or it would fall behind for good.
 */
const leastSpacing = 0.25;
const bunchesPerSecond = 20;
/** Lost time beyond this is not made up for. */
const mostDebtMs = 5_000;

interface Waiting {
  readonly sinceMs: number;
  readonly go: (onSent: () => void) => void;
}

/** A call that has gone out. */
interface Gone {
  atMs: number;
}

export function createPacer(ratePerSecond: number): Pacer {
  const intervalMs = spacingMsFor(ratePerSecond);
  const mostAtOnce = Math.floor(ratePerSecond) + 1;
  const windowMs = 1000 + (mostAtOnce * intervalMs - 1000) * networkShare;
  const bunch = Math.max(1, Math.round(ratePerSecond / bunchesPerSecond));
  const bunchMs = bunch * intervalMs * leastSpacing;
  const waiting: Waiting[] = [];
  /** The last ones, `mostAtOnce` of them. */
  const gone: Gone[] = [];
  let dueMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function nextMs(): number {
    const roomMs = gone.length < mostAtOnce ? 0 : (gone[0]?.atMs ?? 0) + windowMs;
    return Math.max(dueMs, (gone.at(-bunch)?.atMs ?? 0) + bunchMs, roomMs);
  }

  function pump(): void {
    timer = undefined;
    for (;;) {
      const first = waiting[0];
      if (first === undefined) return;
      const nowMs = performance.now();
      const waitMs = nextMs() - nowMs;
      if (waitMs > 0) {
        timer = setTimeout(pump, waitMs);
        return;
      }
      waiting.shift();
      const going: Gone = { atMs: nowMs };
      gone.push(going);
      if (gone.length > mostAtOnce) gone.shift();
      // Nobody waited when the turn was due: that was idle time, not lost time.
      const fromMs = first.sinceMs > dueMs ? nowMs : Math.max(dueMs, nowMs - mostDebtMs);
      dueMs = fromMs + intervalMs;
      first.go(() => {
        going.atMs = performance.now();
      });
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
        const go = (onSent: () => void): void => {
          signal.removeEventListener("abort", leave);
          resolve(onSent);
        };
        const entry: Waiting = { sinceMs: performance.now(), go };
        signal.addEventListener("abort", leave, { once: true });
        waiting.push(entry);
        if (timer === undefined) pump();
      });
    },
  };
}
