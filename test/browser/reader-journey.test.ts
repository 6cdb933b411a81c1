// A reader's way through a site, in a real browser on a phone: from a front page in Tamil to Leo, in two languages, then to a pair
// and three cards. The table gives the maximum steps to each stop: a step is a click, or a key without a mouse.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fullSiteIn } from "../site/full-site.ts";
import { copyWithoutScripts, violationsOn } from "./support/axe.ts";
import { launchBrowser } from "../support/chromium.ts";
import { newReader, phone } from "./support/browser.ts";

const site = await fullSiteIn(["ta", "ar"]);
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const languages = 'summary:has-text("தமிழ்")';
const inMasthead = (word: string) => `.masthead nav >> text="${word}"`;
const day = (word: string) => `.rule >> text="${word}"`;

/** Clicks that lead from one stop to the next; the page's text must contain `says`. */
// oxfmt-ignore
const plan = [
  { stop: "the front page in Tamil", steps: 0, clicks: [], at: "/ta/", says: "சிம்மம்" },
  { stop: "today's Leo", steps: 1, clicks: [".houses .leo a"], at: "/ta/daily/leo/", says: "21 நவம்பர்" },
  { stop: "tomorrow's", steps: 1, clicks: [day("நாளை")], at: "/ta/daily/leo/2026-11-22/", says: "22 நவம்பர்" },
  // No page knows another language's tomorrow: the menu leads to the sign, and its page to the day.
  { stop: "the same in Arabic", steps: 3, clicks: [languages, '.masthead [hreflang="ar"]', day("غدًا")],
    at: "/ar/daily/leo/2026-11-22/", says: "22 نوفمبر" },
  { stop: "pairs", steps: 1, clicks: [inMasthead("التوافق")], at: "/ar/love-compatibility/", says: "اختر برجك" },
  { stop: "my sign", steps: 1, clicks: [".houses .leo a"], at: "/ar/love-compatibility/leo/", says: "الأسد" },
  { stop: "my partner's", steps: 1, clicks: [".houses .aries a"], at: "/ar/love-compatibility/leo-aries/", says: "الحمل" },
  { stop: "cards", steps: 1, clicks: [inMasthead("البطاقات")], at: "/ar/cards/", says: "بطاقات اليوم" },
  { stop: "cards to draw", steps: 1, clicks: ['main a[href$="/daily-tarot/draw/"]'], at: "/ar/decks/daily-tarot/draw/",
    says: "اسحب البطاقات" },
] as const;

/** By keyboard to the text and its three links, then to a card, and twice from a card to the next, each turned with a key. */
const mostKeys = 2 + 3 + 2 + 2 + 2;

const ways = [
  { how: "with scripts", javaScriptEnabled: true },
  { how: "without scripts", javaScriptEnabled: false },
] as const;

test.each(ways)("a reader comes from Tamil to three cards in as many steps as planned, $how", async (way) => {
  const reader = await newReader(browser, () => site, { viewport: phone, ...way });
  const { page, asked } = reader;
  await reader.open("ta/index.html");
  for (const { stop, steps, clicks, at, says } of plan) {
    expect([stop, clicks.length]).toEqual([stop, steps]);
    for (const selector of clicks) await page.locator(selector).first().click();
    await page.waitForURL(`**${at}`);
    expect([stop, await page.textContent("main")]).toEqual([stop, expect.stringContaining(says)]);
    if (way.javaScriptEnabled) expect([stop, await violationsOn(page)]).toEqual([stop, []]);
  }

  let keys = 0;
  const render = async (key: "Tab" | "Enter") => {
    keys += 1;
    await page.keyboard.press(key);
  };
  await render("Tab");
  await render("Enter");
  const atCard = page.locator(".hand summary:focus");
  const names = page.locator(".hand .name:visible");
  for (const turned of [1, 2, 3]) {
    for (await render("Tab"); (await atCard.count()) === 0; await render("Tab"))
      expect(keys).toBeLessThan(mostKeys);
    await render("Enter");
    expect(await names.count()).toBe(turned);
  }
  expect(keys).toBeLessThanOrEqual(mostKeys);
  expect(await violationsOn(way.javaScriptEnabled ? page : await copyWithoutScripts(page))).toEqual([]);
  expect(asked.filter((address) => !address.startsWith("https://almanac.example/"))).toEqual([]);
});
