// One at a time for each key within this process. A night and a backfill of the same language come to the same request
// within seconds: whoever is second waits, and then finds what the first has kept instead of asking again.

export type InTurn = <Result>(
  key: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
) => Promise<Result>;

export function createTurns(): InTurn {
  const underWay = new Map<string, Promise<void>>();
  return async (key, signal, work) => {
    for (let other = underWay.get(key); other !== undefined; other = underWay.get(key)) {
      await unlessAborted(other, signal);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    underWay.set(key, promise);
    try {
      return await work();
    } finally {
      underWay.delete(key);
      resolve();
    }
  };
}

async function unlessAborted(other: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  try {
    await Promise.race([other, aborted]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
