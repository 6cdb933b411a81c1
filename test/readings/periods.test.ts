// Days, weeks, months and years: their keys, their dates, and the service's words for them.
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import {
  addDays,
  dayNumber,
  isPeriodKey,
  periodKinds,
  periodOf,
  reachOf,
  seasonOf,
  shiftPeriod,
  spanOf,
  validity,
  wordFor,
  localDate,
} from "../../readings/calendar.ts";

const anyKind = fc.constantFrom(...periodKinds);
const anyZone = fc.constantFrom("UTC", ...Intl.supportedValuesOf("timeZone"));
// From 2012 on, no zone sets its clocks back over a midnight that has just passed, so intervals and words agree exactly.
const anyInstant = fc.date({ min: new Date("2012-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
const anyDate = anyInstant.map((instant) => instant.toISOString().slice(0, 10));
const steps = fc.integer({ min: -500, max: 500 });

/** 7 for a Sunday; undefined for no date. */
function dayOfWeek(date: string): number | undefined {
  try {
    return Temporal.PlainDate.from(date).dayOfWeek;
  } catch {
    return undefined;
  }
}

describe("dates", () => {
  it("counts days from 1970-01-01 and adds them over months, leap days and years", () => {
    expect(dayNumber("1970-01-01")).toBe(0);
    expect(dayNumber("2026-11-21")).toBe(20_778);
    expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
    expect(addDays("2028-03-01", -1)).toBe("2028-02-29");
    expect(addDays("2027-03-01", -1)).toBe("2027-02-28");
  });

  it("counts and adds as Temporal does", () => {
    fc.assert(
      fc.property(anyDate, steps, (date, days) => {
        expect(addDays(date, days)).toBe(Temporal.PlainDate.from(date).add({ days }).toString());
        expect(dayNumber(addDays(date, days)) - dayNumber(date)).toBe(days);
      }),
    );
  });

  it("refuses an invalid date", () => {
    expect(() => addDays("2026-02-30", 1)).toThrow('"2026-02-30" is not a date');
    expect(() => periodOf("monthly", "2026-13-01")).toThrow('"2026-13-01" is not a date');
  });

  it.each([
    ["2026-01-01", "2026-Q1"],
    ["2026-03-31", "2026-Q1"],
    ["2026-04-01", "2026-Q2"],
    ["2026-09-30", "2026-Q3"],
    ["2026-11-21", "2026-Q4"],
    ["2026-12-31", "2026-Q4"],
  ])("puts %s in the season %s", (date, season) => {
    expect(seasonOf(date)).toBe(season);
  });
});

describe("keys", () => {
  it.each([
    ["daily", "2026-11-21", "2026-11-21"],
    ["weekly", "2026-11-21", "2026-11-15"],
    ["weekly", "2026-11-22", "2026-11-22"],
    ["weekly", "2027-01-01", "2026-12-27"],
    ["weekly", "1969-12-31", "1969-12-28"],
    ["monthly", "2026-11-21", "2026-11"],
    ["yearly", "2026-11-21", "2026"],
  ] as const)("the %s period of %s is %s", (kind, date, key) => {
    expect(periodOf(kind, date)).toBe(key);
    expect(isPeriodKey(kind, key)).toBe(true);
  });

  it.each([
    ["daily", "2026-02-30"],
    ["daily", "2026-11"],
    ["daily", "2026-11-21 "],
    ["weekly", "2026-11-21"],
    ["weekly", "2026-11"],
    ["weekly", ""],
    ["monthly", "2026-13"],
    ["monthly", "2026-00"],
    ["monthly", "2026-1"],
    ["monthly", "2026-11-01"],
    ["monthly", "2026"],
    ["yearly", "26"],
    ["yearly", "02026"],
    ["yearly", "2026-01"],
    ["yearly", "constructor"],
  ] as const)("no %s period is called %j", (kind, text) => {
    expect(isPeriodKey(kind, text)).toBe(false);
  });

  it("says which key was wrong and what was expected", () => {
    expect(() => spanOf("weekly", "2026-11-21")).toThrow(
      '"2026-11-21" is not a weekly period: expected the Sunday that starts the week, such as 2026-11-15',
    );
    expect(() => shiftPeriod("monthly", "2026-11-21", 1)).toThrow("expected a month such as 2026-11");
  });

  it("accepts a key if Temporal accepts its date, and for a week only if it is a Sunday", () => {
    const twoDigits = (max: number) =>
      fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, "0"));
    const texts = fc.tuple(fc.integer({ min: 1000, max: 9999 }).map(String), twoDigits(13), twoDigits(32));
    fc.assert(
      fc.property(texts, (parts) => {
        const date = parts.join("-");
        expect(isPeriodKey("daily", date)).toBe(dayOfWeek(date) !== undefined);
        expect(isPeriodKey("weekly", date)).toBe(dayOfWeek(date) === 7);
        expect(isPeriodKey("monthly", date.slice(0, 7))).toBe(
          dayOfWeek(`${date.slice(0, 7)}-01`) !== undefined,
        );
        expect(isPeriodKey("yearly", date.slice(0, 4))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["weekly", "2026-12-27", 1, "2027-01-03"],
    ["monthly", "2026-01", -1, "2025-12"],
    ["monthly", "2026-11", 14, "2028-01"],
    ["yearly", "2026", -1, "2025"],
  ] as const)("shifts the %s %s by %i to %s", (kind, key, by, shifted) => {
    expect(shiftPeriod(kind, key, by)).toBe(shifted);
  });

  it("shifts there and back, one step at a time or at once", () => {
    fc.assert(
      fc.property(anyKind, anyDate, steps, steps, (kind, date, one, other) => {
        const key = periodOf(kind, date);
        const there = shiftPeriod(kind, key, one);
        expect(isPeriodKey(kind, there)).toBe(true);
        expect(shiftPeriod(kind, there, -one)).toBe(key);
        expect(shiftPeriod(kind, there, other)).toBe(shiftPeriod(kind, key, one + other));
      }),
    );
  });
});

describe("spans", () => {
  it.each([
    ["daily", "2026-11-21", "2026-11-21", "2026-11-21"],
    ["weekly", "2026-12-27", "2026-12-27", "2027-01-02"],
    ["monthly", "2028-02", "2028-02-01", "2028-02-29"],
    ["yearly", "2026", "2026-01-01", "2026-12-31"],
    ["yearly", "9999", "9999-01-01", "9999-12-31"],
  ] as const)("the %s %s runs from %s to %s", (kind, key, first, last) => {
    expect(spanOf(kind, key)).toEqual({ first, last });
  });

  it("put each date in one period, whose neighbour starts the day after its last", () => {
    fc.assert(
      fc.property(anyKind, anyDate, (kind, date) => {
        const key = periodOf(kind, date);
        const { first, last } = spanOf(kind, key);
        expect(first <= date && date <= last).toBe(true);
        expect([periodOf(kind, first), periodOf(kind, last)]).toEqual([key, key]);
        expect(spanOf(kind, shiftPeriod(kind, key, 1)).first).toBe(addDays(last, 1));
      }),
    );
  });
});

describe("words", () => {
  const noonInTokyo = new Date("2026-11-21T03:00:00Z"); // a Saturday

  it.each([
    ["daily", "2026-11-19", undefined],
    ["daily", "2026-11-20", "yesterday"],
    ["daily", "2026-11-21", "today"],
    ["daily", "2026-11-22", "tomorrow"],
    ["daily", "2026-11-23", undefined],
    ["weekly", "2026-11-08", "prev"],
    ["weekly", "2026-11-15", "current"],
    ["weekly", "2026-11-22", "next"],
    ["weekly", "2026-11-29", undefined],
    ["monthly", "2026-10", "prev"],
    ["monthly", "2026-11", "current"],
    ["monthly", "2026-12", "next"],
    ["monthly", "2025-11", undefined],
    ["yearly", "2025", "prev"],
    ["yearly", "2026", "current"],
    ["yearly", "2027", "next"],
    ["yearly", "2024", undefined],
  ] as const)("calls the %s %s %s on 2026-11-21", (kind, key, word) => {
    expect(wordFor(kind, key, "Asia/Tokyo", noonInTokyo)).toBe(word);
  });

  it("turns tomorrow into today at the zone's own midnight", () => {
    const midnight = new Date("2026-11-21T18:30:00Z").getTime();
    const words = [midnight - 1, midnight].map((timeMs) =>
      ["Asia/Kolkata", "Asia/Tokyo", "America/New_York"].map((zone) =>
        wordFor("daily", "2026-11-22", zone, new Date(timeMs)),
      ),
    );
    expect(words).toEqual([
      ["tomorrow", "today", "tomorrow"],
      ["today", "today", "tomorrow"],
    ]);
  });

  it("refuses an invalid key instead of calling it out of reach", () => {
    expect(() => wordFor("weekly", "2026-11-21", "Asia/Tokyo", noonInTokyo)).toThrow(
      "is not a weekly period",
    );
  });
});

describe("intervals", () => {
  it("reaches a day from the start of the day before it to the end of the day after it", () => {
    expect(reachOf("daily", "2027-04-30", "Africa/Cairo")).toEqual({
      from: new Date("2027-04-28T22:00:00Z"),
      until: new Date("2027-05-01T21:00:00Z"),
    });
  });

  it("lets a day of 23 hours hold for 23 hours, and one of 25 for 25", () => {
    expect(validity("daily", "2027-04-30", "Africa/Cairo")).toEqual({
      from: new Date("2027-04-29T22:00:00Z"),
      until: new Date("2027-04-30T21:00:00Z"),
    });
    expect(validity("daily", "2027-10-28", "Africa/Cairo")).toEqual({
      from: new Date("2027-10-27T21:00:00Z"),
      until: new Date("2027-10-28T22:00:00Z"),
    });
  });

  it("knows the years that four digits can write, to the last", () => {
    expect(reachOf("yearly", "9999", "UTC").until.getTime()).toBe(Date.UTC(10_001, 0, 1));
  });

  it("holds a period exactly while it is the current one, in every zone", () => {
    fc.assert(
      fc.property(anyKind, anyZone, anyInstant, (kind, zone, instant) => {
        const key = periodOf(kind, localDate(zone, instant));
        const { from, until } = validity(kind, key, zone);
        expect(from <= instant && instant < until).toBe(true);
        expect(until).toEqual(validity(kind, shiftPeriod(kind, key, 1), zone).from);
      }),
      { numRuns: 500 },
    );
  });

  it("reaches exactly as far as there is a word, in every zone", () => {
    const nearby = fc.integer({ min: -3, max: 3 });
    fc.assert(
      fc.property(anyKind, anyZone, anyInstant, nearby, (kind, zone, instant, by) => {
        const key = shiftPeriod(kind, periodOf(kind, localDate(zone, instant)), by);
        const { from, until } = reachOf(kind, key, zone);
        const edges = [from, until].flatMap((edge) => [-1, 0].map((ms) => new Date(edge.getTime() + ms)));
        for (const moment of [instant, ...edges]) {
          const inside = from <= moment && moment < until;
          expect(wordFor(kind, key, zone, moment) !== undefined).toBe(inside);
        }
      }),
      { numRuns: 500 },
    );
  });
});
