// The counts of an edition, for each operation: requests that were planned, kept, held, asked again, set aside.
import type { Counts, Tally } from "./run-messages.ts";
import { isOperation, type Operation } from "./operations.ts";
import { requestOf } from "./request.ts";

export function countsOf(tally: Tally, operation: Operation): Counts {
  return (tally[operation] ??= { planned: 0, kept: 0, held: 0, retried: 0, setAside: 0, calls: 0 });
}

export function countUnanswered(counts: Counts): void {
  counts.unanswered = (counts.unanswered ?? 0) + 1;
}

export function plannedTally(keys: readonly string[]): Tally {
  const tally: Tally = {};
  for (const key of keys) {
    const request = requestOf(key);
    if (request !== undefined) countsOf(tally, request.operation).planned += 1;
  }
  return tally;
}

export function sumOfTallies(tallies: readonly Tally[]): Tally {
  const sum: Tally = {};
  for (const tally of tallies) {
    for (const [operation, counts] of Object.entries(tally)) {
      if (!isOperation(operation)) continue;
      const all = countsOf(sum, operation);
      all.planned += counts.planned;
      all.kept += counts.kept;
      all.held += counts.held;
      all.retried += counts.retried;
      all.setAside += counts.setAside;
      if (counts.calls !== undefined) all.calls = (all.calls ?? 0) + counts.calls;
      if (counts.unanswered !== undefined) all.unanswered = (all.unanswered ?? 0) + counts.unanswered;
      if (counts.answerMs !== undefined) all.answerMs = (all.answerMs ?? 0) + counts.answerMs;
    }
  }
  return sum;
}
