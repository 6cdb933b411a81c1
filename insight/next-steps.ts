// The next steps for sets that are not published as they should be, each with its reason and its command: for the bar of a preview and
// for an editor's page.
import { hashSeen } from "../publish/review.ts";
import { firstDayOf, isPeriodKind } from "../readings/calendar.ts";
import { requestKey } from "../readings/request.ts";
import { rowOf } from "../readings/tables.ts";
import { textsToReview } from "./review-list.ts";
import type { SetState } from "./set-states.ts";

export interface NextStep {
  /** A request key, or the name of a set. */
  readonly about: string;
  readonly reason: string;
  readonly command: string;
}

export function nextSteps(set: SetState): NextStep[] {
  const step = (about: string, reason: string, command: string) => ({ about, reason, command });
  const withdrawn = set.withdrawn.map(requestKey);
  const own = withdrawn.map((key) => step(key, "withdrawn", `almanac withdraw --undo ${key}`));
  const refused = set.quarantined.map((key) => step(key, "in quarantine", `almanac quarantine show ${key}`));
  const stale = set.stale.map(({ key, field }) => {
    const why = `the correction of ${field} no longer applies`;
    return step(key, why, `almanac correct ${key} --field ${field} --reason "..."`);
  });
  const command = set.missing.length > set.quarantined.length ? gatherAgain(set) : commandFor(set);
  const reason = (set.reason ?? set.state).replace(/\. `.*/, ""); // the command is next to it
  const whole = command === undefined ? [] : [step(set.set, reason, command)];
  return [...own, ...refused, ...stale, ...whole];
}

function gatherAgain({ requests: [first] }: SetState) {
  if (first === undefined) return undefined;
  const { language, operation, period } = first;
  const { due } = rowOf(operation);
  if (!isPeriodKind(due)) return "almanac nightly";
  const day = firstDayOf(due, period);
  return `almanac backfill --languages ${language} --operations ${operation} --from ${day} --to ${day}`;
}

/** Undefined if nothing is to be done about the set as a whole. */
function commandFor(set: SetState) {
  const language = set.requests[0]?.language ?? "";
  switch (set.state) {
    case "waiting":
    case "rejected":
      return `almanac review approve ${set.set} --seen ${hashSeen(textsToReview(set))}`;
    case "refused":
      return `almanac revalidate --languages ${language} --no-pages`;
    case "rolled back":
      return `almanac render --languages ${language}`;
    default:
      return undefined;
  }
}
