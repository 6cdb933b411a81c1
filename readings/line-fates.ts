// What becomes of each line of a plan when its calls go out in order at a pace.
import type { ServiceAddress } from "./service-addresses.ts";
import { type CallPace, startMs } from "./call-pace.ts";
import type { PlanLine } from "./plan-line.ts";

/**
 * `late`: answered after it is due. `unfinished`: not answered by the run's deadline, so the next run asks for it.
 * `lost`: its last moment passes before its turn.
 */
export type LineFate = "in time" | "late" | "unfinished" | "lost";

export interface RunSpan {
  readonly instant: Date;
  readonly deadline: Date;
}

export interface ForeseenLine {
  readonly line: PlanLine;
  readonly doneAt: Date;
  readonly fate: LineFate;
}

/** Takes the lines in the plan's order, each address at its own pace. */
export function foresee(
  lines: readonly PlanLine[],
  paces: Record<ServiceAddress, CallPace>,
  span: RunSpan,
): ForeseenLine[] {
  const asked = { english: 0, translator: 0, legacy: 0 };
  return lines.map((line) => {
    const pace = paces[line.address];
    const offsetMs = startMs(asked[line.address]++, pace);
    // Rounded up: a time that is a fraction too early could make a late reading look as if it came in time.
    const doneAt = new Date(Math.ceil(span.instant.getTime() + offsetMs + pace.latencyMs));
    return { line, doneAt, fate: fateOf(line, offsetMs, pace, span) };
  });
}

/** What becomes of a line whose call starts `offsetMs` after the run. */
export function fateOf(
  line: PlanLine,
  offsetMs: number,
  pace: CallPace,
  { instant, deadline }: RunSpan,
): LineFate {
  const startsAt = instant.getTime() + offsetMs;
  const doneAt = startsAt + pace.latencyMs;
  if (startsAt >= line.lastMoment.getTime()) return "lost";
  if (doneAt > deadline.getTime()) return "unfinished";
  // A line that is due at once is asked as soon as possible, so it can't be late.
  if (line.dueAt > instant && doneAt > line.dueAt.getTime()) return "late";
  return "in time";
}

export type FateCounts = Record<LineFate, number>;

export function countFates(foreseen: readonly ForeseenLine[]): FateCounts {
  const counts: FateCounts = { "in time": 0, late: 0, unfinished: 0, lost: 0 };
  for (const { fate } of foreseen) counts[fate]++;
  return counts;
}
