import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languageNames } from "../../readings/tables.ts";
import { addDays } from "../../readings/calendar.ts";
import { Formats } from "../../site/formats.ts";
import { moonAge, moonPath, sunLongitude } from "../../site/pages/drawings.ts";
import { opening } from "../../site/pages/page.ts";

describe("periods are written as the language writes them", () => {
  test.each([
    ["en", "Saturday, November 21, 2026", "November 2026"],
    ["de", "Samstag, 21. November 2026", "November 2026"],
    ["fr", "Samedi 21 novembre 2026", "Novembre 2026"],
    ["hi", "शनिवार, 21 नवंबर 2026", "नवंबर 2026"],
    ["mr", "शनिवार, २१ नोव्हेंबर, २०२६", "नोव्हेंबर २०२६"],
    ["zh", "2026年11月21日星期六", "2026年11月"],
    ["ar", "السبت، 21 نوفمبر 2026", "نوفمبر 2026"],
    ["tr", "21 Kasım 2026 Cumartesi", "Kasım 2026"],
  ] as const)("in %s", (language, day, month) => {
    const formats = new Formats(language, "UTC");
    expect(formats.period("daily", "2026-11-21")).toBe(day);
    expect(formats.period("monthly", "2026-11")).toBe(month);
    expect(formats.period("yearly", "2026")).toContain(formats.number(2026));
  });

  test("a week names both its ends", () => {
    expect(new Formats("en", "UTC").period("weekly", "2026-11-29")).toMatch(
      /^November 29\s–\sDecember 5, 2026$/u,
    );
  });

  test.each([
    ["zh", "2026年11月8日至14日", "2026年11月29日至12月5日", "2026年12月27日至2027年1月2日"],
    ["ja", "2026年11月8日～14日", "2026年11月29日～12月5日", "2026年12月27日～2027年1月2日"],
    [
      "it",
      "8–14 novembre 2026",
      "29 novembre\u2009–\u20095 dicembre 2026",
      "27 dicembre 2026\u2009–\u20092 gennaio 2027",
    ],
    ["kn", "ನವೆಂಬರ್ 8–14, 2026", "29 ನವೆಂಬರ್ – 5 ಡಿಸೆಂಬರ್, 2026", "27, ಡಿಸೆಂಬರ್, 2026 – 2, ಜನವರಿ, 2027"],
  ] as const)("a range is no row of figures in %s", (language, ...expected) => {
    const weeks = [
      ["2026-11-08", "2026-11-14"],
      ["2026-11-29", "2026-12-05"],
      ["2026-12-27", "2027-01-02"],
    ] as const;
    const written = weeks.map(([first, last]) => new Formats(language, "UTC").range(first, last));
    expect(written).toEqual(expected);
  });

  test("a sign that goes over the year's end names two months and no year, and each date stays in one line", () => {
    expect(new Formats("en", "UTC").sunDates("capricorn")).toBe("Dec\u00A022 – Jan\u00A019");
  });
});

describe("the beginning of a text", () => {
  test("is whole sentences where they fit, in every script's punctuation", () => {
    expect(opening("en", "One day. Another day. A third one that is long.", 24)).toBe(
      "One day. Another day.",
    );
    expect(opening("hi", "पहला वाक्य है। दूसरा वाक्य इससे कहीं अधिक लंबा है।", 20)).toBe("पहला वाक्य है।");
    expect(opening("zh", "今天很好。明天也会很好，后天更好。", 14)).toBe("今天很好。");
    expect(opening("en", "At 7.30 you wake. Then nothing happens at all.", 20)).toBe("At 7.30 you wake.");
  });

  test("is whole words with an ellipsis where no sentence fits", () => {
    expect(opening("en", "A sentence that goes on and on without an end", 20)).toBe("A sentence that goes…");
    // Blanks before it are no beginning.
    expect(opening("en", `${"\u00A0".repeat(500)}The end.`, 20)).toBe("The end.");
  });

  test("is never longer than asked, never half a character, and the whole text when that is short enough", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 4, max: 80 }), (text, most) => {
        const start = opening("en", text, most);
        expect(start.length).toBeLessThanOrEqual(most + 1);
        expect(start.isWellFormed() || !text.isWellFormed()).toBe(true);
        expect(start === text.trim() || text.trim().length > most).toBe(true);
      }),
    );
  });
});

describe("the sky", () => {
  test("has the sun in the first point of Aries at the equinox and in Cancer at the solstice", () => {
    expect(Math.abs(((sunLongitude("2026-03-20") + 180) % 360) - 180)).toBeLessThan(1.5);
    expect(Math.abs(sunLongitude("2026-06-21") - 90)).toBeLessThan(1.5);
  });

  test("has new and full moons within a day of those of 2026", () => {
    for (const [date, age] of [
      ["2026-01-03", 0.5],
      ["2026-02-17", 0],
      ["2026-08-12", 0],
      ["2026-11-24", 0.5],
      ["2026-12-09", 0],
    ] as const) {
      const off = Math.abs(((moonAge(date) - age + 1.5) % 1) - 0.5);
      expect([date, off * 29.53 < 1]).toEqual([date, true]);
    }
  });

  test("can be drawn on every day", () => {
    for (let day = 0; day < 400; day += 1) {
      expect(moonPath(addDays("2026-01-01", day), 10)).toMatch(
        /^M0 -10A10 10 0 0 [01] 0 10A[\d.]+ 10 0 0 [01] 0 -10Z$/,
      );
    }
  });
});

test("numbers have the language's digits and sign", () => {
  expect(new Formats("bn", "UTC").percent(72)).toBe("৭২%");
  expect(new Formats("tr", "UTC").percent(72)).toBe("%72");
  expect(new Formats("el", "UTC").number(7.4)).toBe("7,4");
  for (const language of languageNames) expect(new Formats(language, "UTC").percent(5)).toMatch(/\p{Nd}/u);
});
