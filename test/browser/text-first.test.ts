// Text first: on a phone, a sign's text begins on the first screen, and nothing moves, in every language and on the page of each
// period. The pages have all that a page can have above its text: every menu, and tomorrow.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { alternatesOf } from "../../publish/render/alternates.ts";
import { signNames } from "../../readings/sign-names.ts";
import { type Language, languageNames, languagesOf, signs } from "../../readings/tables.ts";
import { Context, renderDrafts } from "../../site/context.ts";
import { draftLanguage } from "../../site/render.ts";
import { settings, wholeEdition } from "../site/editions.ts";
import type { Site } from "../site/kinds.ts";
import { launchBrowser } from "../support/chromium.ts";
import { newReader, phone } from "./support/browser.ts";
import { shiftsOn } from "./support/layout-shift.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const operations = ["daily-horoscope", "weekly-horoscope", "monthly-horoscope", "yearly-horoscope"] as const;
const front = { pages: new Map([["index.html", true]]), hash: "" };
const fronts = new Map(languageNames.map((language) => [language, front]));

/** The current pages of the sign with the longest name. */
function pagesIn(language: Language): Site {
  const edition = wholeEdition(language, operations);
  const names = signNames[language];
  const [sign] = signs.toSorted((one, other) => names[other].length - names[one].length);
  const others = ["daily-tarot/", "love-compatibility/", `daily/${sign}/2026-11-22/`];
  const { files, linked } = draftLanguage(
    edition,
    others.map((path) => `${language}/${path}index.html`),
  );
  const own = files.filter(({ at }) => at.row === "signPage" && at.sign === sign);
  const context = new Context(edition, settings, linked, alternatesOf(language, fronts));
  return new Map(renderDrafts(own, context).map((file) => [file.path, file]));
}

/** The top of the first line of prose, in screens. */
const top = `(() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector("article section p"));
  return (range.getClientRects()[0].top + scrollY) / innerHeight;
})()`;

test("the first sentence of a sign's page starts above 0.8 of a phone's screen in each language, and nothing moves", async () => {
  let pages: Site = new Map();
  const reader = await newReader(browser, () => pages, { viewport: phone });
  const low: string[] = [];
  for (const language of languageNames) {
    pages = pagesIn(language);
    const kinds = operations.filter((operation) => languagesOf(operation).includes(language));
    expect([language, pages.size]).toEqual([language, kinds.length]);
    for (const path of pages.keys()) {
      await reader.open(path);
      const screens = z.number().parse(await reader.page.evaluate(top));
      if (screens >= 0.8) low.push(`${path}: ${screens.toFixed(2)} screens`);
      if (path.includes("/daily/")) expect([path, await shiftsOn(reader.page)]).toEqual([path, []]);
    }
  }
  expect(low).toEqual([]);
});
