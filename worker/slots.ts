// The calls of this worker on one address that may be in flight at once, and by them how many bundles it takes on.
import { EventEmitter, once } from "node:events";
import pLimit from "p-limit";
import type { Slots } from "../activities/dependencies.ts";
import { mostTogether } from "../readings/claim-names.ts";

export function createSlots(most: number): Slots {
  const limit = pLimit(most);
  const changes = new EventEmitter<{ free: [] }>().setMaxListeners(0);
  /** How many calls a bundle counts as whose requests are not here yet. */
  const usual = Math.min(mostTogether, Math.ceil(most / 2));
  let taken = 0;
  let asking = 0;

  function tryReserve() {
    if (limit.activeCount + limit.pendingCount + (taken - asking) * usual >= most) return false;
    taken += 1;
    return true;
  }

  return {
    use: (work) => limit(work).finally(() => changes.emit("free")),
    tryReserve,
    async reserve(signal) {
      signal.throwIfAborted();
      while (!tryReserve()) await once(changes, "free", { signal });
    },
    async whileAsking(work) {
      asking += 1;
      changes.emit("free");
      try {
        return await work;
      } finally {
        asking -= 1;
      }
    },
    release() {
      taken -= 1;
      changes.emit("free");
    },
  };
}
