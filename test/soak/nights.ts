// Thirty nights over both clock changes in Europe and America, ends of months, and the ends of a year and a winter; between these
// ranges the site is idle for weeks. Time only moves forward.
import { addDays } from "../../readings/calendar.ts";

const stretches = [
  "2026-10-23", // Europe's clocks go back on the 25th
  "2026-10-30", // the end of a month; America's clocks go back on the 1st
  "2026-12-29", // the end of a year, and of a quarter: pairs of signs are due again
  "2027-02-26",
  "2027-03-12", // America's clocks go forward on the 14th
  "2027-03-26", // Europe's on the 28th
] as const;
const nightsAStretch = 5;

export const nights: readonly string[] = stretches.flatMap((first) =>
  Array.from({ length: nightsAStretch }, (_, day) => addDays(first, day)),
);

/** Start of a night. */
export function startOf(date: string): Date {
  return new Date(`${date}T03:05:00Z`);
}

/** Deadlines for the page's change: after midnight in the farthest east and west, and in Berlin. */
export function publishTimesOf(date: string): Date[] {
  return [new Date(`${date}T11:30:00Z`), new Date(`${date}T23:30:00Z`)];
}
