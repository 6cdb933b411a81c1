// A plan's order as Temporal's priorities, which go from 1 to 5: the first fifth of all that is due is 1. An edition has its
// requests in the plan's order, so how many of them are of each priority says which.
import type { PlanLine } from "./plan-line.ts";
import type { RequestKey } from "./request.ts";

const lowest = 5;

export function bandsOf(own: readonly PlanLine[], all: readonly PlanLine[]): number[] {
  const bands = new Map(all.map((line, place) => [line, Math.floor((place * lowest) / all.length)]));
  return Array.from({ length: lowest }, (_, band) => own.filter((line) => bands.get(line) === band).length);
}

/** The bands of the requests that an edition has left, which are its last ones. */
export function bandsLeft(bands: readonly number[], left: number): number[] {
  let gone = bands.reduce((sum, count) => sum + count, 0) - left;
  return bands.map((count) => {
    const less = Math.min(count, gone);
    gone -= less;
    return count - less;
  });
}

/** A key that is in no plan belongs to a sheet that waits for it, so it is of the first priority. */
export function prioritiesOf(
  keys: readonly RequestKey[],
  bands: readonly number[],
): (key: RequestKey) => number {
  const inOrder = bands.flatMap((count, band) => Array.from({ length: count }, () => band + 1));
  const priorities = new Map(keys.map((key, place) => [key, inOrder[place] ?? lowest]));
  return (key) => priorities.get(key) ?? 1;
}
