// Operations that the service refuses alike, whatever is asked of them: most likely they are not in the subscription. An
// edition stops asking for them after a set's worth, and a run says each of them once. vault/refusals.ts
// remembers them for the next plan.
import type { EditionResult, PlannedRefusal, RefusedOperation, SetAside, Tally } from "./run-messages.ts";
import { isOperation, type Operation } from "./operations.ts";
import { requestOf } from "./request.ts";
import { refusedAlikeAfter } from "./retry-rules.ts";

/** The service's answers about one operation in an edition so far: refusals alone, all alike, or else `other`. */
export type OperationsHeard = { readonly reason: string; asked: number; notAsked: number } | "other";
/** The outcome of one request, as far as it says something about its operation. */
export type HeardOutcome =
  | { readonly kind: "gathered" }
  | { readonly kind: "setAside"; readonly setAside: SetAside };
export type HeardSoFar = Partial<Record<Operation, OperationsHeard>>;

export function hear(heard: HeardSoFar, operation: Operation, outcome: HeardOutcome): void {
  const before = heard[operation];
  if (outcome.kind === "gathered") {
    heard[operation] = "other";
    return;
  }
  const { type, said } = outcome.setAside;
  if (type === "Rejected" && said !== undefined && (before === undefined || isAlike(before, said))) {
    heard[operation] = { reason: said, asked: (before?.asked ?? 0) + 1, notAsked: before?.notAsked ?? 0 };
  } else if (type === "Rejected" || type === "Unfit") {
    heard[operation] = "other";
  } // no answer says nothing about the operation
}

function isAlike(before: OperationsHeard, said: string): before is Exclude<OperationsHeard, "other"> {
  return before !== "other" && before.reason === said;
}

export function isRefusedAlike(heard: HeardSoFar, operation: Operation): boolean {
  const before = heard[operation];
  return before !== undefined && before !== "other" && before.asked >= refusedAlikeAfter;
}

export function leaveOut(heard: HeardSoFar, operation: Operation): void {
  const before = heard[operation];
  if (before !== undefined && before !== "other") before.notAsked += 1;
}

export function refusedBy(heard: HeardSoFar): EditionResult["refused"] {
  return Object.entries(heard).flatMap(([operation, what]) =>
    isOperation(operation) && what !== "other" ? [{ operation, ...what }] : [],
  );
}

/** The refused operations of a run: those that its editions met, and those that its plan left out. */
export function refusedOperationsOf(
  planned: readonly PlannedRefusal[],
  results: readonly EditionResult[],
): RefusedOperation[] {
  const heard = results.flatMap(({ language, refused }) => refused.map((one) => ({ ...one, language })));
  const groups = [...Map.groupBy(heard, ({ operation, reason }) => `${operation}: ${reason}`).values()];
  const found = groups.flatMap((group) => {
    const [{ operation, reason } = { operation: undefined, reason: "" }] = group;
    if (operation === undefined) return [];
    const probed = planned.find((one) => one.operation === operation && one.probe > 0);
    const asked = group.reduce((sum, one) => sum + one.asked, 0);
    // One refusal is chance, and so are two beside answers in other languages; a set's worth, or a refused probe, is not.
    const much = group.some((one) => one.asked >= refusedAlikeAfter);
    const nothingElse = !results.some(({ tally }) => isAnswered(tally, operation));
    if (probed === undefined && !much && !(nothingElse && asked > 1)) return [];
    const languages = [...new Set([...(probed?.languages ?? []), ...group.map(({ language }) => language)])];
    const notAsked = group.reduce((sum, one) => sum + one.notAsked, probed?.notAsked ?? 0);
    return [{ operation, reason, languages, asked, notAsked }];
  });
  const unheard = planned
    .filter(({ operation, probe }) => probe === 0 || !found.some((one) => one.operation === operation))
    .filter((one) => !isProbePassed(one, results));
  return [...found, ...unheard.map(({ probe: _probe, ...one }) => one)];
}

export function isProbePassed(refusal: PlannedRefusal, results: readonly EditionResult[]): boolean {
  const { probe, operation, languages } = refusal;
  if (probe === 0) return false;
  return results.some(({ language, tally }) => languages.includes(language) && isAnswered(tally, operation));
}

function isAnswered(tally: Tally, operation: Operation) {
  const counts = tally[operation];
  return counts !== undefined && counts.kept + counts.held > 0;
}

/** The requests set aside for other reasons than a refused operation. */
export function othersThan(refused: readonly RefusedOperation[], setAside: readonly SetAside[]): SetAside[] {
  return setAside.filter(({ key, type }) => {
    const request = requestOf(key);
    if (type !== "Rejected" || request === undefined) return true;
    return !refused.some(
      ({ operation, languages }) => operation === request.operation && languages.includes(request.language),
    );
  });
}
