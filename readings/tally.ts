// The counts of an edition, for each operation: requests that were planned, kept, held, asked again, set aside.
import type { Counts, Tally } from "./run-messages.ts";
import { isOperation, type Operation } from "./operations.ts";
import { requestOf } from "./request.ts";

const none = {
  planned: 0,
  kept: 0,
  held: 0,
  retried: 0,
  setAside: 0,
  calls: 0,
  unanswered: 0,
  answerMs: 0,
};
const countNames = [
  "planned",
  "kept",
  "held",
  "retried",
  "setAside",
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
