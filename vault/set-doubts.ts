// The findings of the set rules on a set, without rules that only warn and without responses that a person
// accepted.
import type { RuleLevels } from "../readings/quality.ts";
import { requestKey } from "../readings/request.ts";
import { type SetFinding, findingsInSet } from "../readings/set-rules.ts";
import type { StoredReading } from "./stored-readings.ts";

export function doubtsAbout(
  set: readonly StoredReading[],
  before: readonly StoredReading[],
  levels: RuleLevels,
): SetFinding[] {
  const open = new Set(
    set.filter(({ response }) => response.accepted === undefined).map(({ response }) => response.key),
  );
  const findings = findingsInSet(readingsOf(set), readingsOf(before));
  return findings.filter(
    ({ rule, readings }) =>
      levels[rule] !== "warn" && readings.some((reading) => open.has(requestKey(reading))),
  );
}

function readingsOf(stored: readonly StoredReading[]) {
  return stored.map(({ reading }) => reading);
}
