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

interface EditionTurn {
  readonly limit: LimitFunction;
  /** How many of its bundles are here. */
  bundles: number;
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
  const editions = new Map<string, EditionTurn>();

  function tryReserve() {
    const coming = taken - asking;
    if (limit.activeCount + limit.pendingCount + coming * usual >= most) return false;
    if (behind + (coming - heldUp) * usual >= Math.max(1, sharePerSecond * aheadSeconds)) return false;
    taken += 1;
    return true;
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
    async within(edition, width, work) {
      const turn = editions.get(edition) ?? { limit: pLimit(width), bundles: 0 };
      editions.set(edition, turn);
      turn.bundles += 1;
      try {
        return await work((ask) => turn.limit(ask));
      } finally {
        turn.bundles -= 1;
        if (turn.bundles === 0) editions.delete(edition);
      }
    },
    tryReserve,
    async reserve(signal) {
      signal.throwIfAborted();
      while (!tryReserve()) await once(changes, "free", { signal });
    },
    keepTo(now) {
      sharePerSecond = now;
      changes.emit("free");
    },
    async whileHeldUp(wait) {
      heldUp += 1;
      changes.emit("free");
      try {
        return await wait;
      } finally {
        heldUp -= 1;
      }
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
