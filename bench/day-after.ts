// The next day of an edition: the same readings under the next date.
import { addDays } from "../readings/periods.ts";
import type { LanguageEdition } from "../site/press.ts";

/** The same readings a day later: what a new day brings, and what stays. */
export function dayAfter(edition: LanguageEdition): LanguageEdition {
  const sheets = edition.sheets.map((sheet) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(sheet.period) || sheet.operation === "weekly-horoscope") return sheet;
    const period = addDays(sheet.period, 1);
    const readings = sheet.readings.map((one) => ({ ...one, reading: { ...one.reading, period } }));
    return { ...sheet, period, readings };
  });
  return { ...edition, date: addDays(edition.date, 1), sheets };
}
