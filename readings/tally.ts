// The counts of an edition, for each operation: requests that were planned, stored, held, requested again, skipped.
import { isOperation, type Operation } from "./tables.ts";
import { isFurtherDraw, type ReadingRequest, type RequestKey, requestOf } from "./request.ts";
import type {
  Counts,
  DamagedAnswer,
  Tally,
  EditionResult,
  PlannedRefusal,
  RefusedOperation,
  SkippedRequest,
} from "./run-messages.ts";
import { refusedAlikeAfter } from "./gather-rules.ts";

const none = {
  planned: 0,
  stored: 0,
  held: 0,
  retried: 0,
  skipped: 0,
  calls: 0,
  unanswered: 0,
  answerMs: 0,
};
const countNames = [
  "planned",
  "stored",
  "held",
  "retried",
  "skipped",
  "calls",
  "unanswered",
  "answerMs",
] as const;

export function countsOf(tally: Tally, operation: Operation): Counts {
  return (tally[operation] ??= { ...none });
}

export function plannedTally(keys: readonly string[]): Tally {
  const tally: Tally = {};
  for (const key of keys) {
    const request = requestOf(key);
    if (request !== undefined) countsOf(tally, request.operation).planned += 1;
  }
  return tally;
}

/** Counts a request without a good answer. A deck waits for no draw: it counts as not planned, and the night is whole. */
export function countMissed(tally: Tally, request: ReadingRequest, answered: boolean): void {
  const counts = countsOf(tally, request.operation);
  if (isFurtherDraw(request)) counts.planned -= 1;
  else counts.skipped += 1;
  if (!answered) counts.unanswered += 1;
}

/** The requests that were neither answered nor given up. */
export function unsettledIn({ planned, stored, held, skipped }: Counts): number {
  return Math.max(0, planned - stored - held - skipped);
}

export function withoutDraws(keys: readonly RequestKey[]): RequestKey[] {
  return keys.filter((key) => {
    const request = requestOf(key);
    return request === undefined || !isFurtherDraw(request);
  });
}

/** How many of the requests are further draws, which a night may leave unasked. */
export function plannedDraws(requests: readonly ReadingRequest[]): Partial<Record<Operation, number>> {
  const counts: Partial<Record<Operation, number>> = {};
  for (const { operation } of requests.filter(isFurtherDraw))
    counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}

/** All counts of some tallies together. */
export function totalOf(tallies: Iterable<Tally | undefined>): Counts {
  const total = { ...none };
  for (const tally of tallies) for (const counts of Object.values(tally ?? {})) add(counts, total);
  return total;
}

function add(counts: Counts, to: Counts) {
  for (const name of countNames) to[name] += counts[name];
}

export function sumOfTallies(tallies: readonly Tally[]): Tally {
  const sum: Tally = {};
  for (const tally of tallies) {
    for (const [operation, counts] of Object.entries(tally)) {
      if (!isOperation(operation)) continue;
      add(counts, countsOf(sum, operation));
    }
  }
  return sum;
}

// The responses that a run found damaged, as run messages contain them: the first ones, each once.
/** At most half a kilobyte each. */
const mostListed = 50;
const longestReason = 300;

/** Undefined if there are none. */
export function firstDamaged(all: readonly DamagedAnswer[]): readonly DamagedAnswer[] | undefined {
  if (all.length === 0) return undefined;
  const each = new Map(all.map(({ key, reason }) => [key, reason]));
  return [...each]
    .slice(0, mostListed)
    .map(([key, reason]) => ({ key, reason: reason.slice(0, longestReason) }));
}

/** True if the list is full, so that the run may have found more than it contains. */
export function mayHaveUnlisted(damaged: readonly DamagedAnswer[]): boolean {
  return damaged.length >= mostListed;
}

// Operations that the service refuses alike, whatever the request: most likely they are not in the subscription. An
// edition stops asking for them after a set's worth, and a run says each of them once. vault/call-notes.ts
// remembers them for the next plan.
/** The service's responses to one operation in an edition until now: only refusals, all alike, or else `other`. */
type OperationOutcome = { readonly reason: string; requested: number; notRequested: number } | "other";
/** The outcome of one request, as far as it says something about its operation. */
type RequestOutcome =
  | { readonly kind: "gathered" }
  | { readonly kind: "skipped"; readonly skipped: SkippedRequest };
export type OperationOutcomes = Partial<Record<Operation, OperationOutcome>>;

export function recordOutcome(
  outcomes: OperationOutcomes,
  operation: Operation,
  outcome: RequestOutcome,
): void {
  const before = outcomes[operation];
  if (outcome.kind === "gathered") {
    outcomes[operation] = "other";
    return;
  }
  const { type, said } = outcome.skipped;
  if (type === "Rejected" && said !== undefined && (before === undefined || isAlike(before, said))) {
    outcomes[operation] = {
      reason: said,
      requested: (before?.requested ?? 0) + 1,
      notRequested: before?.notRequested ?? 0,
    };
  } else if (type === "Rejected" || type === "Unfit") {
    outcomes[operation] = "other";
  } // no answer says nothing about the operation
}

function isAlike(before: OperationOutcome, said: string): before is Exclude<OperationOutcome, "other"> {
  return before !== "other" && before.reason === said;
}

export function isRefusedAlike(outcomes: OperationOutcomes, operation: Operation): boolean {
  const before = outcomes[operation];
  return before !== undefined && before !== "other" && before.requested >= refusedAlikeAfter;
}

export function leaveOut(outcomes: OperationOutcomes, operation: Operation): void {
  const before = outcomes[operation];
  if (before !== undefined && before !== "other") before.notRequested += 1;
}

export function refusedBy(outcomes: OperationOutcomes): EditionResult["refused"] {
  return Object.entries(outcomes).flatMap(([operation, what]) =>
    isOperation(operation) && what !== "other" ? [{ operation, ...what }] : [],
  );
}

/** The refused operations of a run: those that its editions met, and those that its plan left out. */
export function refusedOperationsOf(
  planned: readonly PlannedRefusal[],
  results: readonly EditionResult[],
): RefusedOperation[] {
  const outcomes = results.flatMap(({ language, refused }) => refused.map((one) => ({ ...one, language })));
  const groups = [...Map.groupBy(outcomes, ({ operation, reason }) => `${operation}: ${reason}`).values()];
  const found = groups.flatMap((group) => {
    const [{ operation, reason } = { operation: undefined, reason: "" }] = group;
    if (operation === undefined) return [];
    const probed = planned.find((one) => one.operation === operation && one.probe > 0);
    const requested = group.reduce((sum, one) => sum + one.requested, 0);
    // One refusal is chance, and so are two, if other languages got responses; a set's worth, or a refused probe, is not.
    const much = group.some((one) => one.requested >= refusedAlikeAfter);
    const nothingElse = !results.some(({ tally }) => isAnswered(tally, operation));
    if (probed === undefined && !much && !(nothingElse && requested > 1)) return [];
    const languages = [...new Set([...(probed?.languages ?? []), ...group.map(({ language }) => language)])];
    const notRequested = group.reduce((sum, one) => sum + one.notRequested, probed?.notRequested ?? 0);
    return [{ operation, reason, languages, requested, notRequested }];
  });
  const unseen = planned
    .filter(({ operation, probe }) => probe === 0 || !found.some((one) => one.operation === operation))
    .filter((one) => !isProbePassed(one, results));
  return [...found, ...unseen.map(({ probe: _probe, ...one }) => one)];
}

export function isProbePassed(refusal: PlannedRefusal, results: readonly EditionResult[]): boolean {
  const { probe, operation, languages } = refusal;
  if (probe === 0) return false;
  return results.some(({ language, tally }) => languages.includes(language) && isAnswered(tally, operation));
}

function isAnswered(tally: Tally, operation: Operation) {
  const counts = tally[operation];
  return counts !== undefined && counts.stored + counts.held > 0;
}

/** The requests that were skipped for other reasons than a refused operation. */
export function othersThan(
  refused: readonly RefusedOperation[],
  skipped: readonly SkippedRequest[],
): SkippedRequest[] {
  return skipped.filter(({ key, type }) => {
    const request = requestOf(key);
    if (type !== "Rejected" || request === undefined) return true;
    return !refused.some(
      ({ operation, languages }) => operation === request.operation && languages.includes(request.language),
    );
  });
}
