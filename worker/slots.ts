// By the calls of this worker on one address that are in flight (worker/turns.ts), how many bundles it takes on.
import { EventEmitter, once } from "node:events";
import type { Slots } from "../activities/dependencies.ts";
import { mostTogether } from "../readings/claim-names.ts";
import { Turns } from "./turns.ts";

/**
 * For so long ahead a worker takes on what its share of the rate lets out. What waited here for longer could have gone out from
 * another worker, and at the end of a night one worker would have what the others lack.
 */
const aheadSeconds = 2;

/** `share` is that of the worker at its start, in calls a second. */
export function createSlots(most: number, share = Infinity): Slots {
  const changes = new EventEmitter<{ free: [] }>().setMaxListeners(0);
  const turns = new Turns(most, () => changes.emit("free"));
  /** How many calls a bundle counts as whose requests are not here yet, and how many wait here for the next free slots. */
  const usual = Math.min(mostTogether, Math.ceil(most / 2));
  let taken = 0;
  let asking = 0;
  let heldUp = 0;
  let sharePerSecond = share;

  function tryReserve() {
    const coming = taken - asking;
    if (turns.here + coming * usual >= most + usual) return false;
    if (turns.behind + (coming - heldUp) * usual >= Math.max(1, sharePerSecond * aheadSeconds)) return false;
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
    within: (edition, width, work) => turns.within(edition, width, work),
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
