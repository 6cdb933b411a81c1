import { expect, test } from "vitest";
import { languagesOf } from "../../readings/tables.ts";
import { labelsIn } from "../../site/labels.ts";
import {
  date,
  renderedIn,
  settings,
  textOf,
  wholeEdition,
  withReadings,
  renderLanguage,
} from "./editions.ts";

/** The links to other days and periods, with the one that is this page. */
function periodsOn(page: string): string[] {
  const [, nav = ""] = /<nav aria-label="Period">(.*?)<\/nav>/s.exec(page) ?? [];
  const links = [...nav.matchAll(/<a href="([^"]+)"( aria-current="page")?>([^<]+)<\/a>/g)];
  return links.map(([, href, here, word]) => `${word}${here === undefined ? "" : "!"} ${href}`);
}

const longer = ["Week /en/weekly/leo/", "Month /en/monthly/leo/", "Year /en/yearly/leo/"];

test("a sign's current page links to yesterday, today and the longer periods", () => {
  const files = renderedIn("en");
  const yesterday = "Yesterday /en/daily/leo/2026-11-20/";
  expect(periodsOn(textOf(files, "en/daily/leo/index.html"))).toEqual([
    yesterday,
    "Today! /en/daily/leo/",
    ...longer,
  ]);
  expect(periodsOn(textOf(files, "en/weekly/leo/index.html"))).toEqual([
    "Today /en/daily/leo/",
    "Week! /en/weekly/leo/",
    ...longer.slice(1),
  ]);
});

test("a past page says neither yesterday nor tomorrow, because it is not rendered again", () => {
  const past = textOf(renderedIn("en"), "en/daily/leo/2026-11-20/index.html");
  expect(periodsOn(past)).toEqual(["Today /en/daily/leo/", ...longer]);
});

test("tomorrow's page is linked if it is published, and marked as tomorrow's", () => {
  const edition = wholeEdition("en", ["daily-horoscope"]);
  const [today, before] = edition.sets;
  if (today === undefined || before === undefined) throw new Error("two sets were expected");
  const ahead = {
    ...today,
    period: "2026-11-22",
    current: false,
    readings: today.readings.map(({ reading, receivedAt }) => ({
      reading: { ...reading, period: "2026-11-22" },
      receivedAt,
    })),
  };
  const files = renderLanguage({ ...edition, sets: [ahead, today, before] }, settings);
  const days = [
    "Yesterday /en/daily/leo/2026-11-20/",
    "Today! /en/daily/leo/",
    "Tomorrow /en/daily/leo/2026-11-22/",
  ];
  expect(date).toBe("2026-11-21");
  expect(periodsOn(textOf(files, "en/daily/leo/index.html"))).toEqual(days);
  expect(periodsOn(textOf(files, "en/daily/leo/2026-11-22/index.html"))).toEqual([
    "Yesterday /en/daily/leo/2026-11-20/",
    "Today /en/daily/leo/",
    "Tomorrow! /en/daily/leo/2026-11-22/",
  ]);
});

test("the strip of signs stands before the text and names each sign in the page's language", () => {
  const page = textOf(renderedIn("ta"), "ta/daily/leo/index.html");
  const strip = page.indexOf('<ul class="strip">');
  expect(strip).toBeGreaterThan(page.indexOf("<main"));
  expect(strip).toBeLessThan(page.indexOf("<h1"));
  expect(page.slice(strip, page.indexOf("</ul>", strip))).toContain("சிம்மம்");
});

test("lists of luck use the commas of the page's language, whatever the service sends", () => {
  const edition = withReadings(wholeEdition("ar", ["daily-horoscope"]), (reading) =>
    reading.family === "horoscope"
      ? {
          ...reading,
          luck: [
            { kind: "numbers", label: "x", value: "7, 8，6" },
            { kind: "cosmicTip", label: "x", value: "one, two" },
          ],
        }
      : reading,
  );
  const page = textOf(renderLanguage(edition, settings), "ar/daily/leo/index.html");
  expect(page).toContain("<dd>7، 8، 6</dd>");
  expect(page).toContain("<dd>one, two</dd>");
});

test("luck is a score, and the heading of its colors differs", () => {
  for (const language of languagesOf("daily-horoscope")) {
    const page = textOf(renderedIn(language), `${language}/daily/leo/index.html`);
    expect(page).toContain(`<h2>${labelsIn(language).bringsLuck}</h2>`);
    expect(page).not.toContain(`<h2>${labelsIn(language).luck}</h2>`);
  }
});
