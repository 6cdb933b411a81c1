// The findings of the sheet gates on a sheet, without rules of which the configuration only warns and captures that a person
// accepted.
import type { RuleLevels } from "../readings/quality.ts";
import { requestKey } from "../readings/request.ts";
import { type SheetFinding, sheetFindings } from "../readings/sheet-gates.ts";
import type { KeptReading } from "./kept-readings.ts";

export function doubtsAbout(
  sheet: readonly KeptReading[],
  before: readonly KeptReading[],
  levels: RuleLevels,
): SheetFinding[] {
  const open = new Set(
    sheet.filter(({ capture }) => capture.accepted === undefined).map(({ capture }) => capture.key),
  );
  const findings = sheetFindings(readingsOf(sheet), readingsOf(before));
  return findings.filter(
    ({ rule, readings }) =>
      levels[rule] !== "warn" && readings.some((reading) => open.has(requestKey(reading))),
  );
}

function readingsOf(kept: readonly KeptReading[]) {
  return kept.map(({ reading }) => reading);
}
