// Runs an activity's work with a heartbeat: it shows Temporal that the worker lives, and brings the activity a cancellation.
import { Context } from "@temporalio/activity";
import { z } from "zod";

/**
 * A cancellation arrives as the answer to a heartbeat, so within this time. The first heartbeat comes after it and not at the
 * start: an activity that ends at once needs none, and each costs Temporal a write, and its cloud bills it.
 */
export const beatEveryMs = 5_500;

/** What goes with each heartbeat: how far the work is, for people, and words that the next attempt knows, whatever ended this one. */
export interface HeartbeatNote {
  readonly say: (howFar: string) => void;
  readonly has: (word: string) => boolean;
  readonly add: (word: string) => void;
}

const details = z.object({ howFar: z.string().optional(), words: z.array(z.string()) });
type Details = z.infer<typeof details>;

/** `isMissed` says that Temporal may have begun another attempt, because heartbeats were late, as after a stop of the process. */
export async function beating<Result>(
  work: (signal: AbortSignal, isMissed: () => boolean, note: HeartbeatNote) => Promise<Result>,
): Promise<Result> {
  const context = Context.current();
  const signal = context.cancellationSignal; // read here: inside a listener there is no context
  const noted: Details = details.safeParse(context.info.heartbeatDetails).data ?? { words: [] };
  const note = {
    say(howFar: string) {
      noted.howFar = howFar;
    },
    has: (word: string) => noted.words.includes(word),
    add(word: string) {
      noted.words.push(word);
      context.heartbeat(noted);
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
