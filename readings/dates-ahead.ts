// The one rule about clocks that run ahead. A date is not believed that begins long after an instant that is known: of a publish
// the instant for which a witness stands (vault/witness.ts), of what is published already the time of whoever looks.
import { startOfDay } from "./zones.ts";

/** A night a day brings a witness, and within that day every language's date turns once; two hours more are for a late night. */
export const mostAheadMs = 26 * 60 * 60_000;

export function liesAhead(date: string, zone: string, instant: Date): boolean {
  return startOfDay(zone, date).getTime() > instant.getTime() + mostAheadMs;
}
