// When a request that came to nothing is asked again, and how often. The workflows and the activities ask by it, and a
// rehearsal reckons by it.

/** How often a request that was rejected or answered unfit is asked in one run: the service does it at random. */
export const mostAttempts = 3;
/** Pauses before the second and third attempt. */
const attemptPausesMs = [1_000, 5_000] as const;

export function attemptPauseMs(attempt: number): number {
  return attemptPausesMs[attempt - 1] ?? 5_000;
}

/** Never wait longer than this for a service that is back. */
const longestPauseMs = 2 * 60_000;

/** After no answer: doubling from a second, with jitter (`chance` is from 0 to 1) so that a recovering service is not stormed. */
export function pauseAfterNoAnswerMs(attempt: number, chance: number): number {
  return Math.min(1000 * 2 ** Math.min(attempt - 1, 10), longestPauseMs) * (0.5 + chance);
}

/** So many refusals of an operation, all alike and nothing else, are enough for an edition: a sheet's worth. */
export const refusedAlikeAfter = 12;

/** Requests of one edition with Temporal at once, those that wait for another try counted in: its limit is 2,000. */
export const mostPending = 200;
