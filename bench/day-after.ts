// The next day of an edition: the same readings under the next date.
import { addDays } from "../readings/calendar.ts";
import type { LanguageEdition } from "../site/edition.ts";

/** The same readings a day later: what a new day brings, and what stays. */
export function dayAfter(edition: LanguageEdition): LanguageEdition {
  const sets = edition.sets.map((set) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(set.period) || set.operation === "weekly-horoscope") return set;
    const period = addDays(set.period, 1);
    const readings = set.readings.map((one) => ({ ...one, reading: { ...one.reading, period } }));
    return { ...set, period, readings };
  });
  return { ...edition, date: addDays(edition.date, 1), sets };
}
