// The settings that would make a night fit: the least change, tried on the plan itself.
import type { ServiceAddress } from "./service-addresses.ts";
import { fateOf } from "./line-fates.ts";
import { byUrgency } from "./plan-order.ts";
import { type CallPace, paceBounds, startMs } from "./call-pace.ts";
import type { PlanLine } from "./plan-line.ts";

export interface SettingChange {
  /** The setting's name in almanac.config.ts: `service.concurrency.translator`. */
  readonly setting: string;
  readonly from: number;
  readonly to: number;
}

const hourMs = 3_600_000;
const mostInFlight = paceBounds.concurrency.most;
/** A run that lasted longer would meet that of the next night. */
const longestHours = 24;

/** Empty when nothing needs to change, undefined when no change is enough. */
export function changesToFit(
  address: ServiceAddress,
  lines: readonly PlanLine[],
  pace: CallPace,
  instant: Date,
  deadlineHours: number,
): SettingChange[] | undefined {
  const ordered = lines.toSorted(byUrgency);
  const fits = (tried: Partial<CallPace>, hours = deadlineHours) =>
    fitsAll(ordered, { ...pace, ...tried }, instant, hours);
  if (fits({})) return [];

  const { ratePerSecond: rate, concurrency } = pace;
  const rateTo = (to: number) => change(`ratePerSecond.${address}`, rate, to);
  const concurrencyTo = (to: number) => change(`concurrency.${address}`, concurrency, to);
  const leastConcurrency = (tried: Partial<CallPace>) =>
    least(concurrency, mostInFlight, (inFlight) => fits({ ...tried, concurrency: inFlight }));
  // The rate is searched in hundredths of a call a second, so that the search is over whole numbers.
  const leastRate = (tried: Partial<CallPace>) =>
    least(Math.ceil(rate * 100), paceBounds.ratePerSecond.most * 100, (part) =>
      fits({ ...tried, ratePerSecond: part / 100 }),
    );

  // More in flight costs the service nothing that the rate does not allow already.
  const inFlight = leastConcurrency({});
  if (inFlight !== undefined) return [concurrencyTo(inFlight)];
  // A longer run costs readers nothing, when what they wait for is there in time.
  const neededMs = startMs(ordered.length - 1, pace) + pace.latencyMs;
  const hours = Math.ceil((neededMs / hourMs) * 10) / 10;
  if (hours <= longestHours && fits({}, hours)) {
    return [{ setting: "schedule.deadlineHours", from: deadlineHours, to: hours }];
  }
  // The rate last, because it may not be the operator's to raise.
  const faster = leastRate({});
  if (faster !== undefined) return [rateTo(faster / 100)];
  const fastest = leastRate({ concurrency: mostInFlight });
  if (fastest === undefined) return undefined;
  const ratePerSecond = fastest / 100;
  return [rateTo(ratePerSecond), concurrencyTo(leastConcurrency({ ratePerSecond }) ?? mostInFlight)];
}

function change(limit: string, from: number, to: number) {
  return { setting: `service.${limit}`, from, to };
}

function fitsAll(ordered: readonly PlanLine[], pace: CallPace, instant: Date, deadlineHours: number) {
  const span = { instant, deadline: deadlineOf(instant, deadlineHours) };
  return ordered.every((line, place) => {
    const fate = fateOf(line, startMs(place, pace), pace, span);
    // A line that is due in less than an answer's time is late even as the first call: no setting helps, so it decides nothing.
    return fate === "in time" || (fate === "late" && fateOf(line, 0, pace, span) === "late");
  });
}

export function deadlineOf(instant: Date, deadlineHours: number): Date {
  return new Date(instant.getTime() + Math.round(deadlineHours * hourMs));
}

/** The least whole number that will do, when every greater one will do too. */
function least(low: number, high: number, willDo: (tried: number) => boolean) {
  if (!willDo(high)) return undefined;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (willDo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
