// Runs an activity's work with a heartbeat: that is how a worker that died is missed, and how a cancellation arrives.
import { Context } from "@temporalio/activity";

/**
 * A cancellation arrives as the answer to a heartbeat, and has to reach the call within a second. The first one comes
 * only now, not at the start: what is answered at once needs none, and each costs Temporal a write (8.7 ms of its CPU
 * a request with it, 5.7 without: measured).
 */
export const beatEveryMs = 700;

/** What goes with each heartbeat, so that the next attempt knows it, whatever ended this one. */
export interface Note {
  readonly is: (word: string) => boolean;
  readonly write: (word: string) => void;
}

/** `isMissed`: Temporal may have given this attempt up for dead, as after a stop of the process, and have begun another. */
export async function beating<Result>(
  work: (signal: AbortSignal, isMissed: () => boolean, note: Note) => Promise<Result>,
): Promise<Result> {
  const context = Context.current();
  const signal = context.cancellationSignal; // read here: inside a listener there is no context
  let noted: unknown = context.info.heartbeatDetails;
  const note = {
    is: (word: string) => noted === word,
    write(word: string) {
      noted = word;
      context.heartbeat(word);
    },
  };
  const pulse = startPulse(() => context.heartbeat(noted), context.info.heartbeatTimeoutMs ?? Infinity);
  try {
    return await work(signal, pulse.isMissed, note);
  } finally {
    pulse.stop();
  }
}

/** Once too late it stays missed: a beat after that goes to an attempt that is none any more. */
export function startPulse(beat: () => void, timeoutMs: number, everyMs = beatEveryMs) {
  let latestMs = performance.now();
  let missed = false;
  const isMissed = (): boolean => (missed ||= performance.now() - latestMs > timeoutMs);
  const timer = setInterval(() => {
    if (isMissed()) return;
    latestMs = performance.now();
    beat();
  }, everyMs);
  return { isMissed, stop: () => clearInterval(timer) };
}
