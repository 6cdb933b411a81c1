// Runs an activity's work with a heartbeat, which shows Temporal that the worker is alive and delivers a cancellation.
import { Context } from "@temporalio/activity";
import { z } from "zod";
import { Pulse, PulsesTogether } from "./pulse.ts";

/** By workflow and kind of activity. */
const together = new Map<string, PulsesTogether>();

/** Details of each heartbeat: the progress, for people, and words that the next attempt reads, however this one ends. */
export interface HeartbeatNote {
  readonly say: (howFar: string) => void;
  /** Number of times that the word was added. */
  readonly count: (word: string) => number;
  readonly add: (word: string) => void;
}

const details = z.object({ howFar: z.string().optional(), words: z.array(z.string()) });
type Details = z.infer<typeof details>;

export async function beating<Result>(
  work: (signal: AbortSignal, note: HeartbeatNote) => Promise<Result>,
): Promise<Result> {
  const context = Context.current();
  const signal = context.cancellationSignal; // read here: inside a listener there is no context
  const noted: Details = details.safeParse(context.info.heartbeatDetails).data ?? { words: [] };
  const note = {
    say(howFar: string) {
      noted.howFar = howFar;
    },
    count: (word: string) => noted.words.filter((one) => one === word).length,
    add(word: string) {
      noted.words.push(word);
      context.heartbeat(noted);
    },
  };
  const pulse = new Pulse(() => context.heartbeat(noted), context.info.heartbeatTimeoutMs ?? Infinity);
  const name = `${context.info.workflowExecution?.runId} ${context.info.activityType}`;
  return among(name, pulse, signal, () => work(signal, note));
}

/** The first beat comes after a while and not at the start: an activity that ends at once needs none. */
async function among<Result>(
  name: string,
  pulse: Pulse,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const pulses = together.get(name) ?? new PulsesTogether();
  together.set(name, pulses);
  pulses.add(pulse);
  const hurry = () => pulses.hurryOthers(pulse);
  signal.addEventListener("abort", hurry, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener("abort", hurry);
    pulses.delete(pulse);
    if (pulses.isEmpty) together.delete(name);
  }
}
