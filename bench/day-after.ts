// The next day of an edition: the same readings with the next date.
import { addDays } from "../readings/calendar.ts";
import type { LanguageEdition } from "../site/edition.ts";

/** The same readings a day later: dated readings move on, long-lived ones stay. */
export function dayAfter(edition: LanguageEdition): LanguageEdition {
  const sets = edition.sets.map((set) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(set.period) || set.operation === "weekly-horoscope") return set;
    const period = addDays(set.period, 1);
    const readings = set.readings.map((one) => ({ ...one, reading: { ...one.reading, period } }));
    return { ...set, period, readings };
  });
  return { ...edition, date: addDays(edition.date, 1), sets };
}
