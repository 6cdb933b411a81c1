// Simulated time: timers, waits and performance.now() of this process advance only when the model says so.
import { syncBuiltinESMExports } from "node:module";
import timersPromises from "node:timers/promises";
import { vi } from "vitest";

const real = timersPromises.setTimeout;
const faked = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] as const;

/** The test runner does not fake these waits. */
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
