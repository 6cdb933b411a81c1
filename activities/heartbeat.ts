// Runs an activity's work with a heartbeat, which shows Temporal that the worker is alive and delivers a cancellation. Activities of one
// workflow and kind in this process are cancelled together, so they beat together: one of them hears of a cancellation soon and makes
// the others send a heartbeat at once. Each alone beats only as often as needed to show that it lives. A heartbeat costs Temporal
// a write, and its cloud bills it.
import { Context } from "@temporalio/activity";
import { z } from "zod";

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

/** Maximum time between two heartbeats of a group or a lone pulse. A cancellation arrives in the response, so within this time. */
export const beatEveryMs = 5_500;

/** A pulse that was late once stays missed: Temporal no longer counts the attempt. */
export class Pulse {
  readonly #beat: () => void;
  readonly #timeoutMs: number;
  #everyMs: number;
  #missed = false;
  /** Time of the last beat; before the first beat, the start time. */
  latestMs = performance.now();
  hasBeaten = false;

  constructor(beat: () => void, timeoutMs: number) {
    this.#beat = beat;
    this.#timeoutMs = timeoutMs;
    this.#everyMs = timeoutMs / 2;
  }

  get isMissed(): boolean {
    return (this.#missed ||= performance.now() - this.latestMs > this.#timeoutMs);
  }

  get dueMs(): number {
    return this.latestMs + this.#everyMs;
  }

  beat(): void {
    this.latestMs = performance.now();
    this.hasBeaten = true;
    this.#beat();
  }

  /** Beats at once, unless it was hurried before, and from then on every `everyMs`. */
  hurry(everyMs: number): void {
    if (this.#everyMs <= everyMs || this.isMissed) return;
    this.#everyMs = everyMs;
    this.beat();
  }
}

export class PulsesTogether {
  readonly #pulses = new Set<Pulse>();
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(everyMs = beatEveryMs) {
    this.#everyMs = everyMs;
  }

  get isEmpty(): boolean {
    return this.#pulses.size === 0;
  }

  add(pulse: Pulse): void {
    this.#pulses.add(pulse);
    this.#wait();
  }

  delete(pulse: Pulse): void {
    this.#pulses.delete(pulse);
    this.#wait();
  }

  /** One of them was cancelled, and the others are likely to be. */
  hurryOthers(cancelled: Pulse): void {
    for (const pulse of this.#pulses) if (pulse !== cancelled) pulse.hurry(this.#everyMs);
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const counted = this.#counted();
    if (counted.length === 0) return;
    const nextMs = Math.min(this.#heardMs(counted) + this.#everyMs, ...counted.map(({ dueMs }) => dueMs));
    this.#timer = setTimeout(() => this.#beat(), Math.max(1, nextMs - performance.now()));
  }

  #beat(): void {
    const nowMs = performance.now();
    const counted = this.#counted();
    const due = counted.filter(({ dueMs }) => dueMs <= nowMs);
    const [oldest] = counted.toSorted((one, other) => one.latestMs - other.latestMs);
    const isQuiet = due.length === 0 && this.#heardMs(counted) + this.#everyMs <= nowMs;
    for (const pulse of due) pulse.beat();
    if (isQuiet) oldest?.beat();
    this.#wait();
  }

  #counted(): Pulse[] {
    return [...this.#pulses].filter(({ isMissed }) => !isMissed);
  }

  /**
   * Times of their last heartbeats. What has ended may have missed the answer, so only those that are still there count; nor does
   * a beginning, but for the first: it may come after the cancellation of those before it.
   */
  #heardMs(counted: readonly Pulse[]): number {
    const beats = counted.filter(({ hasBeaten }) => hasBeaten).map(({ latestMs }) => latestMs);
    if (beats.length > 0) return Math.max(...beats);
    return Math.min(...counted.map(({ latestMs }) => latestMs));
  }
}
