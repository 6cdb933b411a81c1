// The calls of this worker on one address that may be in flight at once, and by them how many bundles it takes on.
import { EventEmitter, once } from "node:events";
import pLimit, { type LimitFunction } from "p-limit";
import type { Slots } from "../activities/dependencies.ts";
import { mostTogether } from "../readings/claim-names.ts";

/**
 * For so long ahead a worker takes on what its share of the rate lets out. What waited here for longer could have gone out from
 * another worker, and at the end of a night one worker would have what the others lack.
 */
const aheadSeconds = 2;

function createEditions(): Slots["within"] {
  const editions = new Map<string, { readonly limit: LimitFunction; bundles: number }>();
  return async (name, width, work) => {
    const edition = editions.get(name) ?? { limit: pLimit(width), bundles: 0 };
    editions.set(name, edition);
    edition.bundles += 1;
    try {
      return await work((ask) => edition.limit(ask));
    } finally {
      edition.bundles -= 1;
      if (edition.bundles === 0) editions.delete(name);
    }
  };
}

/** `share` is that of the worker at its start, in calls a second. */
export function createSlots(most: number, share = Infinity): Slots {
  const limit = pLimit(most);
  const changes = new EventEmitter<{ free: [] }>().setMaxListeners(0);
  /** How many calls a bundle counts as whose requests are not here yet. */
  const usual = Math.min(mostTogether, Math.ceil(most / 2));
  let taken = 0;
  let asking = 0;
  let heldUp = 0;
  /** Requests that are here and have not gone out. */
  let behind = 0;
  let sharePerSecond = share;

  function tryReserve() {
    const coming = taken - asking;
    if (limit.activeCount + limit.pendingCount + coming * usual >= most) return false;
    if (behind + (coming - heldUp) * usual >= Math.max(1, sharePerSecond * aheadSeconds)) return false;
    taken += 1;
    return true;
  }

  async function during<Result>(count: (by: number) => void, work: Promise<Result>): Promise<Result> {
    count(1);
    changes.emit("free");
    try {
      return await work;
    } finally {
      count(-1);
    }
  }

  return {
    use(work) {
      behind += 1;
      let isBehind = true;
      const went = (): void => {
        if (isBehind) behind -= 1;
        isBehind = false;
        changes.emit("free");
      };
      return limit(work, went).finally(went);
    },
    within: createEditions(),
    tryReserve,
    async reserve(signal) {
      signal.throwIfAborted();
      while (!tryReserve()) {
        await once(changes, "free", { signal }).catch(() => signal.throwIfAborted()); // anything but its reason Temporal logs as an error
      }
    },
    keepTo(now) {
      sharePerSecond = now;
      changes.emit("free");
    },
    whileHeldUp: (wait) => during((by) => (heldUp += by), wait),
    whileAsking: (work) => during((by) => (asking += by), work),
    release() {
      taken -= 1;
      changes.emit("free");
    },
  };
}
