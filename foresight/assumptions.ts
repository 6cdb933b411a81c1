// What is to be rehearsed: a configuration, from when on and for how many nights, and what goes wrong meanwhile.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import type { Language } from "../readings/languages.ts";
import type { Operation } from "../readings/operations.ts";
import type { ReadingRequest } from "../readings/request.ts";

export interface Assumptions {
  readonly configuration: Configuration;
  /** The first night is the next one from here on. */
  readonly from: Date;
  readonly days: number;
  readonly outages: readonly Outage[];
  readonly refused: AlwaysRefused;
  /** What an answer takes where it is not the usual time. */
  readonly latencyMs?: Partial<Record<ServiceAddress, number>> | undefined;
  /** Begins the same chances anew, from 0 to 1: they make the pauses before what got no answer is asked again. */
  readonly newChance: () => () => number;
}

/** The service does not answer: every day between two times in UTC, the second maybe on the day after, or once. */
export type Outage =
  | { readonly kind: "daily"; readonly fromMinute: number; readonly untilMinute: number }
  | { readonly kind: "once"; readonly from: Date; readonly until: Date };

/** What the service refuses whenever it is asked. */
export interface AlwaysRefused {
  readonly languages: readonly Language[];
  readonly operations: readonly Operation[];
}

export function isRefusedBy({ languages, operations }: AlwaysRefused, request: ReadingRequest): boolean {
  return languages.includes(request.language) || operations.includes(request.operation);
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The first outage that is not over at a time, as instants. */
export function nextOutage(
  outages: readonly Outage[],
  timeMs: number,
): { readonly fromMs: number; readonly untilMs: number } | undefined {
  const spans = outages.flatMap((outage) => {
    if (outage.kind === "once") return [{ fromMs: outage.from.getTime(), untilMs: outage.until.getTime() }];
    const { fromMinute, untilMinute } = outage;
    const lastsMinutes =
      untilMinute > fromMinute ? untilMinute - fromMinute : untilMinute + 1440 - fromMinute;
    const today = Math.floor(timeMs / dayMs) * dayMs + fromMinute * minuteMs;
    return [today - dayMs, today, today + dayMs].map((fromMs) => {
      return { fromMs, untilMs: fromMs + lastsMinutes * minuteMs };
    });
  });
  const ahead = spans.filter(({ untilMs }) => untilMs > timeMs);
  return ahead.sort((one, other) => one.fromMs - other.fromMs)[0];
}
