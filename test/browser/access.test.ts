// Accessibility in a real browser: axe finds no violations, in light and dark schemes, on a phone and on a desktop. Pages have no
// layout shift, are never wider than the screen, and need no script.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Language } from "../../readings/tables.ts";
import { tree } from "../../site/tree.ts";
import { fullSiteIn } from "../site/full-site.ts";
import { kindOf, oneOfEachKind, pagesIn } from "../site/kinds.ts";
import { deep } from "../support/deep.ts";
import { violationsOn } from "./support/axe.ts";
import { launchBrowser } from "../support/chromium.ts";
import { desktop, newReader, phone, type Reader } from "./support/browser.ts";
import { readInPieces, shiftsOn } from "./support/layout-shift.ts";

const languages = ["en", "hi", "ar", "zh", "ta"] as const;
const devices = [
  { name: "a phone by day", viewport: phone, colorScheme: "light" },
  { name: "a desk in the dark", viewport: desktop, colorScheme: "dark" },
  { name: "a phone in the dark", viewport: phone, colorScheme: "dark" },
  { name: "a desk by day", viewport: desktop, colorScheme: "light" },
] as const;

const site = await fullSiteIn(languages);
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Number of pixels by which the page exceeds the screen. */
async function overflowOf({ page }: Reader): Promise<number> {
  return z
    .number()
    .parse(
      await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
    );
}

async function faultsOf(reader: Reader, path: string): Promise<string[]> {
  await reader.open(path);
  const overflow = await overflowOf(reader);
  const wide = overflow > 0 ? [`${overflow} px wider than the screen`] : [];
  return [...wide, ...(await violationsOn(reader.page))].map((fault) => `${path} ${fault}`);
}

/** A language's pages of each kind; pages without a language are checked once. */
function pagesOf(language: Language) {
  return oneOfEachKind(site, language).map(({ path }) => ({ path, kind: kindOf(path) }));
}

describe("axe finds no violations", () => {
  const everywhere = new Set([tree.frontPage.path, tree.signPage.path]);

  test("on a page of each kind, each in another language and on another device, two kinds in all five", async () => {
    const readers = await Promise.all(devices.map((device) => newReader(browser, () => site, device)));
    const kinds = new Set<string>();
    const faults: string[] = [];
    const all = languages.flatMap(pagesOf);
    for (const [index, [kind, pages]] of [...Map.groupBy(all, (page) => page.kind)].entries()) {
      const looked = everywhere.has(kind) ? pages : pages.slice(index % pages.length).slice(0, 1);
      for (const [turn, { path }] of looked.entries()) {
        const reader = readers[(index + turn) % readers.length];
        if (reader !== undefined) faults.push(...(await faultsOf(reader, path)));
        kinds.add(kind);
      }
    }
    expect(faults).toEqual([]);
    expect(kinds).toEqual(new Set(pagesIn(site).map(({ path }) => kindOf(path))));
  });

  test.runIf(deep).each(devices)(
    "on a page of each kind in five languages, on $name",
    async (device) => {
      const reader = await newReader(browser, () => site, device);
      const faults: string[] = [];
      for (const language of languages)
        for (const { path } of pagesOf(language)) faults.push(...(await faultsOf(reader, path)));
      expect(faults).toEqual([]);
    },
    600_000,
  );

  test("and finds low contrast, a small target and an invalid role on a changed page", async () => {
    const reader = await newReader(browser, () => site);
    await reader.open("en/daily/leo/index.html");
    await reader.page.evaluate(`
      document.querySelector("main p").style.color = "#ccc";
      document.querySelector("footer").setAttribute("role", "bottom");
      document.querySelector("main").insertAdjacentHTML("beforeend", "<button>.</button><button>.</button>");
      for (const button of document.querySelectorAll("button")) button.style = "width: 9px; height: 9px; padding: 0";
    `);
    const ids = (await violationsOn(reader.page)).map((fault) => fault.slice(0, fault.indexOf(":")));
    expect(new Set(ids)).toEqual(new Set(["aria-roles", "color-contrast", "target-size"]));
  });
});

test("pages have no layout shift, even if pictures arrive late", async () => {
  for (const viewport of [phone, desktop]) {
    const reader = await newReader(browser, () => site, { viewport }, { pictureDelayMs: 100 });
    for (const { path } of pagesOf("en").filter(({ kind }) => deep || /wisdom|cards|spread/.test(kind))) {
      await reader.open(path);
      expect([path, await shiftsOn(reader.page)]).toEqual([path, []]);
    }
  }
});

test("the part of a page that was already read does not move while the rest loads", async () => {
  const ways = deep ? [2, 3, 5] : [3];
  const looked = new Set([tree.deckPage.path.replace("{operation}", "spread"), tree.archivePage.path]);
  for (const viewport of [phone, desktop]) {
    const reader = await newReader(browser, () => site, { viewport });
    for (const { path } of pagesOf("en").filter(({ kind }) => deep || looked.has(kind))) {
      for (const pieces of ways) {
        await reader.open(path);
        const fromMs = await readInPieces(reader.page, site.get(path)?.bytes, pieces);
        expect([path, pieces, await shiftsOn(reader.page, fromMs)]).toEqual([path, pieces, []]);
      }
    }
  }
});

test("all twelve signs fit on a phone's first screen, with names and dates", async () => {
  const reader = await newReader(browser, () => site, { viewport: phone });
  for (const language of languages) {
    await reader.open(`${language}/index.html`);
    const shown = await reader.page.evaluate(`[...document.querySelectorAll(".houses li")].filter((item) =>
      item.querySelector("b").textContent && item.querySelector("small").textContent
        && item.getBoundingClientRect().bottom <= innerHeight).length`);
    expect([language, shown]).toEqual([language, 12]);
  }
});

test("a reader without scripts gets from the choice of a language to yesterday's text, without extra requests", async () => {
  const reader = await newReader(browser, () => site, { javaScriptEnabled: false });
  await reader.open("index.html");
  const { page, asked } = reader;
  await page.click('a[hreflang="ta"]');
  await page.click('.twelve a[href="/ta/daily/leo/"]');
  await page.click('a[rel="prev"]');
  expect(new URL(page.url()).pathname).toBe("/ta/daily/leo/2026-11-20/");
  expect(await page.textContent("main")).toContain("சிம்மம்");
  const other = asked.filter(
    (address) => !/^https:\/\/almanac\.example\/(?:.*\/)?$|icon\.svg$/.test(address),
  );
  expect(other).toEqual([]);
});

test("the share button uses the device's own share sheet, and does not move", async () => {
  const reader = await newReader(browser, () => site, { viewport: phone });
  const button = reader.page.locator("button");
  await reader.open("hi/daily/leo/index.html");
  expect(await button.isVisible()).toBe(false);
  await reader.page.addInitScript("navigator.share = (what) => Promise.resolve((window.shared = what))");
  await reader.open("hi/daily/leo/index.html");
  expect(await shiftsOn(reader.page)).toEqual([]);
  await button.click();
  expect(await reader.page.evaluate("window.shared.url")).toBe("https://almanac.example/hi/daily/leo/");
  expect(await violationsOn(reader.page)).toEqual([]);
});

test("a shuffle reorders the cards to draw, and nothing moves until then", async () => {
  const reader = await newReader(browser, () => site, { viewport: phone });
  const { page } = reader;
  await reader.open("ta/decks/daily-tarot/draw/index.html");
  expect(await shiftsOn(reader.page)).toEqual([]);
  const names = (): Promise<string[]> => page.locator(".hand .name").allTextContents();
  const before = await names();
  let after = before;
  for (let times = 0; times < 5 && String(after) === String(before); times += 1) {
    await page.locator("button:visible").first().click();
    after = await names();
  }
  expect(after).not.toEqual(before);
  expect(after.toSorted()).toEqual(before.toSorted());
  expect(reader.asked.length).toBeLessThanOrEqual(2); // the page and its icon
});
