// The captures that a run found damaged, as they travel and are told: the first of them, each once.
import type { DamagedAnswer } from "./run-messages.ts";

/** At most half a kilobyte each. */
const mostTold = 50;
const longestReason = 300;

/** Undefined where there are none. */
export function firstDamaged(all: readonly DamagedAnswer[]): readonly DamagedAnswer[] | undefined {
  if (all.length === 0) return undefined;
  const each = new Map(all.map(({ key, reason }) => [key, reason]));
  return [...each]
    .slice(0, mostTold)
    .map(([key, reason]) => ({ key, reason: reason.slice(0, longestReason) }));
}

/** Whether the list is full, so that the run may have found more than it tells. */
export function mayHaveUntold(damaged: readonly DamagedAnswer[]): boolean {
  return damaged.length >= mostTold;
}
