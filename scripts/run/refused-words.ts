// An operation that the service refuses alike, in one line, however many requests of it there are.
import type { PlannedRefusal, RefusedOperation } from "../../readings/run-messages.ts";
import { counted } from "../terminal/findings.ts";
import { plainLine } from "../terminal/output.ts";

/** The most languages to name; more are counted. */
const mostNamed = 5;

/** The lines for a run. */
export function refusedLines(refused: readonly RefusedOperation[]): string[] {
  return refused.map((one) => {
    const asked = one.asked === 0 ? "" : `, ${counted(one.asked, "request")} refused alike`;
    const left = one.notAsked === 0 ? "" : `, ${one.notAsked} not asked`;
    return plainLine(`${head(one)}${asked}${left}; ${sooner}`);
  });
}

/** The lines for a plan. */
export function plannedRefusalLines(refusals: readonly PlannedRefusal[]): string[] {
  return refusals.map((one) => {
    const left = `${counted(one.notAsked, "request")} left out`;
    if (one.probe === 0) return plainLine(`${head(one)}: ${left}; ${sooner}`);
    return plainLine(
      `${head(one)}: ${counted(one.probe, "request")} asked to try it again, ${left} until they are answered`,
    );
  });
}

const sooner = "tried again on the next UTC day, sooner after `almanac quarantine retry` of one";

function head({ operation, languages, reason }: RefusedOperation): string {
  const where = languages.length > mostNamed ? `${languages.length} languages` : languages.join(", ");
  return `${operation} is not in your subscription (${where}: ${reason})`;
}
