// How fast calls go out on one endpoint: evenly spaced, and only so many in flight at once. When all answers take the
// same time, the moments at which calls start are fixed, whichever call takes which.
import type { EndpointName } from "./tables.ts";

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

/** How far apart a worker's pacer lets two calls go out. */
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
