// The service's three addresses as this client knows them: where each one is, how long it may take, how many
// connections it gets, and through which proxy. service/connection.ts opens them, service/service.ts makes the calls.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import type { Secret } from "./secret.ts";

export interface Timeouts {
  readonly connectMs: number;
  /** From the start of the call to the last byte of its answer, the wait for a free connection counted in. */
  readonly answerMs: number;
}

/** Proxies by the target's scheme; a proxy's address may hold a password. */
export interface Proxies {
  readonly http: Secret | undefined;
  readonly https: Secret | undefined;
  /** Hosts asked directly, as in NO_PROXY. */
  readonly none: string;
}

export interface AddressSettings {
  readonly addresses: Record<ServiceAddress, string | undefined>;
  readonly timeouts: Record<ServiceAddress, Timeouts>;
  /** The most connections to each address, which is also the most calls in flight. */
  readonly connections: Record<ServiceAddress, number>;
  readonly proxies?: Proxies;
}

export const addressVariables = {
  english: "READING_SERVICE_URL",
  translator: "READING_SERVICE_TRANSLATOR_URL",
  legacy: "READING_SERVICE_LEGACY_URL",
} as const satisfies Record<ServiceAddress, string>;

/** Thrown for a request whose address is not configured. */
export class NoAddress extends Error {
  override readonly name = "NoAddress";

  constructor(operation: string, address: ServiceAddress) {
    super(`${operation}: the ${address} address is not known; set ${addressVariables[address]} to its URL`);
  }
}
