// Bundles: the due requests of an edition, in the plan's order, a dozen to an activity. A bundle is of one group, and its
// requests follow each other in the plan, so that bundling puts nothing before what can wait less.
import { groupOfSheet } from "./batch-groups.ts";
import { packKeys } from "./key-list.ts";
import type { PlanLine } from "./plan-line.ts";
import type { Bundle } from "./run-messages.ts";
import { requestBefore } from "./sheet-requests.ts";

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
  /** Whether the vault has a text of the line's sign for the period before. */
  readonly follows: (line: PlanLine) => boolean;
}

/** Whether a line is of a horoscope of which the period before is not asked for too. */
function isFirst({ request }: PlanLine, asked: ReadonlySet<string>): boolean {
  if (!("sign" in request)) return false;
  const { operation, language, period } = requestBefore(request);
  return !asked.has(groupOfSheet(operation, language, period));
}

/** The bundles of the lines of one edition. */
export function bundlesOf(lines: readonly PlanLine[], bundling: Bundling): Bundle[] {
  const { priorities, size, isProbe, follows } = bundling;
  const asked = new Set(lines.map(({ group }) => group));
  const groups: [PlanLine, ...PlanLine[]][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    const isRoom = last !== undefined && last.length < size;
    if (isRoom && last[0].group === line.group) last.push(line);
    else groups.push([line]);
  }
  return groups.map((group) => ({
    keys: packKeys(group.map(({ key }) => key)),
    priority: priorities.get(group[0]) ?? lowest,
    isFresh: group.every((line) => line.reason !== "retried" && !isProbe(line)),
    isFirst: isFirst(group[0], asked) && !group.some(follows),
  }));
}
