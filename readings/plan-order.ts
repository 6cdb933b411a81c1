// The lines of a plan, each a request with its reason and its moments, their order, their batches, and the pace at which they go out.
import { type EndpointName, type Operation, type Language, isOfFamily, rowOf } from "./tables.ts";
import { type ReadingRequest, type RequestKey, requestBefore, selectEndpoint } from "./request.ts";
import type { Batch } from "./run-messages.ts";

/**
 * Why a line stands in its list; `expired` is a pair's text of last season, whose time is up; `refused` is of an operation
 * that the service refuses alike, whatever the request.
 */
export type PlanReason =
  | "missing"
  | "expired"
  | "retried"
  | "waiting"
  | "refused"
  | "out of reach"
  | "over the ceiling";

export interface PlanLine {
  readonly key: RequestKey;
  readonly request: ReadingRequest;
  readonly endpoint: EndpointName;
  /** The name of its group. */
  readonly group: string;
  readonly reason: PlanReason;
  /** When readers want the text: at the start of its period, or now. */
  readonly dueAt: Date;
  /** The text must be requested before this time; later the service no longer offers it, or nobody needs it. */
  readonly lastMoment: Date;
}

// The order of a plan: by last moment, whole sets together, languages in rotation. Where any order is in time for every reading,
// this one is; otherwise it is in time for as many as any order.
/** The lines of one set, all with the same moments. */
export interface DueSet {
  readonly language: Language;
  readonly operation: Operation;
  readonly dueAt: Date;
  readonly lastMoment: Date;
  readonly lines: readonly PlanLine[];
}

type Moments = Pick<PlanLine, "lastMoment" | "dueAt">;

/** The line that can wait least comes first. */
export function byUrgency(one: Moments, other: Moments): number {
  return one.lastMoment.getTime() - other.lastMoment.getTime() || one.dueAt.getTime() - other.dueAt.getTime();
}

/** The less, the more people look for the operation's readings. */
export function readersRank(operation: Operation): number {
  switch (operation) {
    case "daily-horoscope":
      return 0;
    case "weekly-horoscope":
      return 1;
    case "monthly-horoscope":
      return 3;
    case "yearly-horoscope":
      return 4;
    case "love-compatibility":
      return 5;
    case "which-animal-are-you-reading":
      return 6;
    default:
      return 2; // cards
  }
}

/** Equally urgent sets come in the order of `readersRank`, and within one rank a set of each language in turn. */
export function inPlanOrder(sets: readonly DueSet[]): PlanLine[] {
  const rounds = new Map<string, number>();
  const placed = sets.map((set) => {
    const { language, lastMoment, dueAt } = set;
    const rank = readersRank(set.operation);
    const queue = `${language} ${rank} ${lastMoment.getTime()} ${dueAt.getTime()}`;
    const round = rounds.get(queue) ?? 0;
    rounds.set(queue, round + 1);
    return { set, rank, round };
  });
  // The sort is stable: within a round the languages stay as the configuration has them.
  placed.sort(
    (one, other) => byUrgency(one.set, other.set) || one.rank - other.rank || one.round - other.round,
  );
  return placed.flatMap(({ set }) => set.lines);
}

/** Lines that no order is in time for come last on their endpoint, so that they make no other line late. */
export function lostLast(
  lines: readonly PlanLine[],
  instant: Date,
  paces: Record<EndpointName, CallPace>,
): PlanLine[] {
  const last = new Set<PlanLine>();
  for (const [endpoint, some] of Map.groupBy(lines, (line) => line.endpoint)) {
    for (const line of lost(some, instant, paces[endpoint])) last.add(line);
  }
  return [...lines.filter((line) => !last.has(line)), ...last];
}

/**
 * The lines of one endpoint for which no order is in time together with the others. All calls take the same time, so any set
 * that fits also fits in order of last moments, and taking whatever still fits leaves out as few as possible (Moore and
 * Hodgson's rule); the lines that most readers look for are taken first.
 */
function lost(lines: readonly PlanLine[], instant: Date, pace: CallPace) {
  const startsAt = (place: number) => instant.getTime() + startMs(place, pace);
  if (lines.every((line, place) => startsAt(place) < line.lastMoment.getTime())) return [];

  let started = 0;
  const placed = lines.map((line) => {
    while (started < lines.length && startsAt(started) < line.lastMoment.getTime()) started++;
    return { line, places: started };
  });
  placed.sort(
    (one, other) => readersRank(one.line.request.operation) - readersRank(other.line.request.operation),
  );

  const takeLastFree = freePlaces(lines.length);
  return placed.filter(({ places }) => !takeLastFree(places)).map(({ line }) => line);
}

/** Takes the last free place among the first `among`; false when none is free. */
function freePlaces(count: number): (among: number) => boolean {
  const next = Array.from({ length: count + 1 }, (_, place) => place);
  const lastFree = (place: number) => {
    let free = place;
    while (next[free] !== free) {
      const skipped = next[free] ?? 0;
      next[free] = next[skipped] ?? 0; // halves the way for those who come after
      free = skipped;
    }
    return free;
  };
  return (among) => {
    const free = lastFree(among);
    if (free > 0) next[free] = free - 1;
    return free > 0;
  };
}

// How fast calls go out on one endpoint: evenly spaced, and only so many in flight at once. When all answers take the
// same time, the moments at which calls start are fixed, whichever call takes which.
export interface CallPace {
  readonly ratePerSecond: number;
  readonly concurrency: number;
  readonly latencyMs: number;
}

/** The bounds of each setting, in the configuration and on the command line. */
export const paceBounds = {
  ratePerSecond: { least: 0.01, most: 1000 },
  concurrency: { least: 1, most: 1000 },
  answerTimeoutSeconds: { least: 1, most: 600 },
} as const;

// The network, and a service that is held up, bring calls nearer to each other than they left. The time between two is a
// little longer than the rate requires, so that a second has room for that.
const slower = 1.01;

/** Milliseconds between two calls under a rate. */
export function spacingMsFor(ratePerSecond: number): number {
  return (1000 / ratePerSecond) * slower;
}

/** When call number `index` starts, counted from the first: each round of calls in flight waits for the one before. */
export function startMs(index: number, { ratePerSecond, concurrency, latencyMs }: CallPace): number {
  const spacingMs = spacingMsFor(ratePerSecond);
  const roundMs = Math.max(latencyMs, concurrency * spacingMs);
  return Math.floor(index / concurrency) * roundMs + (index % concurrency) * spacingMs;
}

/** How long so many calls take in any order, to within one call: the rate decides or, with slow answers, the calls in flight. */
export function floorMs(calls: number, { ratePerSecond, concurrency, latencyMs }: CallPace): number {
  return Math.max(calls * spacingMsFor(ratePerSecond), (calls * latencyMs) / concurrency);
}

/** How long answers took when the service was tried: a second in English, half a minute translated. */
export const usualLatencyMs: Record<EndpointName, number> = {
  english: 1000,
  translator: 27_000,
  legacy: 1000,
};

/** The configured limits with the response times seen until now, or the usual ones. */
export function pacesOf(
  { ratePerSecond, concurrency }: Record<"ratePerSecond" | "concurrency", Record<EndpointName, number>>,
  latencyMs: Partial<Record<EndpointName, number>> = {},
): Record<EndpointName, CallPace> {
  const paceOf = (endpoint: EndpointName) => ({
    ratePerSecond: ratePerSecond[endpoint],
    concurrency: Math.floor(concurrency[endpoint]),
    latencyMs: latencyMs[endpoint] ?? usualLatencyMs[endpoint],
  });
  return { english: paceOf("english"), translator: paceOf("translator"), legacy: paceOf("legacy") };
}

// Batches of an edition's due requests, in the plan's order, at most a dozen per activity. A batch is of one group, and its
// requests follow each other in the plan, so that a batch puts nothing before a request that is more urgent.

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
