// When a reading is the current one: its period in the home zone or, for a pair, from its own night in one season to
// its night in the next.
import type { Language } from "../readings/languages.ts";
import { rowOf } from "../readings/operations.ts";
import { type Pair, type Seasons, seasonsAround, slotOf } from "../readings/pairs.ts";
import { addDays, type Interval, validity } from "../readings/periods.ts";
import type { Reading } from "../readings/reading.schema.ts";
import { startOfDay } from "../readings/zones.ts";

/** Undefined for what holds for good. */
export function validityOf(reading: Reading, zone: string): Interval | undefined {
  const { due } = rowOf(reading.operation);
  if (due === "once") return undefined;
  if (reading.family !== "pair") return due === "seasonal" ? undefined : validity(due, reading.period, zone);
  const { first, last } = pairDates([reading.sign1, reading.sign2], reading.language, reading.period);
  return { from: startOfDay(zone, first), until: startOfDay(zone, addDays(last, 1)) };
}

/** A season's nights are worked out once, for its 144 pairs in all languages. */
const seasons = new Map<string, Seasons>();

/** The local dates of a pair's text, both counted in. */
export function pairDates(pair: Pair, language: Language, season: string): { first: string; last: string } {
  const { slots, nextSlots } = nightsOf(season);
  const slot = slotOf(pair, language);
  const [first, next] = [slots[slot], nextSlots[slot]];
  if (first === undefined || next === undefined)
    throw new RangeError(`no night for ${pair.join("-")} in ${season}`);
  return { first, last: addDays(next, -1) };
}

function nightsOf(season: string): Seasons {
  const known = seasons.get(season);
  if (known !== undefined) return known;
  const month = (Number(season.slice(-1)) - 1) * 3 + 1;
  const nights = seasonsAround(`${season.slice(0, 4)}-${String(month).padStart(2, "0")}-01`);
  seasons.set(season, nights);
  return nights;
}
