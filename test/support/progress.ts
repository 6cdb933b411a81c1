// Progress reports of a run, for tests that need a part of one.
import type { Counts, RunProgress } from "../../readings/run-messages.ts";

/** Progress of a night without work, except for the given fields. */
export function progressOf(more: Partial<RunProgress> = {}): RunProgress {
  return {
    run: "almanac-nightly-2026-11-21",
    startedAt: "2026-11-21T03:05:00.000Z",
    asOf: "2026-11-21T03:05:00.000Z",
    state: "done",
    planned: 0,
    held: 0,
    outOfReach: 0,
    leftOut: 0,
    languages: {},
    skipped: [],
    refused: [],
    broken: {},
    published: [],
    ...more,
  };
}

/** Counts of an operation without results, except for the given fields. */
export function countsWith(more: Partial<Counts> = {}): Counts {
  const nothing = { planned: 0, stored: 0, held: 0, retried: 0, skipped: 0 };
  return { ...nothing, calls: 0, unanswered: 0, answerMs: 0, ...more };
}
