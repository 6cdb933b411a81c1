// Bundles: the due requests of an edition, in the plan's order, a dozen to an activity. A bundle is of one claim, and its
// requests follow each other in the plan, so that bundling puts nothing before what can wait less.
import { packKeys } from "./key-list.ts";
import type { PlanLine } from "./plan-line.ts";
import type { Bundle } from "./run-messages.ts";

/** The lowest of Temporal's priorities, which go from 1: the first fifth of all that is due is 1. */
const lowest = 5;

/** The priority of each line by its place among all that is due. */
export function prioritiesOf(all: readonly PlanLine[]): ReadonlyMap<PlanLine, number> {
  return new Map(all.map((line, place) => [line, 1 + Math.floor((place * lowest) / all.length)]));
}

export interface Bundling {
  readonly priorities: ReadonlyMap<PlanLine, number>;
  /** How many requests go together. */
  readonly size: number;
  /** Whether the vault has a note that the line's operation is refused. */
  readonly isProbe: (line: PlanLine) => boolean;
}

/** The bundles of the lines of one edition. */
export function bundlesOf(lines: readonly PlanLine[], { priorities, size, isProbe }: Bundling): Bundle[] {
  const groups: [PlanLine, ...PlanLine[]][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    const isRoom = last !== undefined && last.length < size;
    if (isRoom && last[0].claim === line.claim) last.push(line);
    else groups.push([line]);
  }
  return groups.map((group) => ({
    claim: group[0].claim,
    keys: packKeys(group.map(({ key }) => key)),
    priority: priorities.get(group[0]) ?? lowest,
    isFresh: group.every((line) => line.reason !== "retried" && !isProbe(line)),
  }));
}
