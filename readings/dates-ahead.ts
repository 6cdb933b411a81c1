// The one rule about clocks that run ahead. A date is not believed that begins long after an instant that is known: of a publish
// the instant that a time source confirms (vault/time-source.ts), of what is published already the time of whoever looks.
import { startOfDay } from "./zones.ts";

/** One nightly run a day reads a time source, and within that day every language's date turns once; two hours more are for a late night. */
export const mostAheadMs = 26 * 60 * 60_000;

export function liesAhead(date: string, zone: string, instant: Date): boolean {
  return startOfDay(zone, date).getTime() > instant.getTime() + mostAheadMs;
}
