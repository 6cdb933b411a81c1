// Settings of the connections to the service's three endpoints: URL, time-outs, number of
// connections and proxy. service/connection.ts opens them, service/service.ts makes the calls.
import type { EndpointName } from "../readings/endpoint-names.ts";
import type { Secret } from "./secret.ts";

export interface Timeouts {
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
