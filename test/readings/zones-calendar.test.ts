// Every midnight in every language's time zone to the end of 2028, with test:deep to the end of 2036, compared with Temporal, whose
// zone and calendar arithmetic shares no code or method with readings/calendar.ts (it reads wall clocks and searches for the
// changes between them).
import { setImmediate } from "node:timers/promises";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { languageNames, languages } from "../../readings/tables.ts";
import {
  type PeriodKind,
  periodKinds,
  wordFor,
  localDate,
  offsetHours,
  startOfDay,
} from "../../readings/calendar.ts";
import { deep } from "../support/deep.ts";

const firstDate = Temporal.PlainDate.from("2026-11-01");
const lastDate = Temporal.PlainDate.from(deep ? "2036-12-31" : "2028-12-31");
const days = firstDate.until(lastDate, { largestUnit: "day" }).days + 1;
const homeZones = languageNames.map((language) => languages[language].zone);

test(`finds the right date, offset and word around each of ${homeZones.length * days} midnights in the home zones`, async () => {
  const found = new Map<string, Turns>(); // several languages share a zone, and its midnights
  for (const zone of new Set(homeZones)) {
    found.set(zone, turnsOf(zone));
    await setImmediate(); // lets the runner communicate with this process
  }
  const seen = homeZones.flatMap((zone) => found.get(zone) ?? []);
  const total = (count: (turns: Turns) => number) => seen.reduce((sum, turns) => sum + count(turns), 0);
  const turns = total((one) => one.turns);
  console.log(
    `calendar: ${turns} turns in ${homeZones.length} home zones, ${firstDate.toString()} to ${lastDate.toString()}; ` +
      `${total((one) => one.short)} days of 23 hours, ${total((one) => one.long)} of 25, ` +
      `${total((one) => one.withoutMidnight)} without a midnight`,
  );
  expect(seen.flatMap((one) => one.errors)).toEqual([]);
  expect(turns).toBe(homeZones.length * days);
});

test.each(["Africa/Cairo", "Asia/Beirut"])("finds the start of days without a midnight in %s", (zone) => {
  const seen = turnsOf(zone);
  expect(seen.errors).toEqual([]);
  expect(seen.withoutMidnight).toBeGreaterThan(0);
  expect(seen.short).toBeGreaterThan(0);
  expect(seen.long).toBeGreaterThan(0);
});

interface Turns {
  readonly errors: string[];
  turns: number;
  short: number;
  long: number;
  withoutMidnight: number;
}

function turnsOf(zone: string): Turns {
  const found: Turns = { errors: [], turns: 0, short: 0, long: 0, withoutMidnight: 0 };
  let date = firstDate;
  let start = date.toZonedDateTime(zone);
  while (Temporal.PlainDate.compare(date, lastDate) <= 0) {
    const before = start.subtract({ milliseconds: 1 });
    const noon = date.toZonedDateTime({ timeZone: zone, plainTime: "12:00" });
    const computed = startOfDay(zone, date.toString());
    if (computed.getTime() !== start.epochMilliseconds) {
      found.errors.push(`${zone}: ${start.toString()} starts the day, not ${computed.toISOString()}`);
    }
    found.errors.push(...errorsAt(before, zone), ...errorsAt(start, zone));
    found.errors.push(...clockErrorsAt(noon, zone)); // the words are the day's, and the day is the start's

    const tomorrow = date.add({ days: 1 });
    const next = tomorrow.toZonedDateTime(zone);
    const hours = (next.epochMilliseconds - start.epochMilliseconds) / 3_600_000;
    if (hours === 23) found.short++;
    if (hours === 25) found.long++;
    if (start.hour !== 0) found.withoutMidnight++;
    found.turns++;
    date = tomorrow;
    start = next;
  }
  return found;
}

/** One line for each value that differs from Temporal's: date, offset and words. */
function errorsAt(moment: Temporal.ZonedDateTime, zone: string): string[] {
  const instant = new Date(moment.epochMilliseconds);
  const words = wordsOn(moment.toPlainDate()).flatMap(({ kind, key, word }) =>
    unlike(wordFor(kind, key, zone, instant), word, key, moment),
  );
  return [...clockErrorsAt(moment, zone), ...words];
}

function clockErrorsAt(moment: Temporal.ZonedDateTime, zone: string): string[] {
  const instant = new Date(moment.epochMilliseconds);
  const offset = moment.offsetNanoseconds / 3.6e12;
  return [
    ...unlike(localDate(zone, instant), moment.toPlainDate().toString(), "the date", moment),
    ...unlike(offsetHours(zone, instant), offset, "the offset", moment),
  ];
}

function unlike(computed: unknown, right: unknown, what: string, moment: Temporal.ZonedDateTime): string[] {
  if (computed === right) return [];
  return [`${moment.toString()}: ${what} is ${String(right)}, not ${String(computed)}`];
}

interface Word {
  readonly kind: PeriodKind;
  readonly key: string;
  readonly word: string | undefined;
}

const wordsByDate = new Map<string, Word[]>();

/** Expected words on a date, for the five nearest periods of each kind, independent of time zones. */
function wordsOn(today: Temporal.PlainDate): Word[] {
  const known = wordsByDate.get(today.toString());
  if (known !== undefined) return known;
  const words = periodKinds.flatMap((kind) => {
    const middle = kind === "daily" ? ["yesterday", "today", "tomorrow"] : ["prev", "current", "next"];
    return [undefined, ...middle, undefined].map((word, index) => ({
      kind,
      key: keyOn(kind, today, index - 2),
      word,
    }));
  });
  wordsByDate.set(today.toString(), words);
  return words;
}

function keyOn(kind: PeriodKind, today: Temporal.PlainDate, by: number): string {
  if (kind === "daily") return today.add({ days: by }).toString();
  if (kind === "weekly")
    return today
      .subtract({ days: today.dayOfWeek % 7 })
      .add({ weeks: by })
      .toString();
  if (kind === "monthly") return today.toPlainYearMonth().add({ months: by }).toString();
  return String(today.year + by);
}
