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
