// Instants and local dates in a time zone, through Intl alone: the same in a worker, a page and a workflow.
// readings/periods.ts builds weeks, months and years on it.

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

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
export function wallClock(zone: string, instant: Date): Date {
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
export function firstInstantFrom(zone: string, wallMs: number): Date {
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
