// What a run has to say of itself, where a test wants a part of it.
import type { RunProgress } from "../../readings/run-messages.ts";

/** Of a night that had nothing to do, but for what is given. */
export function progressOf(more: Partial<RunProgress> = {}): RunProgress {
  return {
    run: "almanac-nightly-2026-11-21",
    asOf: "2026-11-21T03:05:00.000Z",
    state: "done",
    planned: 0,
    held: 0,
    outOfReach: 0,
    leftOut: 0,
    languages: {},
    setAside: [],
    broken: {},
    published: [],
    ...more,
  };
}
