// The time as one process sees it. Tests give each process a clock of its own and stop, suspend and set it.

export interface Clock {
  /** Measures durations. Nobody sets it, but it can stand still while the machine is suspended. */
  monotonicMs(): number;
  wallMs(): number;
  /** Calls after so many milliseconds; returns a function that cancels the call. */
  after(ms: number, then: () => void): () => void;
  /** Milliseconds of this clock per real millisecond; more than 1 in some tests. Default: 1. */
  readonly speed?: number;
}

export const processClock = clockAt(1);

/** At any speed, all durations that are measured by this clock keep their ratios. */
export function clockAt(speed: number): Clock {
  return {
    speed,
    monotonicMs: () => performance.now() * speed,
    wallMs: () => Date.now(),
    after(ms, then) {
      const timer = setTimeout(then, ms / speed);
      return () => clearTimeout(timer);
    },
  };
}

/** Converts a duration to real time, for Temporal, which does not use this clock. */
export function realMs({ speed = 1 }: Clock, ms: number): number {
  return ms / speed;
}

/** The time from now on, by the larger of both clocks. */
export function stopwatch(clock: Clock): () => number {
  const [monotonicMs, wallMs] = [clock.monotonicMs(), clock.wallMs()];
  return () => Math.max(clock.monotonicMs() - monotonicMs, clock.wallMs() - wallMs);
}

/** Resolves after so long, or earlier when the signal aborts or `sooner` resolves. */
export function clockDelay(
  clock: Clock,
  ms: number,
  signal?: AbortSignal,
  sooner?: Promise<unknown>,
): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal?.addEventListener("abort", end);
    void sooner?.then(end);
  });
}

/** Rejects with the error that `late` makes when the call takes longer. */
export async function within<Value>(
  clock: Pick<Clock, "after">,
  ms: number,
  call: Promise<Value>,
  late: () => Error,
): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(ms, () => reject(late()));
  try {
    return await Promise.race([call, promise]);
  } finally {
    cancel();
  }
}

// Waits for another process or server, as the terminal reports them. Outside a terminal they are not reported.
interface Wait {
  /** The process or server, such as `Temporal at localhost:7233`. */
  readonly name: string;
  readonly waitedMs: number;
  /** The bound, after which the wait ends with an error. */
  readonly mostMs: number;
}

const reportAfterMs = 3_000;

let show: (wait: Wait) => void = () => undefined;

/** Sets the function that shows waits to the person at the terminal. */
export function showWaits(by: (wait: Wait) => void): void {
  show = by;
}

export function reportWait(wait: Wait): void {
  show(wait);
}

/** Does the work, which ends by itself within `mostMs`, and reports it if it takes longer than a few seconds. */
export async function reportingWait<Value>(
  name: string,
  mostMs: number,
  work: () => Promise<Value>,
): Promise<Value> {
  const timer = setTimeout(() => reportWait({ name, waitedMs: reportAfterMs, mostMs }), reportAfterMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
