// Operations that the service refuses alike, whatever the request: most likely they are not in the subscription. An
// edition stops asking for them after a set's worth, and a run says each of them once. vault/refusals.ts
// remembers them for the next plan.
import type {
  EditionResult,
  PlannedRefusal,
  RefusedOperation,
  SkippedRequest,
  Tally,
} from "./run-messages.ts";
import { isOperation, type Operation } from "./operations.ts";
import { requestOf } from "./request.ts";
import { refusedAlikeAfter } from "./retry-rules.ts";

/** The service's responses to one operation in an edition until now: only refusals, all alike, or else `other`. */
export type OperationOutcome = { readonly reason: string; requested: number; notRequested: number } | "other";
/** The outcome of one request, as far as it says something about its operation. */
export type RequestOutcome =
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
