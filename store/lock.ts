// Runs work that only one may do at a time, over all processes and threads at one folder; store/lock-file.ts has the lock.
import { setTimeout as delay } from "node:timers/promises";
import { connectTo, openLockFile } from "./lock-file.ts";
import { reportingWait } from "./waits.ts";

// The work under the lock takes well under a millisecond, a hundred removals some ten: whoever waits longer than
// this waits for a process that was stopped, and taking its lock away would let both write.
const longestWaitMs = 10_000;

/** Runs a piece of work while nobody else, in any process or thread, runs theirs under the same file. */
export type UnderLock = <Value>(work: () => Value) => Promise<Value>;

const stepsATaking = 100; // some milliseconds under the lock

/** Splits items into chunks, one for each time that the lock is held, so that others can take the lock in between. */
export function* underOneTaking<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += stepsATaking) yield items.slice(at, at + stepsATaking);
}

/** `work` cannot await, so a lock is never held while this process does something else. */
export function createLock(path: string, patienceMs = longestWaitMs): UnderLock {
  const file = openLockFile(path);
  return async (work) => (await patiently(path, patienceMs, () => file.tryUnderIt(work))).value;
}

/** Takes the lock for work that takes long, and holds it until it is disposed of. */
export async function holdLock(path: string, patienceMs: number): Promise<Disposable> {
  return patiently(path, patienceMs, () => connectTo(path));
}

async function patiently<Got>(
  path: string,
  patienceMs: number,
  attempt: () => Got | undefined,
): Promise<Got> {
  const first = attempt();
  if (first !== undefined) return first;
  const deadline = performance.now() + patienceMs;
  return reportingWait(`the process that has the lock ${path}`, patienceMs, async () => {
    for (;;) {
      await delay(1 + Math.random() * 4); // uneven, so that two waiters do not keep meeting
      const got = attempt();
      if (got !== undefined) return got;
      if (performance.now() > deadline) throw new LockHeld(path, patienceMs);
    }
  });
}

/**
 * The same for many writers of one process: all work that is ready when the lock is taken is done under that one taking,
 * because 32 writers at once come in bunches.
 */
export function createLockSharing(path: string): UnderLock {
  const underLock = createLock(path);
  let waiting: { readonly run: () => void; readonly fail: (error: unknown) => void }[] = [];
  const flush = async () => {
    const taken: typeof waiting = [];
    try {
      await underLock(() => {
        taken.push(...waiting);
        waiting = [];
        for (const { run } of taken) run();
      });
    } catch (error) {
      if (taken.length > 0) return; // they have their answers
      const refused = waiting;
      waiting = [];
      for (const { fail } of refused) fail(error);
    }
  };
  return (work) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof work>>();
    const run = () => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    };
    waiting.push({ run, fail: reject });
    if (waiting.length === 1) setImmediate(() => void flush());
    return promise;
  };
}

export class LockHeld extends Error {
  override readonly name = "LockHeld";
  constructor(path: string, patienceMs: number) {
    super(`another process has held the lock ${path} for ${patienceMs / 1000} s. Wait for it, or stop it`);
  }
}
