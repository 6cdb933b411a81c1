// Lets each attempt of a write begin only while the writer's lease outlasts the attempt. The next owner of the lease then meets no
// late write of this one: not of a first attempt, nor of a retry, nor of an attempt that was given up without a response.
import { type Clock, processClock } from "./clock.ts";
import type { Lease } from "./held-lease.ts";
import type { Fence, Store } from "./store.ts";

interface IdleFence extends Fence {
  /** Resolves when no attempt is under way. The lease is released after that. */
  idle(): Promise<void>;
}

export function createFence(
  lease: Pick<Lease, "enough">,
  clock: Pick<Clock, "after"> = processClock,
): IdleFence {
  const underWay = new Set<Promise<void>>();
  return {
    async begin(lifetimeMs) {
      await lease.enough(lifetimeMs);
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(lifetimeMs, end);
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

/** The same store, whose writes and removals check the fence. */
export function fenced(store: Store, fence: Fence): Store {
  return {
    ...store,
    write: (key, body, headers, when) => store.write(key, body, headers, when, fence),
    remove: (keys) => store.remove(keys, fence),
  };
}
