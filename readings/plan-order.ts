// The lines of a plan, each a request with its reason and its moments, their order, and the pace at which they go out.
import type { EndpointName, Operation, Language } from "./tables.ts";
import type { ReadingRequest, RequestKey } from "./request.ts";

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
  /** The name of its group (readings/batches.ts). */
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
