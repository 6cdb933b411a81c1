// The bounds of a capture on one address, computed from its rate, concurrency and answer time-out. They nest:
// connect < answer < an attempt (the waits for a claim and for the pacer counted in) < the run's deadline.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { defaultTimeouts, type Timeouts } from "./addresses.ts";

/** A worker that dies is missed after this long; an answer may take 90 s, so the call itself can't tell. */
export const heartbeatMs = 15_000;
/** For the history's sake. */
const mostWindow = 200;
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

/** Where another worker asks for the same request already, its answer is there after this, or it does not come. */
export function claimWaitMsFor({ answerTimeoutMs }: AddressFigures): number {
  return answerTimeoutMs;
}

/** An attempt begins before the wait for a claim, and that comes before the pacer's: one turn for every other slot. */
export function startToCloseMsFor(figures: AddressFigures): number {
  const pacerMs = (slotsFor(figures) / figures.ratePerSecond) * 1000;
  return Math.ceil(claimWaitMsFor(figures) + pacerMs + figures.answerTimeoutMs + handlingMs);
}

/**
 * How many requests of one edition are with Temporal at once, by its share of all that the run asks of the address.
 * Alone, it keeps every slot busy while a workflow task is under way. Beside others it has its share of the slots, and a
 * sixteenth of them more to hide the way to Temporal and back: a language whose answers take 20 s holds no more slots
 * than that. Six languages on 8 slots, one of them ten times slower: the other five took 1.9 times as long with a
 * window of 20 each, and no longer than without it with their shares (measured).
 */
export function windowFor(figures: AddressFigures, share: number): number {
  const slots = slotsFor(figures);
  const window = share >= 1 ? 2 * slots + 4 : Math.ceil(slots * share) + Math.floor(slots / 16);
  return Math.min(mostWindow, window);
}

export function addressFiguresOf({ service }: Configuration, address: ServiceAddress): AddressFigures {
  return {
    ratePerSecond: service.ratePerSecond[address],
    concurrency: service.concurrency[address],
    answerTimeoutMs: service.answerTimeoutSeconds[address] * 1000,
  };
}

/** A short answer time-out shortens the connecting too, which must end before it. */
export function timeoutsOf(configuration: Configuration): Record<ServiceAddress, Timeouts> {
  return perAddress((address) => {
    const answerMs = addressFiguresOf(configuration, address).answerTimeoutMs;
    return { connectMs: Math.min(defaultTimeouts[address].connectMs, answerMs / 2), answerMs };
  });
}

/** Of one try on the slowest address: a run whose deadline came before it could end without an answer to anything. */
export function longestAttemptMs(configuration: Configuration): number {
  return Math.max(
    ...Object.values(perAddress((address) => startToCloseMsFor(addressFiguresOf(configuration, address)))),
  );
}

export function perAddress<Value>(make: (address: ServiceAddress) => Value): Record<ServiceAddress, Value> {
  return { english: make("english"), translator: make("translator"), legacy: make("legacy") };
}
