// Time that passes when the model says so: timers, waits and performance.now() of this process stand still otherwise.
import { syncBuiltinESMExports } from "node:module";
import timersPromises from "node:timers/promises";
import { vi } from "vitest";

const real = timersPromises.setTimeout;
const faked = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] as const;

/** Waits are not among what the test runner fakes. */
function wait<Value>(ms?: number, value?: Value): Promise<Value | undefined> {
  const { promise, resolve } = Promise.withResolvers<Value | undefined>();
  setTimeout(() => resolve(value), ms);
  return promise;
}

export function holdTime(): void {
  vi.useFakeTimers({ toFake: [...faked] });
  Object.assign(timersPromises, { setTimeout: wait });
  syncBuiltinESMExports();
}

export function letTimeGo(): void {
  vi.useRealTimers();
  Object.assign(timersPromises, { setTimeout: real });
  syncBuiltinESMExports();
}

export function passTime(ms: number): void {
  vi.advanceTimersByTime(ms);
}
