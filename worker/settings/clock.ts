// The only wall clock for decisions about dates. Tests shift it; durations, deadlines and file ages use the machine's own clocks.
import { type Environment, readTestClock } from "./environment.ts";

/** The clock of a process with this environment, or of this one. */
export function now({ testClockOffsetMs = 0 }: Partial<Environment> = readTestClock()): Date {
  return new Date(Date.now() + testClockOffsetMs);
}
