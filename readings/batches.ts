// Batches of an edition's due requests, in the plan's order, at most a dozen per activity. A batch is of one group, and its
// requests follow each other in the plan, so that a batch puts nothing before a request that is more urgent.
import { isOfFamily, rowOf } from "./tables.ts";
import type { PlanLine } from "./plan-order.ts";
import { type ReadingRequest, requestBefore, type RequestKey, selectEndpoint } from "./request.ts";
import type { Batch } from "./run-messages.ts";

/** The lowest of Temporal's priorities, which go from 1: the first fifth of all that is due is 1. */
const lowest = 5;

/** The priority of each line by its place among all that is due. */
export function prioritiesOf(all: readonly PlanLine[]): ReadonlyMap<PlanLine, number> {
  return new Map(all.map((line, place) => [line, 1 + Math.floor((place * lowest) / all.length)]));
}

interface BatchSettings {
  readonly priorities: ReadonlyMap<PlanLine, number>;
  /** How many requests go together. */
  readonly size: number;
  /** Whether the vault has a note that the line's operation is refused. */
  readonly isProbe: (line: PlanLine) => boolean;
  /** Whether the vault has a text of the line's sign for the period before. */
  readonly follows: (line: PlanLine) => boolean;
}

/** Whether a line is of a horoscope whose previous period is not requested too. */
function isFirst({ request }: PlanLine, requested: ReadonlySet<string>): boolean {
  return "sign" in request && !requested.has(groupOfSet(requestBefore(request)));
}

/** The batches of the lines of one edition. */
export function createBatches(lines: readonly PlanLine[], settings: BatchSettings): Batch[] {
  const { priorities, size, isProbe, follows } = settings;
  const requested = new Set(lines.map(({ group }) => group));
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
    isFirst: isFirst(group[0], requested) && !group.some(follows),
  }));
}

// Groups of requests that batches are made of: a set's twelve signs, a day's cards, a dozen pairs whose texts end at about the same
// time, a dozen people. A batch is of one group. Its name follows from the request and the configuration.
/** Maximum requests of a batch. */
export const mostTogether = 12;

/**
 * The group of a set: a horoscope has its own, and all cards of a day that one endpoint serves share one, as do the further draws. Pairs
 * and people are grouped by their place among the configured ones.
 */
export function groupOfSet(
  { operation, language, period }: Pick<ReadingRequest, "operation" | "language" | "period">,
  part: "cards" | "draws" | number = "cards",
): string {
  const due = `${rowOf(operation).due}/${period}/${language}`;
  if (isOfFamily(operation, "horoscope")) return `${due}/${operation}`;
  return typeof part === "number"
    ? `${due}/${operation}/${Math.floor(part / mostTogether)}`
    : `${due}/${part}-${selectEndpoint({ operation, language })}`;
}

// A list of keys, packed: keys of one set that follow each other are written once, with their last parts behind a comma, as
// `daily/2026-11-22/hi/daily-horoscope/aries,leo`. A whole night's keys travel as one payload, of which Temporal warns above
// 256 KB: 5,386 of them take 280 KB unpacked and 99 KB packed (measured).
/** Keeps the order. No key holds a comma. */
export function packKeys(keys: readonly RequestKey[]): string[] {
  const packed: string[] = [];
  let set: string | undefined;
  for (const key of keys) {
    const end = key.lastIndexOf("/");
    const last = packed.at(-1);
    if (last !== undefined && key.slice(0, end) === set)
      packed[packed.length - 1] = `${last},${key.slice(end + 1)}`;
    else packed.push(key);
    set = key.slice(0, end);
  }
  return packed;
}

export function unpackKeys(packed: readonly string[]): RequestKey[] {
  return packed.flatMap((entry) => {
    const end = entry.lastIndexOf("/");
    return entry
      .slice(end + 1)
      .split(",")
      .map((name) => `${entry.slice(0, end)}/${name}`);
  });
}
