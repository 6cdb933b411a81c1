// Offsets, dates and starts of days in zones; calendar.test.ts walks the home zones day by day.
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import { languageNames, languages } from "../../readings/tables.ts";
import { isZone, localDate, offsetHours, parseDate, startOfDay } from "../../readings/calendar.ts";

const anyZone = fc.constantFrom("UTC", ...Intl.supportedValuesOf("timeZone"));
const anyInstant = fc.date({ min: new Date("1970-01-03"), max: new Date("2100-01-01"), noInvalidDate: true });
const anyDate = anyInstant.map((instant) => instant.toISOString().slice(0, 10));

describe("isZone", () => {
  it("knows every home zone", () => {
    expect(languageNames.filter((language) => !isZone(languages[language].zone))).toEqual([]);
  });

  it.each(["UTC", "Asia/Beirut", "Asia/Calcutta", "America/Argentina/Buenos_Aires"])("takes %s", (name) => {
    expect(isZone(name)).toBe(true);
  });

  it.each(["", "Mars/Olympus", "Asia/", "Asia/Kolkata ", "+05:30", "-3", "constructor", "Europe/Paris\n"])(
    "refuses %j",
    (name) => {
      expect(isZone(name)).toBe(false);
    },
  );
});

describe("offsetHours", () => {
  it.each([
    ["UTC", "2026-11-21T00:00:00Z", 0],
    ["Asia/Kolkata", "2026-11-21T00:00:00Z", 5.5],
    ["Asia/Kathmandu", "2026-11-21T00:00:00Z", 5.75],
    ["America/St_Johns", "2026-11-21T00:00:00Z", -3.5],
    ["America/St_Johns", "2026-07-01T00:00:00Z", -2.5],
    ["Pacific/Chatham", "2026-11-21T00:00:00Z", 13.75],
    ["Australia/Lord_Howe", "2026-11-21T00:00:00Z", 11],
    ["Australia/Lord_Howe", "2026-07-01T00:00:00Z", 10.5],
    ["Pacific/Kiritimati", "2026-11-21T00:00:00Z", 14],
    ["America/Sao_Paulo", "2026-01-15T00:00:00Z", -3],
    ["Africa/Monrovia", "1971-01-01T00:00:00Z", -(44 * 60 + 30) / 3600],
  ])("keeps the fraction: %s at %s is %d", (zone, instant, hours) => {
    expect(offsetHours(zone, new Date(instant))).toBe(hours);
  });

  // Taken from the laws, not computed.
  it.each([
    ["America/New_York", "2027-03-14T07:00:00Z", -5, -4],
    ["America/New_York", "2026-11-01T06:00:00Z", -4, -5],
    ["Europe/Berlin", "2027-03-28T01:00:00Z", 1, 2],
    ["Europe/Kyiv", "2027-10-31T01:00:00Z", 3, 2],
    ["Africa/Cairo", "2027-04-29T22:00:00Z", 2, 3],
    ["Africa/Cairo", "2027-10-28T21:00:00Z", 3, 2],
    ["Asia/Beirut", "2027-03-27T22:00:00Z", 2, 3],
  ])("changes in %s at %s, not a millisecond before", (zone, change, before, after) => {
    const instant = new Date(change);
    expect(offsetHours(zone, new Date(instant.getTime() - 1))).toBe(before);
    expect(offsetHours(zone, instant)).toBe(after);
  });

  it("agrees with Temporal in every zone, in whatever order zones and instants are asked", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyZone, anyInstant), { maxLength: 6 }), (asked) => {
        for (const [zone, instant] of [...asked, ...asked.toReversed()]) {
          const right = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone);
          expect(offsetHours(zone, instant)).toBe(right.offsetNanoseconds / 3.6e12);
          expect(localDate(zone, instant)).toBe(right.toPlainDate().toString());
        }
      }),
    );
  });
});

describe("localDate", () => {
  it.each([
    ["Asia/Tokyo", "2026-11-21T14:59:59.999Z", "2026-11-21"],
    ["Asia/Tokyo", "2026-11-21T15:00:00.000Z", "2026-11-22"],
    ["Asia/Kolkata", "2026-12-31T18:30:00.000Z", "2027-01-01"],
    ["America/New_York", "2026-11-22T04:59:59.999Z", "2026-11-21"],
    ["Pacific/Kiritimati", "2026-11-21T10:00:00.000Z", "2026-11-22"],
    ["Pacific/Pago_Pago", "2026-11-21T10:59:59.999Z", "2026-11-20"],
    ["Africa/Cairo", "2027-10-28T21:00:00.000Z", "2027-10-28"],
  ])("in %s at %s is %s", (zone, instant, date) => {
    expect(localDate(zone, new Date(instant))).toBe(date);
  });
});

describe("startOfDay", () => {
  it.each([
    ["a plain midnight", "Asia/Tokyo", "2026-11-21", "2026-11-20T15:00:00.000Z"],
    ["a midnight leapt over", "Africa/Cairo", "2027-04-30", "2027-04-29T22:00:00.000Z"],
    ["a midnight leapt over", "Asia/Beirut", "2027-03-28", "2027-03-27T22:00:00.000Z"],
    ["a midnight leapt over", "America/Asuncion", "2023-10-01", "2023-10-01T04:00:00.000Z"],
    ["a midnight leapt over", "America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"],
    ["a leap that begins before midnight", "America/Toronto", "1919-03-31", "1919-03-31T04:30:00.000Z"],
    ["clocks set back to 23:00 at midnight", "Africa/Cairo", "2027-10-29", "2027-10-28T22:00:00.000Z"],
    ["a midnight that comes twice", "America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z"],
    ["a midnight that comes twice", "America/St_Johns", "2010-11-07", "2010-11-07T02:30:00.000Z"],
    ["a day that was skipped", "Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"],
    ["the day after it", "Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00.000Z"],
    ["a day that was skipped", "Pacific/Kwajalein", "1993-08-21", "1993-08-21T12:00:00.000Z"],
  ])("finds %s: %s, %s", (_what, zone, date, start) => {
    expect(startOfDay(zone, date).toISOString()).toBe(start);
  });

  it("agrees with Temporal in every zone", () => {
    fc.assert(
      fc.property(anyZone, anyDate, (zone, date) => {
        const right = Temporal.PlainDate.from(date).toZonedDateTime(zone);
        expect(startOfDay(zone, date).getTime()).toBe(right.epochMilliseconds);
      }),
      { numRuns: 1000 },
    );
  });

  it("is the first instant of its date, and a millisecond before it is an earlier date", () => {
    fc.assert(
      fc.property(anyZone, anyDate, (zone, date) => {
        const start = startOfDay(zone, date);
        expect(localDate(zone, start) >= date).toBe(true);
        expect(localDate(zone, new Date(start.getTime() - 1)) < date).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("refuses what is no date, and says what it expected", () => {
    expect(() => startOfDay("Asia/Tokyo", "2026-02-30")).toThrow(
      '"2026-02-30" is not a date such as 2026-11-21',
    );
  });
});

describe("parseDate", () => {
  const wrong = [
    "",
    "2026",
    "2026-11",
    "2026-2-3",
    "2027-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-11-00",
    "20261121",
  ];

  it.each([
    ...wrong,
    "2026-11-21T00:00:00Z",
    "2026-11-21 00:21",
    " 2026-11-21",
    "2026-11-21\n",
    "+002026-11-21",
    "21/11/2026",
  ])("gives nothing for %j", (text) => {
    expect(parseDate(text)).toBeUndefined();
  });

  it("reads every date at its midnight UTC", () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        expect(parseDate(date)).toEqual(new Date(`${date}T00:00:00.000Z`));
      }),
    );
  });
});
