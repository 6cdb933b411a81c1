// What a rehearsal assumes: a configuration, from when on and for how many nights, and what goes wrong meanwhile.
import type { ServiceAddress } from "../readings/service-addresses.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import type { Language } from "../readings/languages.ts";
import type { Operation } from "../readings/operations.ts";
import type { ReadingRequest } from "../readings/request.ts";

export interface Assumptions {
  readonly configuration: Configuration;
  /** The first night is the first one that starts at this instant or later. */
  readonly from: Date;
  readonly days: number;
  readonly outages: readonly Outage[];
  readonly refused: AlwaysRefused;
  /** How long answers take, where it is not the usual time. */
  readonly latencyMs?: Partial<Record<ServiceAddress, number>>;
  /** Starts the same row of numbers from 0 to 1 again: they set the pauses before an unanswered request is asked again. */
  readonly newChance: () => () => number;
}

/** A time without answers: once, or every day between two UTC times, of which the second may be on the day after. */
export type Outage =
  | { readonly kind: "daily"; readonly fromMinute: number; readonly untilMinute: number }
  | { readonly kind: "once"; readonly from: Date; readonly until: Date };

/** The languages and operations that the service refuses whenever it is asked. */
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
export function nextOutage(outages: readonly Outage[], timeMs: number) {
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
