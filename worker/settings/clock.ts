// The one way to the wall clock for decisions about dates. Tests move it; durations, deadlines and the ages of files use the
// machine's own clocks.
import { type Environment, readTestClock } from "./environment.ts";

/** The clock of a process with this environment, or of this one. */
export function now({ testClockOffsetMs = 0 }: Partial<Environment> = readTestClock()): Date {
  return new Date(Date.now() + testClockOffsetMs);
}
