// Runs an activity's work with a heartbeat: it shows Temporal that the worker lives, and brings the activity a cancellation.
import { Context } from "@temporalio/activity";

/**
 * A cancellation arrives as the answer to a heartbeat, and has to reach the call within a second. The first heartbeat comes
 * after this time and not at the start: an activity that ends at once needs none, and each costs Temporal a write (8.7 ms of
 * its processor time for a request with it, 5.7 without: measured).
 */
export const beatEveryMs = 700;

/** A word that goes with each heartbeat, so that the next attempt knows it, whatever ended this one. */
export interface HeartbeatNote {
  readonly is: (word: string) => boolean;
  readonly write: (word: string) => void;
}

/** `isMissed` says that Temporal may have begun another attempt, because heartbeats were late, as after a stop of the process. */
export async function beating<Result>(
  work: (signal: AbortSignal, isMissed: () => boolean, note: HeartbeatNote) => Promise<Result>,
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

/** A pulse that was too late once stays missed: Temporal no longer counts the attempt. */
export function startPulse(beat: () => void, timeoutMs: number, everyMs = beatEveryMs) {
  let latestMs = performance.now();
  let missed = false;
  const isMissed = () => (missed ||= performance.now() - latestMs > timeoutMs);
  const timer = setInterval(() => {
    if (isMissed()) return;
    latestMs = performance.now();
    beat();
  }, everyMs);
  return { isMissed, stop: () => clearInterval(timer) };
}
