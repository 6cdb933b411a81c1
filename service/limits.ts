// The limits of the calls to one endpoint, and the settings of its connections. The time limits are computed from rate, concurrency
// and answer timeout. They nest:
// connect < answer < an attempt (the waits within the limits counted in) < the run's deadline.
import type { EndpointName } from "../readings/tables.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { mostTogether } from "../readings/plan-order.ts";
import type { Window } from "../readings/run-messages.ts";
import type { Secret } from "./secret.ts";

/** Temporal notices after this time that a worker died; an answer may take 90 s, so the call itself does not show it. */
export const heartbeatMs = 17_000;
/** A wider window would make an edition's history long. */
const mostWindow = 200;
/** Longest duration of a batch if responses take their usual time. */
const longestBatchMs = 40_000;
/** The time to look into the vault and to store the answer. */
const handlingMs = 10_000;
/** The time to take the lease of an endpoint, with the silence of a new owner. */
const takingMs = 5_000;

/** A handshake that takes longer is a lost packet or a dead host: the next try is worth more than the wait. */
const mostConnectMs = 10_000;

export interface EndpointFigures {
  readonly ratePerSecond: number;
  readonly concurrency: number;
  readonly answerTimeoutMs: number;
}

/** Calls in flight that a worker can use: more than rate x time-out would only wait. */
export function usableConcurrency({ ratePerSecond, concurrency, answerTimeoutMs }: EndpointFigures): number {
  return Math.max(1, Math.min(concurrency, Math.ceil((ratePerSecond * answerTimeoutMs) / 1000)));
}

/** An attempt at one request: taking the lease, the places and the rate behind two batches more, the response, and the handling. */
export function attemptMsFor(figures: EndpointFigures): number {
  const behindMs = ((usableConcurrency(figures) + 2 * mostTogether) / figures.ratePerSecond) * 1000;
  const connectMs = Math.min(mostConnectMs, figures.answerTimeoutMs / 2);
  return Math.ceil(takingMs + behindMs + connectMs + figures.answerTimeoutMs + handlingMs);
}

/** A batch's requests go in two rounds at most (windowFor), after those of its edition's batch before. */
export function startToCloseMsFor(figures: EndpointFigures): number {
  return Math.ceil(
    attemptMsFor(figures) + 3 * figures.answerTimeoutMs + (2 * mostTogether * 1000) / figures.ratePerSecond,
  );
}

/**
 * How many requests of one edition are with Temporal at once, and how many of them a worker has in flight (`width`), by its share of
 * all calls of the run to the endpoint, while others wait for places. An edition alone keeps every place busy while a workflow task is under way. Next to others
 * it has its share of the places, and a sixteenth of them more to hide the way to Temporal and back, or a fifth of all places where
 * that is more, because an activity of twelve requests costs a tenth of twelve: a language whose answers take 20 s holds no more
 * places than that. A batch has no more requests than go out in two rounds, and in the time after which its worker's end should
 * cost no more. One more batch than is in flight is with Temporal, whose requests take the place of those that are answered.
 */
export function windowFor(figures: EndpointFigures, share: number, latencyMs: number): Window {
  const places = usableConcurrency(figures);
  const own = share >= 1 ? 2 * places + 4 : Math.ceil(places * share) + Math.floor(places / 16);
  const width = Math.min(places, Math.max(own, Math.floor(places / 5)));
  const inTime = Math.floor((figures.ratePerSecond * (longestBatchMs - latencyMs)) / 1000);
  const size = Math.max(1, Math.min(mostTogether, 2 * width, inTime));
  return { requests: Math.min(mostWindow, own + size), size, width };
}

export function getEndpointFigures({ service }: Configuration, endpoint: EndpointName): EndpointFigures {
  return {
    ratePerSecond: service.ratePerSecond[endpoint],
    concurrency: service.concurrency[endpoint],
    answerTimeoutMs: service.answerTimeoutSeconds[endpoint] * 1000,
  };
}

/** A short answer time-out shortens the connect time-out too, which must end before it. */
export function timeoutsOf(configuration: Configuration): Record<EndpointName, Timeouts> {
  return mapEndpoints((endpoint) => {
    const answerMs = getEndpointFigures(configuration, endpoint).answerTimeoutMs;
    return { connectMs: Math.min(mostConnectMs, answerMs / 2), answerMs };
  });
}

/** The length of one attempt at a request on the slowest endpoint: a run with a shorter deadline could end without any answer. */
export function longestAttemptMs(configuration: Configuration): number {
  return Math.max(
    ...Object.values(mapEndpoints((endpoint) => attemptMsFor(getEndpointFigures(configuration, endpoint)))),
  );
}

export function mapEndpoints<Value>(make: (endpoint: EndpointName) => Value): Record<EndpointName, Value> {
  return { english: make("english"), translator: make("translator"), legacy: make("legacy") };
}

interface Timeouts {
  readonly connectMs: number;
  /** From the start of the call to the last byte of its answer, the wait for a free connection counted in. */
  readonly answerMs: number;
}

/** Proxies by the target's scheme; a proxy's URL may contain a password. */
export interface Proxies {
  readonly http: Secret | undefined;
  readonly https: Secret | undefined;
  /** Hosts called without a proxy, as in NO_PROXY. */
  readonly none: string;
}

export interface ConnectionSettings {
  readonly endpoints: Record<EndpointName, string | undefined>;
  readonly timeouts: Record<EndpointName, Timeouts>;
  /** The most connections to each endpoint, which is also the most calls in flight. */
  readonly connections: Record<EndpointName, number>;
  readonly proxies?: Proxies;
}

export const endpointVariables = {
  english: "READING_SERVICE_URL",
  translator: "READING_SERVICE_TRANSLATOR_URL",
  legacy: "READING_SERVICE_LEGACY_URL",
} as const satisfies Record<EndpointName, string>;

/** Thrown for a request whose endpoint is not configured. */
export class EndpointNotConfigured extends Error {
  override readonly name = "EndpointNotConfigured";

  constructor(operation: string, endpoint: EndpointName) {
    super(
      `${operation}: the ${endpoint} endpoint is not configured; set ${endpointVariables[endpoint]} to its URL`,
    );
  }
}
