// The counts of an edition, for each operation: requests that were planned, stored, held, requested again, skipped.
import { isOperation, type Operation } from "./operations.ts";
import { isFurtherDraw, type ReadingRequest, type RequestKey, requestOf } from "./request.ts";
import type { Counts, DamagedAnswer, Tally } from "./run-messages.ts";

const none = {
  planned: 0,
  stored: 0,
  held: 0,
  retried: 0,
  skipped: 0,
  calls: 0,
  unanswered: 0,
  answerMs: 0,
};
const countNames = [
  "planned",
  "stored",
  "held",
  "retried",
  "skipped",
  "calls",
  "unanswered",
  "answerMs",
] as const;

export function countsOf(tally: Tally, operation: Operation): Counts {
  return (tally[operation] ??= { ...none });
}

export function plannedTally(keys: readonly string[]): Tally {
  const tally: Tally = {};
  for (const key of keys) {
    const request = requestOf(key);
    if (request !== undefined) countsOf(tally, request.operation).planned += 1;
  }
  return tally;
}

/** Counts a request without a good answer. A deck waits for no draw: it counts as not planned, and the night is whole. */
export function countMissed(tally: Tally, request: ReadingRequest, answered: boolean): void {
  const counts = countsOf(tally, request.operation);
  if (isFurtherDraw(request)) counts.planned -= 1;
  else counts.skipped += 1;
  if (!answered) counts.unanswered += 1;
}

/** The requests that were neither answered nor given up. */
export function unsettledIn({ planned, stored, held, skipped }: Counts): number {
  return Math.max(0, planned - stored - held - skipped);
}

export function withoutDraws(keys: readonly RequestKey[]): RequestKey[] {
  return keys.filter((key) => {
    const request = requestOf(key);
    return request === undefined || !isFurtherDraw(request);
  });
}

/** How many of the requests are further draws, which a night may leave unasked. */
export function plannedDraws(requests: readonly ReadingRequest[]): Partial<Record<Operation, number>> {
  const counts: Partial<Record<Operation, number>> = {};
  for (const { operation } of requests.filter(isFurtherDraw))
    counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}

/** All counts of some tallies together. */
export function totalOf(tallies: Iterable<Tally | undefined>): Counts {
  const total = { ...none };
  for (const tally of tallies) for (const counts of Object.values(tally ?? {})) add(counts, total);
  return total;
}

function add(counts: Counts, to: Counts) {
  for (const name of countNames) to[name] += counts[name];
}

export function sumOfTallies(tallies: readonly Tally[]): Tally {
  const sum: Tally = {};
  for (const tally of tallies) {
    for (const [operation, counts] of Object.entries(tally)) {
      if (!isOperation(operation)) continue;
      add(counts, countsOf(sum, operation));
    }
  }
  return sum;
}

// The responses that a run found damaged, as run messages contain them: the first ones, each once.
/** At most half a kilobyte each. */
const mostListed = 50;
const longestReason = 300;

/** Undefined if there are none. */
export function firstDamaged(all: readonly DamagedAnswer[]): readonly DamagedAnswer[] | undefined {
  if (all.length === 0) return undefined;
  const each = new Map(all.map(({ key, reason }) => [key, reason]));
  return [...each]
    .slice(0, mostListed)
    .map(([key, reason]) => ({ key, reason: reason.slice(0, longestReason) }));
}

/** True if the list is full, so that the run may have found more than it contains. */
export function mayHaveUnlisted(damaged: readonly DamagedAnswer[]): boolean {
  return damaged.length >= mostListed;
}
