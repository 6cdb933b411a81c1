// What is said of a run in lines of their own: its earlier starts, what the service refused it, what it set aside.
import { minuteOf } from "../../readings/instant-words.ts";
import type {
  PlannedRefusal,
  PublishResult,
  RefusedOperation,
  RunProgress,
} from "../../readings/run-messages.ts";
import type { Report } from "../../vault/report.schema.ts";
import { totalsOf } from "./bars.ts";
import { counted } from "./findings.ts";
import { plainLine } from "./output.ts";

export type EndedRun = RunProgress & Pick<Report, "endedAt">;

/** A line for each earlier start. */
export function earlierLines(earlier: readonly EndedRun[]): string[] {
  return earlier.map((one) => {
    const { done, setAside } = totalsOf(Object.values(one.languages));
    return plainLine(
      `started before: ${spanWords(one)}, ${one.state}, ${done - setAside} kept, ${setAside} set aside`,
    );
  });
}

/** `2026-11-22 03:05 to 05:17 UTC`, with the day once more where it ended on another. */
export function spanWords({ startedAt, endedAt }: Pick<EndedRun, "startedAt" | "endedAt">): string {
  const ended = minuteOf(endedAt);
  const began = minuteOf(startedAt);
  const isSameDay = began.slice(0, 10) === ended.slice(0, 10);
  return `${began} to ${isSameDay ? ended.slice(11) : ended} UTC`;
}

/** The most languages to name; more are counted. */
const mostNamed = 5;

/** A line for each operation that the service refuses alike, however many requests of it a run has. */
export function refusedLines(refused: readonly RefusedOperation[]): string[] {
  return refused.map((one) => {
    const asked = one.asked === 0 ? "" : `, ${counted(one.asked, "request")} refused alike`;
    const left = one.notAsked === 0 ? "" : `, ${one.notAsked} not asked`;
    return plainLine(`${head(one)}${asked}${left}; ${sooner}`);
  });
}

/** The same for a plan. */
export function plannedRefusalLines(refusals: readonly PlannedRefusal[]): string[] {
  return refusals.map((one) => {
    const left = `${counted(one.notAsked, "request")} left out`;
    if (one.probe === 0) return plainLine(`${head(one)}: ${left}; ${sooner}`);
    return plainLine(
      `${head(one)}: ${counted(one.probe, "request")} asked to try it again, ${left} until they are answered`,
    );
  });
}

/** Lines on the captures that a run found damaged. */
export function damagedLines({ damaged = [] }: Pick<RunProgress | PublishResult, "damaged">): string[] {
  if (damaged.length === 0) return [];
  const more = damaged.length - mostDamagedNamed;
  return [
    `${counted(damaged.length, "capture")} can't be read: \`almanac verify --vault\` reads all of the vault`,
    ...damaged.slice(0, mostDamagedNamed).map(({ key, reason }) => plainLine(`  ${key}  ${reason}`)),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

const mostDamagedNamed = 5;

const sooner = "tried again on the next UTC day, sooner after `almanac quarantine retry` of one";

function head({ operation, languages, reason }: RefusedOperation) {
  const where = languages.length > mostNamed ? `${languages.length} languages` : languages.join(", ");
  return `${operation} is not in your subscription (${where}: ${reason})`;
}

/** A line for each request that was set aside, and where to find the rest. */
export function setAsideLines({ setAside }: Pick<RunProgress, "setAside">, most: number): string[] {
  if (setAside.length === 0) return [];
  const more = setAside.length - most;
  return [
    "set aside:",
    ...setAside.slice(0, most).map(({ key, type, reason }) => plainLine(`  ${key}  ${type}: ${reason}`)),
    ...(more > 0 ? [`  and ${more} more`] : []),
    "  almanac quarantine list",
  ];
}
