// Counts of one edition, per operation: what is planned, kept, held, asked again, set aside.
import { type Counts, type Tally } from "../activities/contracts.ts";
import { type Operation } from "../readings/operations.ts";
import { requestOf } from "../readings/request.ts";

export function countsOf(tally: Tally, operation: Operation): Counts {
  return (tally[operation] ??= { planned: 0, kept: 0, held: 0, retried: 0, setAside: 0 });
}

export function plannedTally(keys: readonly string[]): Tally {
  const tally: Tally = {};
  for (const key of keys) {
    const request = requestOf(key);
    if (request !== undefined) countsOf(tally, request.operation).planned += 1;
  }
  return tally;
}
