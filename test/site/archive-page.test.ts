import { describe, expect, test } from "vitest";
import { languagesOf } from "../../readings/tables.ts";
import { Formats } from "../../site/formats.ts";
import { renderedIn, settings, textOf, renderLanguage } from "./editions.ts";

const home = { language: "en", zone: "America/New_York", date: "2026-11-21" } as const;

/** The archive page of Leo's month, if the site also has these paths. */
function archiveOf(
  others: readonly string[],
  language: "en" | "hi" | "ar" = "en",
  month = "2026-11",
): string {
  const around = { month, before: "2026-09", after: "2026-12" };
  const files = renderLanguage(
    { pastAlone: true, ...home, language, sets: [], months: [around] },
    settings,
    others,
  );
  expect(files).toHaveLength(12);
  return textOf(files, `${language}/archive/leo/${month}/index.html`);
}

const day = (date: string, language = "en") => `${language}/daily/leo/${date}/index.html`;
const cellsOf = (page: string) =>
  [...page.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell = ""]) => cell.replaceAll(/<[^>]*>/g, ""));

describe("a month of a sign's archive", () => {
  test("links to every existing day by its full date, and to no other", () => {
    const page = archiveOf([
      day("2026-11-03"),
      day("2026-11-30"),
      day("2026-12-01"),
      "en/daily/aries/2026-11-04/index.html",
    ]);
    const links = [...page.matchAll(/<td><a href="([^"]+)" aria-label="([^"]+)">([^<]+)<\/a>/g)];
    expect(links.map(([, href, label, text]) => [href, label, text])).toEqual([
      ["/en/daily/leo/2026-11-03/", "Tuesday, November 3, 2026", "3"],
      ["/en/daily/leo/2026-11-30/", "Monday, November 30, 2026", "30"],
    ]);
    expect(cellsOf(page).filter((text) => text !== "")).toHaveLength(30);
  });

  test("shows each day under its weekday, in weeks that start on the language's first day", () => {
    const english = archiveOf([]); // the first is a Sunday
    expect(english).toMatch(/<abbr title="Sunday">Sun<\/abbr><\/th>\s*<th scope="col"><abbr title="Monday">/);
    expect(cellsOf(english).slice(0, 7)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
    const arabic = archiveOf([], "ar"); // weeks from Saturday
    expect(cellsOf(arabic).slice(0, 3)).toEqual(["", "1", "2"]);
    for (const language of languagesOf("daily-horoscope")) {
      const days = new Formats(language, "UTC").weekdays();
      expect(new Set(days.map((one) => one.day))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
      expect(new Set(days.map(({ long }) => long)).size).toBe(7);
      expect(new Set(days.map(({ short }) => short)).size).toBe(7);
      for (let number = 1; number <= 28; number += 9) {
        const date = `2026-02-${String(number).padStart(2, "0")}`;
        const { long } = days.find((one) => one.day === new Date(date).getUTCDay()) ?? { long: "none" };
        const written = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
        expect(written.format(new Date(date))).toBe(long);
      }
    }
  });

  test("shortens weekday names so that seven fit on a phone in any script", () => {
    const brief = (language: "ta" | "hi" | "en") =>
      new Formats(language, "UTC").weekdays().map(({ short }) => short);
    expect(brief("ta").join(" ")).toBe("ஞா தி செ பு வி வெ ச");
    expect(brief("hi").join(" ")).toBe("र सो मं बु गु शु श");
    expect(brief("en").join(" ")).toBe("Sun Mon Tue Wed Thu Fri Sat"); // two of its letters are ambiguous
  });

  test("writes numbers in the language's digits", () => {
    expect(cellsOf(archiveOf([], "hi"))).toContain(new Formats("hi", "UTC").number(21));
    expect(textOf(renderedIn("bn"), "bn/archive/leo/2026-11/index.html")).toMatch(/<td>[^<]*২৪[^<]*<\/td>/);
  });

  test("lists the weeks that begin in it, the month and its year", () => {
    const others = [
      "en/weekly/leo/2026-11-15/index.html",
      "en/weekly/leo/2026-10-25/index.html",
      "en/monthly/leo/2026-11/index.html",
      "en/yearly/leo/2026/index.html",
    ];
    const page = archiveOf(others);
    expect(page).toContain('<a href="/en/weekly/leo/2026-11-15/">');
    expect(page).toContain('<a href="/en/monthly/leo/2026-11/">November 2026</a>');
    expect(page).not.toContain("2026-10-25");
    expect(page).toContain('<a href="/en/yearly/leo/2026/">2026</a>');
  });

  test("links to the nearest existing months, and every dated page links to its month", () => {
    const page = archiveOf(["en/archive/leo/2026-09/index.html"]);
    expect(page).toMatch(/rel="prev" href="\/en\/archive\/leo\/2026-09\/"/);
    expect(page).not.toContain('<a rel="next"');
    const files = renderedIn("en");
    for (const path of ["daily/leo", "daily/leo/2026-11-20", "weekly/leo", "monthly/leo/2026-11"])
      expect(textOf(files, `en/${path}/index.html`)).toContain('href="/en/archive/leo/2026-11/"');
    expect(textOf(files, "en/yearly/leo/index.html")).toContain('href="/en/archive/"');
  });
});
