// Lets each attempt of a write begin only while the writer's lease outlasts the attempt. The next owner of the lease then meets no
// late write of this one: not of a first attempt, nor of a retry, nor of an attempt that was given up without a response.
import type { Fence, Store } from "./store.ts";

/** The part of a lease that a fence needs. */
interface FencedLease {
  /** Resolves once the lease lasts so long, and rejects with `LeaseLost`. */
  enough(ms: number): Promise<void>;
}

/** Calls `then` later, unless the returned function was called before. */
type After = (ms: number, then: () => void) => () => void;

const afterTime: After = (ms, then) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};

export interface IdleFence extends Fence {
  /** Resolves when no attempt is under way. The lease is released after that. */
  idle(): Promise<void>;
}

export function createFence(lease: FencedLease, after: After = afterTime): IdleFence {
  const underWay = new Set<Promise<void>>();
  return {
    async begin(lifetimeMs) {
      await lease.enough(lifetimeMs);
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = after(lifetimeMs, end);
      underWay.add(promise);
      function end() {
        cancel();
        underWay.delete(promise);
        resolve();
      }
      return end;
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** The same store, whose writes and removals ask the fence. */
export function fenced(store: Store, fence: Fence): Store {
  return {
    ...store,
    write: (key, body, headers, when) => store.write(key, body, headers, when, fence),
    remove: (keys) => store.remove(keys, fence),
  };
}

/** Thrown where the holder of a lease would go on after the lease has ended. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
  readonly type = "LeaseLost";
}
