// Lines for the earlier starts of a run: a night that was started again asked most of its requests in those.
import type { RunProgress } from "../../readings/run-messages.ts";
import type { Report } from "../../vault/report.schema.ts";
import { minuteOf } from "../../readings/instant-words.ts";
import { totalsOf } from "../terminal/bars.ts";
import { plainLine } from "../terminal/output.ts";

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
