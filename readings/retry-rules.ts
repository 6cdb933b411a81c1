// When a request that failed is asked again, and how often. Workflows, activities and a rehearsal follow the same rules.

/** How often one run asks a request that is rejected or answered unfit, which the service does at random. */
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

/** After so many calls in a row without an answer something counts as away. Where one of five gets none, that is one run in 15,000. */
export const fewInVain = 6;
/** So many answers to probes, one after the other, and it counts as back, or fewer after few calls in vain. */
const fewAnswers = 3;
export const answeredProbePauseMs = 7_000;

// An address has an account of the calls in vain that are not forgiven yet: each probe adds one, and in three minutes one is
// forgiven. It is kept as the moment at which all will be.
const forgivenEveryMs = 3 * 60_000;
const mostInVain = 24;
const shortestProbePauseMs = 2_000;
/** The pause before a probe doubles with each call in vain up to so many; beyond, the probe waits until they are forgiven. */
const doublings = 6;
/** No more than so many say that it was away shortly before. */
const fewLeft = 3;

export function inVainAt(nowMs: number, forgivenMs: number): number {
  return Math.min(Math.max(0, (forgivenMs - nowMs) / forgivenEveryMs), mostInVain);
}

export function forgivenAfter(calls: number, nowMs: number, forgivenMs: number): number {
  return nowMs + Math.min(inVainAt(nowMs, forgivenMs) + calls, mostInVain) * forgivenEveryMs;
}

/** What comes and goes is asked in vain by each worker, each time until it knows: then as many calls as two workers make. */
export function callsOfClosing(inVain: number): number {
  return inVain > fewLeft ? 2 * fewInVain : 1;
}

export function probePauseMs(inVain: number, chance: number): number {
  const doubledMs = shortestProbePauseMs * 2 ** Math.min(inVain, doublings);
  return Math.max(doubledMs, (inVain - doublings) * forgivenEveryMs) * (0.75 + chance / 2);
}

export function answersUntilBack(inVain: number): number {
  return Math.min(1 + Math.floor(inVain), fewAnswers);
}

/** After so many refusals of an operation, all alike and nothing else, an edition stops asking for it: a sheet's worth. */
export const refusedAlikeAfter = 12;
