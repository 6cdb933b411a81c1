import { describe, expect, test } from "vitest";
import { type Language, languageNames } from "../../readings/tables.ts";
import type { Alternates } from "../../site/context.ts";
import { renderedIn, settings, textOf, wholeEdition, renderLanguage } from "./editions.ts";

const edition = wholeEdition("ta", ["daily-horoscope", "daily-tarot", "love-compatibility"]);
const having = (pages: Readonly<Record<string, readonly Language[]>>): Alternates =>
  new Map(
    Object.entries(pages).map(([page, all]) => [page, new Map(all.map((language) => [language, true]))]),
  );
const alternates = having({
  "index.html": ["en", "ar", "gu"],
  "daily/leo/index.html": ["en", "ar"],
  "archive/index.html": ["en", "ar"],
});
const files = renderLanguage(edition, settings, [], alternates);

/** Targets of a page's menu, by language. */
function menuOn(page: string): Record<string, string> {
  const [, menu = ""] = /<details class="languages-of">(.*?)<\/details>/s.exec(page) ?? [];
  const links = [...menu.matchAll(/<a href="([^"]+)" lang="([^"]+)" hreflang="\2">[^<]+<\/a>/g)];
  return Object.fromEntries(links.map(([, href, language]) => [language, href]));
}

describe("the language menu", () => {
  test("links to the same page in each language that has it, and otherwise to the front page", () => {
    expect(menuOn(textOf(files, "ta/daily/leo/index.html"))).toEqual({
      en: "/en/daily/leo/",
      ar: "/ar/daily/leo/",
      gu: "/gu/",
    });
    expect(menuOn(textOf(files, "ta/index.html"))).toEqual({ en: "/en/", ar: "/ar/", gu: "/gu/" });
    expect(menuOn(textOf(files, "ta/about/index.html"))).toEqual({ en: "/en/", ar: "/ar/", gu: "/gu/" });
  });

  test("of a dated page of today links to today's text in other languages", () => {
    expect(menuOn(textOf(files, "ta/daily/leo/2026-11-21/index.html"))["ar"]).toBe("/ar/daily/leo/");
  });

  test("is a link to the choice of a language on past pages, which stay as they are when a language is removed", () => {
    const page = textOf(files, "ta/daily/leo/2026-11-20/index.html");
    expect(menuOn(page)).toEqual({});
    expect(page).toMatch(/<p class="languages-of"><a href="\/">/);
    expect(page).not.toContain('href="/ta/love-compatibility/"');
  });

  test("has the address of a site under a path of its own", () => {
    const under = renderLanguage(
      edition,
      { ...settings, url: "https://almanac.example/stars" },
      [],
      alternates,
    );
    expect(menuOn(textOf(under, "ta/daily/leo/index.html"))["gu"]).toBe("/stars/gu/");
  });

  test("is absent on a site with one language", () => {
    const pages = renderedIn("ta").filter(({ path }) => path.endsWith("index.html"));
    const withOne = pages.filter(({ path }) => textOf(renderedIn("ta"), path).includes('languages-of"'));
    expect(withOne).toEqual([]);
  });
});

test("front pages have different titles, which say more than the site's name", () => {
  const titles = languageNames.map(
    (language) => /<title>(.*?)<\/title>/.exec(textOf(renderedIn(language), `${language}/index.html`))?.[1],
  );
  expect(new Set(titles).size).toBe(languageNames.length);
  expect(titles.filter((title) => title === settings.name)).toEqual([]);
  expect(titles[0]).toBe("Horoscopes and cards, day by day · Almanac");
});

test("no two indexed pages of a night share a title", () => {
  const pages = renderedIn("en").filter(
    ({ path, at, type }) =>
      type.startsWith("text/html") &&
      at.row !== "datedPage" &&
      at.row !== "embed" &&
      !path.includes("newsletter"),
  );
  const byTitle = Map.groupBy(
    pages,
    ({ path }) => /<title>(.*?)<\/title>/.exec(textOf(renderedIn("en"), path))?.[1],
  );
  const twice = [...byTitle].filter(([, all]) => all.length > 1).map(([title]) => title);
  expect(twice).toEqual([]);
});
