import { expect, test } from "vitest";
import { Formats } from "../../site/formats.ts";
import { labelsIn } from "../../site/labels.ts";
import type { RenderedFile } from "../../site/edition.ts";
import { linksIn } from "../publish/support/published-site.ts";
import { date, renderedIn, renderLanguage, settings, textOf, wholeEdition } from "./editions.ts";
import { kindOf, oneOfEachKind, pagesIn, siteIn, textOfPage } from "./kinds.ts";

const site = siteIn(["en", "ta"]);

/** The links at the end of a page, each with its words. */
function stepsOn(page: string): { path: string | undefined; words: string }[] {
  const [, list = ""] = /<nav class="next".*?<ul>(.*?)<\/ul>/s.exec(page) ?? [];
  return [...list.matchAll(/<a .*?<\/a>/gs)].map(([link]) => {
    const words = link.replaceAll(/<\/small>/g, ": ").replaceAll(/<[^>]+>/g, "");
    return { path: linksIn(link)[0], words };
  });
}

function stepsAt(path: string): string[] {
  return stepsOn(textOf(renderedIn("en"), path)).map(({ words, path: to }) => `${words} -> ${to}`);
}

/** The pages without a language lead to each language, and a card for a frame to its page. */
const hasNoSteps = new Set([
  "index.html",
  "status/index.html",
  "404.html",
  "{language}/embed/{sign}/index.html",
]);

test("every kind of page ends with steps to published pages, and so does each page that they lead to", () => {
  for (const language of ["en", "ta"] as const) {
    const left = oneOfEachKind(site, language).filter(({ path }) => !hasNoSteps.has(kindOf(path)));
    const seen = new Set(left.map(({ path }) => path));
    for (let page = left.pop(); page !== undefined; page = left.pop()) {
      const text = textOfPage(page);
      const paths = stepsOn(text).flatMap(({ path }) => path ?? []);
      expect([page.path, paths.length >= 3]).toEqual([page.path, true]);
      expect(paths).not.toContain(page.path);
      expect(new Set(paths).size).toBe(paths.length);
      expect(text).toMatch(/<\/ul>\s*<\/nav>\s*(?:<script>[^<]*<\/script>)?\s*<\/main>/);
      for (const path of paths) {
        const next = site.get(path);
        if (next === undefined) throw new Error(`${page.path} leads to ${path}, which is not published`);
        if (!seen.has(path)) left.push(next);
        seen.add(path);
      }
    }
  }
  const kinds = new Set(pagesIn(site).map(({ path }) => kindOf(path)));
  expect([...hasNoSteps].filter((kind) => !kinds.has(kind))).toEqual([]);
});

test("a sign's day leads to its week, the card of the day, its pairs, the next sign and its month", () => {
  expect(stepsAt("en/daily/leo/index.html")).toEqual([
    "Weekly horoscope: Leo -> en/weekly/leo/index.html",
    "Cards of the day: Daily tarot -> en/daily-tarot/index.html",
    "Love compatibility: Leo -> en/love-compatibility/leo/index.html",
    "Daily horoscope: Virgo -> en/daily/virgo/index.html",
    "Archive: November 2026 -> en/archive/leo/2026-11/index.html",
  ]);
  expect(stepsAt("en/yearly/pisces/index.html").slice(-2)).toEqual([
    "Yearly horoscope: Aries -> en/yearly/aries/index.html",
    "Archive -> en/archive/index.html",
  ]);
});

test("a page of a past date leads only to pages that no change of the configuration removes", () => {
  expect(stepsAt("en/daily/leo/2026-11-20/index.html")).toEqual([
    "Daily horoscope: Leo -> en/daily/leo/index.html",
    "Weekly horoscope: Leo -> en/weekly/leo/index.html",
    "Daily horoscope: Virgo -> en/daily/virgo/2026-11-20/index.html",
    "Archive: November 2026 -> en/archive/leo/2026-11/index.html",
  ]);
});

test("a current page names the date of its next edition until that is published", () => {
  const later = (path: string) =>
    /<p class="later"><small>Next edition<\/small>([^<]+)/.exec(textOf(renderedIn("en"), path))?.[1];
  expect(later("en/daily/leo/index.html")).toBe("Sunday, November 22, 2026");
  expect(later("en/weekly/leo/index.html")).toBe(new Formats("en", "UTC").period("weekly", "2026-11-22"));
  expect(later("en/daily-tarot/index.html")).toBe("Sunday, November 22, 2026");
  const edition = wholeEdition("en", ["daily-horoscope"]);
  const past = { ...edition, sets: edition.sets.filter(({ current }) => !current) };
  expect(textOf(renderLanguage(past, settings), "en/daily/leo/2026-11-20/index.html")).not.toContain(
    'class="later"',
  );
  const others = ["en/daily/leo/2026-11-22/index.html"];
  const page = textOf(renderLanguage(edition, settings, others), "en/daily/leo/index.html");
  expect(page).not.toContain('class="later"');
  expect(page).toMatch(/rel="next" href="\/en\/daily\/leo\/2026-11-22\/"\s*><small>Tomorrow ›/);
});

test("on the next date, a page with the same readings is the same, apart from front pages and pages of the day", () => {
  const edition = wholeEdition("en");
  const nextWeek = ["en/weekly/leo/2026-11-22/index.html"];
  const today = new Map(renderLanguage(edition, settings, nextWeek).map((file) => [file.path, file]));
  expect(date).toBe("2026-11-21");
  const tomorrow = renderLanguage({ ...edition, date: "2026-11-22" }, settings, nextWeek);
  const changed = tomorrow.filter((file) => isPage(file) && !isSame(file, today.get(file.path)));
  const kinds = new Set(changed.map(({ path }) => kindOf(path)));
  expect([...kinds].filter((kind) => !kind.startsWith("{language}/{kind}/"))).toEqual([
    "{language}/index.html",
  ]);
  expect(changed.filter(({ path }) => /\/(?:weekly|monthly|yearly|2026-11-20)\//.test(path))).toEqual([]);
});

function isPage({ type }: RenderedFile): boolean {
  return type.startsWith("text/html");
}

function isSame({ bytes }: RenderedFile, before: RenderedFile | undefined): boolean {
  return before !== undefined && Buffer.compare(bytes, before.bytes) === 0;
}

test("the heading of the steps is in the page's language", () => {
  expect(textOf(renderedIn("ta"), "ta/daily/leo/index.html")).toContain(`>${labelsIn("ta").readNext}</h2>`);
});
