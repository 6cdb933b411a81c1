// The bounds of a capture on one address, computed from its rate, concurrency and answer time-out. They nest:
// connect < answer < an attempt (the pacer's wait counted in) < the run's deadline.
import { type Configuration } from "../readings/configuration.schema.ts";
import { type ServiceAddress } from "../readings/fields.ts";
import { defaultTimeouts, type Timeouts } from "./addresses.ts";

/** A worker that dies is missed after this long; an answer may take 90 s, so the call itself can't tell. */
export const heartbeatMs = 15_000;
/** A little for looking into the vault and storing the answer. */
const handlingMs = 10_000;

export interface AddressFigures {
  readonly ratePerSecond: number;
  readonly concurrency: number;
  readonly answerTimeoutMs: number;
}

/** Calls in flight that a worker can use: more than rate x time-out would only wait. */
export function slotsFor({ ratePerSecond, concurrency, answerTimeoutMs }: AddressFigures): number {
  return Math.max(1, Math.min(concurrency, Math.ceil((ratePerSecond * answerTimeoutMs) / 1000)));
}

/** An attempt begins before the pacer's wait, which is at most one turn for every other slot. */
export function startToCloseMsFor(figures: AddressFigures): number {
  const pacerMs = (slotsFor(figures) / figures.ratePerSecond) * 1000;
  return Math.ceil(figures.answerTimeoutMs + pacerMs + handlingMs);
}

/** Enough with Temporal to keep every slot busy while a workflow task is under way, bounded for the history's sake. */
export function windowFor(figures: AddressFigures): number {
  return Math.min(200, 2 * slotsFor(figures) + 4);
}

export function figuresOf({ service }: Configuration, address: ServiceAddress): AddressFigures {
  return {
    ratePerSecond: service.ratePerSecond[address],
    concurrency: service.concurrency[address],
    answerTimeoutMs: service.answerTimeoutSeconds[address] * 1000,
  };
}

/** A short answer time-out shortens the connecting too, which must end before it. */
export function timeoutsOf(configuration: Configuration): Record<ServiceAddress, Timeouts> {
  return perAddress((address) => {
    const answerMs = figuresOf(configuration, address).answerTimeoutMs;
    return { connectMs: Math.min(defaultTimeouts[address].connectMs, answerMs / 2), answerMs };
  });
}

export function perAddress<Value>(make: (address: ServiceAddress) => Value): Record<ServiceAddress, Value> {
  return { english: make("english"), translator: make("translator"), legacy: make("legacy") };
}
