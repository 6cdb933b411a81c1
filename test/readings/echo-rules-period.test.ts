import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { periodNamedBy } from "../../readings/rules/echo-rules.ts";
import { languageNames, languagesOf } from "../../readings/tables.ts";
import { addDays, periodOf, shiftPeriod, spanOf } from "../../readings/calendar.ts";
import { cardRequest, horoscopeData, horoscopeRequest, judge, verdictOn } from "../support/answers.ts";
import { anyText } from "../support/any-text.ts";
import { sandboxProse } from "../support/prose.ts";
import { deep } from "../support/deep.ts";

const daily = (said: string, requested: string) => periodNamedBy(said, requested, "daily-horoscope", "en");
const weekly = (said: string, requested: string) => periodNamedBy(said, requested, "weekly-horoscope", "en");
const monthly = (said: string, requested: string) =>
  periodNamedBy(said, requested, "monthly-horoscope", "en");
const yearly = (said: string, requested: string) => periodNamedBy(said, requested, "yearly-horoscope", "en");
const utc = (date: string) => new Date(`${date}T00:00:00Z`);

describe("a day", () => {
  it.each([
    "2026-11-21",
    " 2026-11-21\r\n",
    "2026-11-21T00:00:00.000Z",
    "2026/11/21",
    "2026.11.21",
    "21.11.2026",
    "21. 11. 2026",
    "21/11/2026",
    "11/21/2026",
    "21 Nov 2026",
    "21st November, 2026",
    "Saturday, November 21, 2026",
    "SAT, NOV 21 2026",
    "２０２６年１１月２１日",
    "२०२६-११-२१",
    "𝟚𝟘𝟚𝟞-𝟙𝟙-𝟚𝟙",
    "2026. november 21.",
  ])("is named by %j", (said) => {
    expect(daily(said, "2026-11-21")).toBe("named");
    expect(daily(said, "2026-11-20")).toBe("another");
    expect(daily(said, "2025-11-21")).toBe("another");
  });

  it("may be read either way if day and month are ambiguous", () => {
    expect(daily("05/04/2026", "2026-04-05")).toBe("named");
    expect(daily("05/04/2026", "2026-05-04")).toBe("named");
    expect(daily("05/04/2026", "2026-04-06")).toBe("another");
  });

  it("is not named by two days, nor by an incomplete date", () => {
    expect(daily("2026-11-21 - 2026-11-22", "2026-11-21")).toBe("another");
    for (const said of ["", "today", "21 Nov", "2026", "Nov 2026", "21/11/26", "2026-11-211", "null"]) {
      expect(daily(said, "2026-11-21")).toBe("unreadable");
    }
  });
});

describe("a week", () => {
  it.each([
    "15 Nov 2026 to 21 Nov 2026",
    "15 November 2026 - 21 November 2026",
    "November 15, 2026 – November 21, 2026",
    "2026-11-15 to 2026-11-21",
    "2026-11-15/2026-11-21",
    "15.11.2026 - 21.11.2026",
    "15. 11. 2026 - 21. 11. 2026",
    "15/11/2026-21/11/2026",
    "15 Nov to 21 Nov 2026",
    "15 - 21 Nov 2026",
    "November 15 – 21, 2026",
    "2026-11-15",
  ])("is named by %j", (said) => {
    expect(weekly(said, "2026-11-15")).toBe("named");
    expect(weekly(said, "2026-11-08")).toBe("another");
    expect(weekly(said, "2026-11-22")).toBe("another");
  });

  it("is not named by a week from Monday on, nor by its ends the wrong way round", () => {
    expect(weekly("16 Nov 2026 to 22 Nov 2026", "2026-11-15")).toBe("another");
    expect(weekly("21 Nov 2026 to 15 Nov 2026", "2026-11-15")).toBe("another");
    expect(weekly("15 Nov 2026 to 28 Nov 2026", "2026-11-15")).toBe("another");
  });

  it("may begin in one year and end in the next", () => {
    for (const said of [
      "27 Dec 2026 to 2 Jan 2027",
      "December 27, 2026 - January 2, 2027",
      "2026. december 27. – 2027. január 2.",
      "27. 12. 2026 - 02. 01. 2027",
    ]) {
      expect(periodNamedBy(said, "2026-12-27", "weekly-horoscope", "hu")).toBe("named");
    }
  });
});

describe("a month and a year", () => {
  it.each(["November 2026", "nov. 2026", "2026-11", "11/2026", "2026年11月", "1 – 30 November 2026"])(
    "are named by %j",
    (said) => {
      expect(monthly(said, "2026-11")).toBe("named");
      expect(monthly(said, "2026-10")).toBe("another");
      expect(monthly(said, "2025-11")).toBe("another");
    },
  );

  it("are not named by two of them", () => {
    expect(monthly("October - November 2026", "2026-10")).toBe("another");
    expect(yearly("2026 - 2027", "2026")).toBe("another");
  });

  it.each(["2026", " 2026 ", "Year 2026", "२०२६", "2026年", "1 Jan 2026 to 31 Dec 2026"])(
    "a year is named by %j",
    (said) => {
      expect(yearly(said, "2026")).toBe("named");
      expect(yearly(said, "2025")).toBe("another");
    },
  );
});

describe.each(languagesOf("daily-horoscope"))("in %s, as Intl writes it,", (language) => {
  const dates = Array.from({ length: 366 }, (_, index) => addDays("2026-01-01", index));
  const written = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone: "UTC", ...options });

  test("every day is read in every style, and never as an adjacent day", () => {
    for (const dateStyle of ["medium", "long", "full"] as const) {
      const format = written({ dateStyle });
      for (const date of dates) {
        const said = format.format(utc(date));
        expect(`${said}: ${periodNamedBy(said, date, "daily-horoscope", language)}`).toBe(`${said}: named`);
        expect(periodNamedBy(said, addDays(date, 1), "daily-horoscope", language)).toBe("another");
      }
    }
  });

  test("every week is read, and never as an adjacent week", () => {
    for (const dateStyle of ["medium", "long"] as const) {
      const format = written({ dateStyle });
      for (const week of new Set(dates.map((date) => periodOf("weekly", date)))) {
        const { first, last } = spanOf("weekly", week);
        for (const between of [" to ", " - ", " – "]) {
          const said = `${format.format(utc(first))}${between}${format.format(utc(last))}`;
          const verdict = periodNamedBy(said, week, "weekly-horoscope", language);
          expect(`${said}: ${verdict}`).toBe(`${said}: named`);
          const next = shiftPeriod("weekly", week, 1);
          expect(periodNamedBy(said, next, "weekly-horoscope", language)).toBe("another");
        }
      }
    }
  });

  test("every month is read, and never as an adjacent month", () => {
    for (const month of ["long", "short", "numeric"] as const) {
      const format = written({ year: "numeric", month });
      for (const requested of new Set(dates.map((date) => periodOf("monthly", date)))) {
        const said = format.format(utc(`${requested}-15`));
        const verdict = periodNamedBy(said, requested, "monthly-horoscope", language);
        expect(`${said}: ${verdict}`).toBe(`${said}: named`);
        const next = shiftPeriod("monthly", requested, 1);
        expect(periodNamedBy(said, next, "monthly-horoscope", language)).toBe("another");
      }
    }
  });
});

describe('rule "period"', () => {
  it("refuses another day in any language and names both", () => {
    for (const language of languagesOf("daily-horoscope")) {
      const data = horoscopeData(sandboxProse(language), { date: "2026-11-20" });
      expect(verdictOn(horoscopeRequest(language), data)).toBe(
        "Unfit period: requested 2026-11-21, but date is “2026-11-20”",
      );
    }
  });

  it("refuses an unreadable period in English, and only notes it if it may be a translation", () => {
    const english = horoscopeData(sandboxProse("en"), { date: "today" });
    expect(verdictOn(horoscopeRequest("en"), english)).toMatch(/^Unfit period: .*which cannot be parsed/);
    const german = horoscopeData(sandboxProse("de"), { date: "heute" });
    expect(judge(horoscopeRequest("de"), german).notes).toContain(
      "period: requested 2026-11-21, but date is “heute”, which cannot be parsed",
    );
  });

  it("skips cards, which name no period", () => {
    const data = { prediction: { card: "A", result: sandboxProse("en")[0], date: "1999-01-01" } };
    expect(verdictOn(cardRequest("en"), data)).toBe("reading");
  });
});

it("never throws, whatever the text", () => {
  const operations = [
    "daily-horoscope",
    "weekly-horoscope",
    "monthly-horoscope",
    "yearly-horoscope",
  ] as const;
  const requested = { "daily-horoscope": "2026-11-21", "weekly-horoscope": "2026-11-15" };
  const text = fc.oneof(anyText(), fc.stringMatching(/^[\d\-/. a-zN年月日]{0,30}$/u));
  fc.assert(
    fc.property(
      text,
      fc.constantFrom(...operations),
      fc.constantFrom(...languageNames),
      (said, operation, language) => {
        const period = { "monthly-horoscope": "2026-11", "yearly-horoscope": "2026", ...requested }[
          operation
        ];
        expect(["named", "another", "unreadable"]).toContain(
          periodNamedBy(said, period, operation, language),
        );
      },
    ),
    { numRuns: deep ? 2_000 : 500 },
  );
});
