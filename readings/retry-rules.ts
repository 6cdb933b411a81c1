// Rules for repeating a failed request: when, and how often. Workflows, activities and a rehearsal follow the same rules.

/** How often one run sends a request that is rejected or gets an unfit response, which the service does at random. */
export const mostAttempts = 3;
/** Pauses before the second and third attempt. */
const attemptPausesMs = [1_000, 5_000] as const;

export function attemptPauseMs(attempt: number): number {
  return attemptPausesMs[attempt - 1] ?? 5_000;
}

/** A longer pause would keep a run waiting although the service is back. */
const longestPauseMs = 2 * 60_000;

/** The pause after no answer doubles from a second; `chance`, from 0 to 1, spreads the calls for a service that recovers. */
export function pauseAfterNoAnswerMs(attempt: number, chance: number): number {
  return Math.min(1000 * 2 ** Math.min(attempt - 1, 10), longestPauseMs) * (0.5 + chance);
}

/** After so many refusals of an operation, all alike and nothing else, an edition stops asking for it: a set's worth. */
export const refusedAlikeAfter = 12;
