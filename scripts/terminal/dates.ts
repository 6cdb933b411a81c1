// Parses the instants and dates of options. Only one form is accepted: 5/6/2026 is ambiguous, and a date without a time is a
// different moment in each time zone.
import type { PastDates } from "../../publish/archive.ts";
import { addDays, dayNumber, localDate, parseDate } from "../../readings/calendar.ts";
import { WrongUsage } from "./errors.ts";
import { requireOrder } from "./options.ts";
import { now } from "../../worker/settings/environment.ts";

/** An instant such as `2026-11-21T03:05:00Z`. The zone is required, because otherwise the result would depend on the machine. */
export function typedInstant(option: string, text: string): string {
  const date = new Date(text);
  const whole =
    /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text) && parseDate(text.slice(0, 10)) !== undefined;
  if (whole && !Number.isNaN(date.getTime())) return date.toISOString();
  throw new WrongUsage(`${option}: "${text}" is not an instant such as 2026-11-21T03:05:00Z`);
}

export function instantIn(text: string): string {
  return typedInstant("--as-of", text);
}

/** A local date such as `2026-11-21`. */
export function typedDate(option: string): (text: string) => string {
  return (text) => {
    if (parseDate(text) !== undefined) return text;
    throw new WrongUsage(`${option}: "${text}" is not a date such as 2026-11-21`);
  };
}

/** A local date, or `tomorrow`: the next date of each time zone. */
export function dateAhead(text: string): (zone: string) => string {
  if (text === "tomorrow") return (zone) => addDays(localDate(zone, now()), 1);
  if (parseDate(text) !== undefined) return () => text;
  throw new WrongUsage(`--date: "${text}" is neither a date such as 2026-11-21 nor \`tomorrow\``);
}

/** The same, for a date that is not past in every zone. */
export function dateToCome(text: string): (zone: string) => string {
  const dateIn = dateAhead(text);
  if (dateIn("UTC") >= localDate("Etc/GMT+12", now())) return dateIn;
  throw new WrongUsage(`--date ${text} is in the past in all time zones. Use today or a later date`);
}

/** The longest span of days: the service never reaches further back, and a plan takes no more. */
const longestDays = 3 * 366;

/** `--from` and `--to` of commands that work on past dates; undefined without them. */
export function pastDates(from: string | undefined, to: string | undefined): PastDates | undefined {
  requireOrder({ from, to });
  if (from === undefined) {
    if (to !== undefined) throw new WrongUsage(`--to ${to} needs --from`);
    return undefined;
  }
  // In some time zones, tomorrow has already begun.
  const last = new Date(now().getTime() + 86_400_000).toISOString().slice(0, 10);
  if (from > last)
    throw new WrongUsage(`--from ${from} is in the future in all time zones. Use today or an earlier date`);
  const days = dayNumber(to ?? last) - dayNumber(from);
  if (days >= longestDays)
    throw new WrongUsage(`--from ${from} is too far back. Use at most ${longestDays} days at a time`);
  return { from, to };
}
