// Instants and local dates in a time zone, through Intl only: the same in a worker, a page and a workflow. Weeks, months and years
// are built on them.

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A zone's formatter, which costs a hundred times more to make than to use, and the offsets that it gave: a plan asks for
 * most of them three times. */
interface ZoneMemory {
  readonly formatter: Intl.DateTimeFormat;
  readonly offsetsMs: Map<number, number>;
}
const mostOffsets = 1_000;
const knownZones = new Map<string, ZoneMemory>();

/** True for a name such as `Asia/Kolkata`; a bare offset has no summer time and is no home zone. */
export function isZone(text: string): boolean {
  if (!/^[a-z]/i.test(text)) return false;
  try {
    knownZone(text);
    return true;
  } catch {
    return false;
  }
}

/** The zone's offset from UTC at an instant, as the service's `tzone` wants it: `5.5`, `5.75`, `-3.5`. */
export function offsetHours(zone: string, instant: Date): number {
  return offsetMs(zone, instant.getTime()) / hourMs;
}

/** The date on the zone's calendars at an instant: `2026-11-21`. */
export function localDate(zone: string, instant: Date): string {
  return dateAt(wallClock(zone, instant).getTime());
}

/** The zone's date and time at an instant, in the UTC fields of a Date, which is to be read field by field: it is no instant. */
function wallClock(zone: string, instant: Date): Date {
  const timeMs = instant.getTime();
  return new Date(timeMs + offsetMs(zone, timeMs));
}

/**
 * The first instant that has `date` in the zone: midnight, or what comes instead where clocks leap over it
 * (Cairo, Beirut). A date that the zone skipped whole (Apia's 2011-12-30) starts and ends where the next one starts.
 */
export function startOfDay(zone: string, date: string): Date {
  return firstInstantFrom(zone, utcMidnightMs(date));
}

/** The first instant at which the zone's clocks show this time or, in a gap, a later one; the time as if it were UTC. */
function firstInstantFrom(zone: string, wallMs: number): Date {
  // Every offset lies within a day of UTC, so these two stand on either side of a change at this time.
  const before = offsetMs(zone, wallMs - dayMs);
  const after = offsetMs(zone, wallMs + dayMs);
  let low = wallMs - Math.max(before, after);
  let high = wallMs - Math.min(before, after);
  if (low + offsetMs(zone, low) === wallMs) return new Date(low);
  // A change lies between the two: halve the span down to the millisecond at which the clocks get there.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (middle + offsetMs(zone, middle) < wallMs) low = middle;
    else high = middle;
  }
  return new Date(high);
}

/** Midnight UTC of a day of the calendar; undefined for 2026-02-30, which `Date` alone reads as 2 March. */
export function parseDate(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const midnight = new Date(text);
  return midnight.getUTCDate() === Number(text.slice(-2)) ? midnight : undefined;
}

export function utcMidnightMs(date: string): number {
  const midnight = parseDate(date);
  if (midnight !== undefined) return midnight.getTime();
  throw new RangeError(`"${date}" is not a date such as 2026-11-21`);
}

/** The UTC date at a time. */
export function dateAt(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, -"T00:00:00.000Z".length);
}

function offsetMs(zone: string, timeMs: number) {
  const { formatter, offsetsMs } = knownZone(zone);
  const known = offsetsMs.get(timeMs);
  if (known !== undefined) return known;
  const offset = parseOffset(formatter.format(timeMs));
  if (offsetsMs.size >= mostOffsets) offsetsMs.clear();
  offsetsMs.set(timeMs, offset);
  return offset;
}

/** Reads the end of a text such as `2026, GMT-03:30`; `GMT` alone is zero, and offsets of long ago have seconds. */
function parseOffset(text: string) {
  const offset = text.slice(text.indexOf("GMT") + 3);
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  const sizeMs = minutes * 60_000 + Number(offset.slice(7, 9)) * 1000;
  return offset.startsWith("-") ? -sizeMs : sizeMs;
}

function knownZone(zone: string) {
  const known = knownZones.get(zone);
  if (known !== undefined) return known;
  const options = { timeZone: zone, timeZoneName: "longOffset", year: "numeric" } as const;
  const fresh = {
    formatter: new Intl.DateTimeFormat("en-US", options),
    offsetsMs: new Map<number, number>(),
  };
  knownZones.set(zone, fresh);
  return fresh;
}

// The periods a horoscope is for: which one a date is in, its neighbours, its dates, and the service's word for it
// (`today`, `next`) at an instant in a zone. Dates are local ones, written `2026-11-21`.
export const periodKinds = ["daily", "weekly", "monthly", "yearly"] as const;
export type PeriodKind = (typeof periodKinds)[number];
export function isPeriodKind(text: string): text is PeriodKind {
  return periodKinds.some((kind) => kind === text);
}

export type PeriodWord = "yesterday" | "today" | "tomorrow" | "prev" | "current" | "next";

/** Instants from `from` on and before `until`. */
export interface Interval {
  readonly from: Date;
  readonly until: Date;
}

interface Rules {
  /** Numbers the periods without gaps, so that neighbours differ by one; reads the date off the UTC fields. */
  readonly numberOf: (date: Date) => number;
  /** From a period's number back to the UTC midnight of its first date. */
  readonly startMs: (period: number) => number;
  /** The end of the first date's text, which the key leaves out. */
  readonly rest: "" | "-01" | "-01-01";
  readonly words: readonly [PeriodWord, PeriodWord, PeriodWord];
  readonly example: string;
}

const otherWords = ["prev", "current", "next"] as const;
const calendar: Record<PeriodKind, Rules> = {
  daily: {
    numberOf: (date) => Math.floor(date.getTime() / dayMs),
    startMs: (period) => period * dayMs,
    rest: "",
    words: ["yesterday", "today", "tomorrow"],
    example: "a day such as 2026-11-21",
  },
  weekly: {
    numberOf: (date) => Math.floor((date.getTime() / dayMs + 4) / 7), // 1970-01-01 was a Thursday
    startMs: (period) => (period * 7 - 4) * dayMs,
    rest: "",
    words: otherWords,
    example: "the Sunday that starts the week, such as 2026-11-15",
  },
  monthly: {
    numberOf: (date) => date.getUTCFullYear() * 12 + date.getUTCMonth(),
    startMs: (period) => new Date(0).setUTCFullYear(0, period, 1),
    rest: "-01",
    words: otherWords,
    example: "a month such as 2026-11",
  },
  yearly: {
    numberOf: (date) => date.getUTCFullYear(),
    startMs: (period) => new Date(0).setUTCFullYear(period, 0, 1),
    rest: "-01-01",
    words: otherWords,
    example: "a year such as 2026",
  },
};

/** Days since 1970-01-01; refuses what is not a day of the calendar. */
export function dayNumber(date: string): number {
  return utcMidnightMs(date) / dayMs;
}

export function addDays(date: string, days: number): string {
  return dateAt(utcMidnightMs(date) + days * dayMs);
}

/** The key of the period a date is in: `2026-11-21`, the Sunday that starts the week, `2026-11` or `2026`. */
export function periodOf(kind: PeriodKind, date: string): string {
  return keyOf(kind, calendar[kind].numberOf(new Date(utcMidnightMs(date))));
}

/** Takes only a day of the calendar, a Sunday for a week, four digits for the year. */
export function isPeriodKey(kind: PeriodKind, text: string): boolean {
  return parseKey(kind, text) !== undefined;
}

/** The service's words for the previous, the current and the next period. */
export function periodWords(kind: PeriodKind): readonly string[] {
  return calendar[kind].words;
}

/** A sentence about a text that is no key of such a period. */
export function noPeriod(kind: PeriodKind, text: string): string {
  return `"${text}" is not a ${kind} period: expected ${calendar[kind].example}`;
}

/** The key of the period `by` periods later, or earlier when negative. */
export function shiftPeriod(kind: PeriodKind, key: string, by: number): string {
  return keyOf(kind, numberOfKey(kind, key) + by);
}

/** The first local date of a period. */
export function firstDayOf(kind: PeriodKind, key: string): string {
  return key + calendar[kind].rest;
}

/** The first and the last local date of a period. */
export function spanOf(kind: PeriodKind, key: string) {
  const period = numberOfKey(kind, key);
  return { first: firstDayOf(kind, key), last: dateAt(calendar[kind].startMs(period + 1) - dayMs) };
}

/** The service's word for this period at that instant; undefined if the period is out of reach. */
export function wordFor(kind: PeriodKind, key: string, zone: string, instant: Date): PeriodWord | undefined {
  const { numberOf, words } = calendar[kind];
  return words[numberOfKey(kind, key) - numberOf(wallClock(zone, instant)) + 1];
}

/**
 * When the service can give this period: the instants at which there is a word for it. (Up to 2011 a few zones set
 * their clocks back over a midnight just past; the old date's last minutes are not counted.)
 */
export function reachOf(kind: PeriodKind, key: string, zone: string): Interval {
  const period = numberOfKey(kind, key);
  return { from: startIn(zone, kind, period - 1), until: startIn(zone, kind, period + 2) };
}

/** The time in which a period is the current one in the zone. */
export function validity(kind: PeriodKind, key: string, zone: string): Interval {
  const period = numberOfKey(kind, key);
  return { from: startIn(zone, kind, period), until: startIn(zone, kind, period + 1) };
}

/** The calendar quarter a date is in, such as `2026-Q4`: how long the text for two signs holds. */
export function seasonOf(date: string): string {
  const month = new Date(utcMidnightMs(date)).getUTCMonth();
  return `${date.slice(0, "2026".length)}-Q${Math.floor(month / 3) + 1}`;
}

/** The season `by` seasons later, or earlier when negative. */
export function shiftSeason(season: string, by: number): string {
  const quarters = Number(season.slice(0, "2026".length)) * 4 + Number(season.slice(-1)) - 1 + by;
  return `${String(Math.floor(quarters / 4)).padStart(4, "0")}-Q${(quarters % 4) + 1}`;
}

/** `2026-10-01` for `2026-Q4`. */
export function startOfSeason(season: string): string {
  const month = Number(season.slice(-1)) * 3 - 2;
  return `${season.slice(0, 4)}-${String(month).padStart(2, "0")}-01`;
}

function startIn(zone: string, kind: PeriodKind, period: number) {
  return firstInstantFrom(zone, calendar[kind].startMs(period));
}

function numberOfKey(kind: PeriodKind, key: string) {
  const period = parseKey(kind, key);
  if (period !== undefined) return period;
  throw new RangeError(noPeriod(kind, key));
}

/** A key is good when its date is the first of its period. */
function parseKey(kind: PeriodKind, key: string) {
  const { numberOf, rest, startMs } = calendar[kind];
  const first = parseDate(key + rest);
  if (first === undefined) return undefined;
  const period = numberOf(first);
  return startMs(period) === first.getTime() ? period : undefined;
}

function keyOf(kind: PeriodKind, period: number) {
  const first = dateAt(calendar[kind].startMs(period));
  return first.slice(0, first.length - calendar[kind].rest.length);
}

// The one rule about clocks that run ahead. A date is not believed that begins long after a known instant: for a publish, the
// instant that a time source confirms (vault/time-source.ts); for published files, the reader's own time.
/** One nightly run a day reads a time source, and within that day every language's date turns once; two hours more are for a late night. */
export const mostAheadMs = 26 * 60 * 60_000;

export function liesAhead(date: string, zone: string, instant: Date): boolean {
  return startOfDay(zone, date).getTime() > instant.getTime() + mostAheadMs;
}

/** An instant as people read it: `2026-11-21 03:12 UTC`. */
export function utcMinute(instant: string | Date): string {
  return `${minuteOf(instant)} UTC`;
}

/** `2026-11-21 03:12`, if UTC is named next to it. */
export function minuteOf(instant: string | Date): string {
  const text = typeof instant === "string" ? instant : instant.toISOString();
  return text.slice(0, 16).replace("T", " ");
}
