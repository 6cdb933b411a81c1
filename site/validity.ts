// When a reading is the current one: its period in the home zone or, for a pair, from its own night in one season to
// its night in the next.
import { rowOf } from "../readings/operations.ts";
import { pairDates } from "../readings/pairs.ts";
import { addDays, type Interval, validity } from "../readings/periods.ts";
import type { Reading } from "../readings/reading.schema.ts";
import { startOfDay } from "../readings/zones.ts";

/** Undefined for a reading that holds for good. */
export function validityOf(reading: Reading, zone: string): Interval | undefined {
  const { due } = rowOf(reading.operation);
  if (due === "once") return undefined;
  if (reading.family !== "pair") return due === "seasonal" ? undefined : validity(due, reading.period, zone);
  const { first, last } = pairDates([reading.sign1, reading.sign2], reading.language, reading.period);
  return { from: startOfDay(zone, first), until: startOfDay(zone, addDays(last, 1)) };
}
