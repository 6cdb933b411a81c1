// Pages on the narrowest phone: headings and names stay in one piece, nothing is wider than its place, and the row of signs shows the
// one that is read.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { languageNames, languagesOf } from "../../readings/tables.ts";
import { fullSiteIn } from "../site/full-site.ts";
import { oneOfEachKind } from "../site/kinds.ts";
import { deep } from "../support/deep.ts";
import { launchBrowser } from "../support/chromium.ts";
import { newReader, phone } from "./support/browser.ts";

/** Excludes Chinese and Japanese, which allow a line break between any two characters. */
const spaced = languageNames.filter((language) => language !== "zh" && language !== "ja");
const languages = deep ? spaced : (["ta", "nl"] as const);
const narrowest = { width: 320, height: 640 } as const;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Headings and sign names that break into two lines, and boxes that overflow. */
const look = `(() => {
  const found = [];
  for (const element of document.querySelectorAll("h1, h2, .houses b, .strip a, .where a")) {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      if (text.parentElement.closest(".hidden, details:not([open])")) continue;
      for (const { 0: word, index } of text.data.matchAll(/[^\\s–-]+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => top);
        if (Math.max(...tops) - Math.min(...tops) > 8) found.push(word);
      }
    }
  }
  const main = document.querySelector("main");
  return main.scrollWidth > main.clientWidth + 1 ? [...found, "sticks out"] : found;
})()`;

const faults = z.array(z.string());

test.each(languages)("no word of a heading is cut in two at 320 px in %s", async (language) => {
  const site = await fullSiteIn([language]);
  const reader = await newReader(browser, () => site, { viewport: narrowest }, { withPictures: false });
  const pages = oneOfEachKind(site, language).filter(({ at }) => "language" in at && at.row !== "embed");
  for (const { path } of pages) {
    await reader.open(path);
    expect([path, faults.parse(await reader.page.evaluate(look))]).toEqual([path, []]);
  }
  await reader.page.context().close();
});

test("the language menu opens below its button, whatever logo is next to it", async () => {
  const site = await fullSiteIn(["en", "ar"]);
  const reader = await newReader(browser, () => site, { viewport: narrowest });
  await reader.open("en/daily/leo/index.html");
  await reader.page.evaluate('document.querySelector(".masthead > a").style.height = "64px"');
  await reader.page.locator(".languages-of summary").click();
  const edge = async (selector: string, name: string) =>
    z
      .number()
      .parse(
        await reader.page.evaluate(`document.querySelector("${selector}").getBoundingClientRect().${name}`),
      );
  expect(await edge(".languages-of ul", "top")).toBeGreaterThanOrEqual(
    await edge(".languages-of summary", "bottom"),
  );
  expect([await edge(".languages-of ul", "left"), await edge(".languages-of ul", "right")]).toEqual([
    await edge(".masthead", "left"),
    await edge(".masthead", "right"),
  ]);
});

test("the row of signs scrolls to the page's sign", async () => {
  const site = await fullSiteIn(["en", "ar"]);
  const reader = await newReader(browser, () => site, { viewport: narrowest });
  for (const path of ["en/daily/aries/", "en/daily/pisces/", "ar/daily/pisces/", "ar/daily/virgo/"]) {
    await reader.open(`${path}index.html`);
    const { left, right } = z
      .object({ left: z.number(), right: z.number() })
      .parse(
        await reader.page.evaluate(
          `(({ left, right }) => ({ left, right }))(document.querySelector(".strip [aria-current]").getBoundingClientRect())`,
        ),
      );
    expect([path, left >= 0, right <= narrowest.width]).toEqual([path, true, true]);
    expect([path, await reader.page.evaluate("scrollY")]).toEqual([path, 0]);
  }
});

const withTabs = deep ? languagesOf("daily-horoscope") : (["en", "de", "ta", "ar"] as const);

test("the tabs of periods stay in one row, including yesterday and tomorrow", async () => {
  const site = await fullSiteIn(withTabs);
  const reader = await newReader(browser, () => site, { viewport: phone }, { withPictures: false });
  const seen = z.object({
    pageWidth: z.number(),
    tabs: z.array(z.object({ top: z.number(), left: z.number(), right: z.number(), isCurrent: z.boolean() })),
  });
  for (const language of withTabs) {
    await reader.open(`${language}/daily/leo/index.html`);
    const { pageWidth, tabs } = seen.parse(
      await reader.page.evaluate(`({
        pageWidth: document.documentElement.scrollWidth,
        tabs: [...document.querySelectorAll(".rule a")].map((tab) => {
          const { top, left, right } = tab.getBoundingClientRect();
          return { top, left, right, isCurrent: tab.hasAttribute("aria-current") };
        }),
      })`),
    );
    const current = tabs.filter(({ isCurrent }) => isCurrent);
    const shown = current.filter(({ left, right }) => left >= 0 && right <= phone.width);
    const rows = new Set(tabs.map(({ top }) => top)).size;
    expect({ language, pageWidth, tabs: tabs.length, rows, shown: shown.length }).toEqual({
      language,
      pageWidth: phone.width,
      tabs: 6,
      rows: 1,
      shown: 1,
    });
  }
});
