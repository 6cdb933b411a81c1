// A reader's own signs in a real browser: she picks hers by birthday and her partner's, and on the next morning the site begins with
// them. The choice is made by keyboard, stays on the device, and moves nothing while a page loads.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Language, signs } from "../../readings/tables.ts";
import { shiftPeriod } from "../../readings/calendar.ts";
import { signNames } from "../../readings/sign-names.ts";
import type { LanguageEdition } from "../../site/edition.ts";
import { labelsIn } from "../../site/labels.ts";
import { date, readingFor, renderLanguage, settings, wholeEdition, withoutLeo } from "../site/editions.ts";
import type { Site } from "../site/kinds.ts";
import { launchBrowser } from "../support/chromium.ts";
import { deep } from "../support/deep.ts";
import { copyWithoutScripts, violationsOn } from "./support/axe.ts";
import { desktop, newReader, phone } from "./support/browser.ts";
import { readInPieces, shiftsOn } from "./support/layout-shift.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const tomorrow = shiftPeriod("daily", date, 1);

/** The site of a language on two mornings, below a folder of its host. */
function morningsOf(language: Language, folder: string): readonly [Site, Site] {
  const operation = "daily-horoscope";
  const edition = wholeEdition(language, [
    operation,
    "weekly-horoscope",
    "love-compatibility",
    "daily-tarot",
  ]);
  const readings = signs.map((sign) => ({
    reading: readingFor({ operation, language, period: tomorrow, sign }),
    receivedAt: `${date}T08:00:17.000Z`,
  }));
  const sets = [{ operation, period: tomorrow, current: false, readings } as const, ...edition.sets];
  const on = (day: string): LanguageEdition => ({
    ...edition,
    date: day,
    sets: sets.map((set) => (set.operation === operation ? { ...set, current: set.period === day } : set)),
  });
  const siteOn = (day: string): Site => {
    const files = renderLanguage(on(day), { ...settings, url: `${settings.url}/${folder}` });
    return new Map(files.map((file) => [folder + file.path, file]));
  };
  return [siteOn(date), siteOn(tomorrow)];
}

const sites = { de: morningsOf("de", ""), ar: morningsOf("ar", "stars/") };
/** Lists by the page that has them, of which each language's `looked` are also checked by axe without scripts. */
const lists = {
  "": ".houses",
  "daily/leo/": ".strip",
  "love-compatibility/": ".houses",
  "cards/": ".deck",
} as const;
const places = [
  { language: "de", folder: "", looked: ["", "cards/"] },
  { language: "ar", folder: "stars/", looked: ["daily/leo/", "love-compatibility/"] },
] as const;

const document = z.object({
  set: z.string(),
  reading: z.object({ sections: z.object({ personal: z.array(z.string()) }) }),
});

function dataIn(site: Site, path: string) {
  return document.parse(JSON.parse(Buffer.from(site.get(path)?.bytes ?? []).toString()));
}

/** The text that the front page shows of a sign, from the site's JSON. */
function textIn(site: Site, path: string): string {
  return dataIn(site, path).reading.sections.personal.join("\n");
}

async function tabTo(page: Page, selector: string): Promise<void> {
  const there = page.locator(`${selector}:focus`);
  for (let keys = 0; (await there.count()) === 0; keys += 1) {
    expect([selector, keys < 80]).toEqual([selector, true]);
    await page.keyboard.press("Tab");
  }
}

async function pressOn(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press("Enter");
}

async function pick(page: Page, name: string, downs: number): Promise<void> {
  await tabTo(page, `[name=${name}]`);
  for (let down = 0; down < downs; down += 1) await page.keyboard.press("ArrowDown");
}

const stored = (page: Page) => page.evaluate("Object.entries(localStorage).join()");

/** The classes of a list's first two items, which name their signs. */
const firstTwo = (page: Page, list: string) =>
  page.evaluate(
    `[...document.querySelectorAll("${list} > li")].slice(0, 2).map(({ className }) => className).join(", ")`,
  );

const hers = "hue leo, hue aries";
const all = "hue aries, hue taurus";

describe.each(places)("in $language, a reader", ({ language, folder, looked }) => {
  const [first, second] = sites[language];
  const { names, words } = { names: signNames[language], words: labelsIn(language).mySigns };
  const front = `${folder}${language}/`;
  const dataOf = (day: string, sign: string) => `${folder}v1/${language}/daily/${day}/${sign}.json`;
  const url = (path: string) => `https://almanac.example/${path}`;

  test("picks her sign by birthday and her partner's with the keyboard, and begins her next morning with them", async () => {
    let site = first;
    const reader = await newReader(browser, () => site, { viewport: phone });
    const { page, asked } = reader;
    await reader.open(front);
    const title = page.locator(".mine h2");
    expect([await title.textContent(), await page.locator(".texts li").count()]).toEqual([words.title, 0]);
    expect(await firstTwo(page, ".houses")).toBe(all);
    await pressOn(page, ".mine summary");
    await pick(page, "day", 5);
    await pick(page, "month", 8);
    await pick(page, "other", 1);
    asked.length = 0;
    await pressOn(page, ".pick button");
    const texts = page.locator(".texts p");
    await expect.poll(() => texts.first().textContent()).toBe(textIn(first, dataOf(date, "leo")));
    await expect.poll(() => texts.last().textContent()).toBe(textIn(first, dataOf(date, "aries")));
    expect(await page.locator(".texts h3 a").allTextContents()).toEqual([names.leo, names.aries]);
    expect(await firstTwo(page, ".houses")).toBe(hers);
    expect(await stored(page)).toBe("almanac signs,leo aries");
    expect(asked).toEqual([url(dataOf(date, "leo")), url(dataOf(date, "aries"))]);
    expect(await violationsOn(page)).toEqual([]);

    site = second;
    await reader.open(front);
    await expect.poll(() => texts.first().textContent()).toBe(textIn(second, dataOf(tomorrow, "leo")));
    expect((await texts.first().boundingBox())?.y).toBeLessThan(0.8 * phone.height);
    expect([await firstTwo(page, ".houses"), await firstTwo(page, ".twelve")]).toEqual([hers, hers]);
    expect([await shiftsOn(page), await violationsOn(page)]).toEqual([[], []]);

    await pressOn(page, ".texts a");
    await page.waitForURL(url(`${front}daily/leo/`));
    expect(await firstTwo(page, ".strip")).toBe(hers);
    expect([await shiftsOn(page), await violationsOn(page)]).toEqual([[], []]);
    await pressOn(page, '.masthead nav a[href$="/love-compatibility/"]');
    await page.waitForURL(url(`${front}love-compatibility/`));
    expect(await firstTwo(page, ".houses")).toBe(hers);
    await pressOn(page, ".houses a");
    await page.waitForURL(url(`${front}love-compatibility/leo/`));
    expect(await firstTwo(page, ".houses")).toBe(hers);
    await pressOn(page, '.masthead nav a[href$="/cards/"]');
    await page.waitForURL(url(`${front}cards/`));
    expect(await page.locator(".deck li").first().textContent()).toContain(`${names.leo} · ${names.aries}`);
    expect([await shiftsOn(page), await violationsOn(page)]).toEqual([[], []]);
    await pressOn(page, ".deck a");
    await page.waitForURL(url(`${front}love-compatibility/leo-aries/`));
    expect(await firstTwo(page, ".strip")).toBe(hers);

    await reader.open(front);
    await pressOn(page, ".mine summary");
    await pressOn(page, ".mine li + li button");
    expect([await stored(page), await firstTwo(page, ".houses")]).toEqual([
      "almanac signs,leo",
      "hue leo, hue aries",
    ]);
    await pressOn(page, ".clear");
    expect([await stored(page), await firstTwo(page, ".houses")]).toEqual(["", all]);
    expect(await page.locator(".texts li, .mine li").count()).toBe(0);
    expect(await page.locator(".mine summary:focus").count()).toBe(1);
  });

  test("without scripts misses nothing on these pages, and sees no control that does nothing", async () => {
    const reader = await newReader(browser, () => second, { viewport: phone, javaScriptEnabled: false });
    const { page } = reader;
    for (const [path, list] of Object.entries(lists)) {
      await reader.open(front + path);
      const controls = await page.locator("button:visible, select:visible, .mine:visible").count();
      expect([path, await page.locator(list).isVisible(), controls]).toEqual([path, true, 0]);
    }
    for (const path of deep ? Object.keys(lists) : looked) {
      await reader.open(front + path);
      expect([path, await violationsOn(await copyWithoutScripts(page))]).toEqual([path, []]);
    }
  });
});

/** Records the first item of each list of signs in every frame in which a reader sees it. */
const watch = `
  window.seen = new Set();
  const look = () => {
    for (const list of document.querySelectorAll(".strip, .houses, .twelve, [data-names] > .deck"))
      if (getComputedStyle(list).visibility === "visible") seen.add(list.firstElementChild?.className);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);`;

/** A reader who has picked signs before. */
async function returningReader(
  value: string,
  options: Parameters<typeof newReader>[2] = {},
  site: Site = sites.de[0],
) {
  const reader = await newReader(browser, () => site, { viewport: phone, ...options });
  await reader.page.addInitScript(`localStorage.setItem("almanac signs", ${JSON.stringify(value)})`);
  return reader;
}

describe("the texts of a reader's signs", () => {
  const answers = {
    "are missing": { status: 404, body: "" },
    "are of another set": {
      body: JSON.stringify({ set: "0", reading: { sections: { personal: ["old"] } } }),
    },
    "are damaged": { body: "{" },
    "have another shape": { body: "[]" },
  };

  test.each(Object.entries(answers))("are the page's own beginnings if the data %s", async (_how, answer) => {
    const reader = await returningReader("leo aries");
    const { page } = reader;
    await page.route("**/v1/**", (route) => route.fulfill({ contentType: "application/json", ...answer }));
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    const done = Promise.all([page.waitForResponse("**/leo.json"), page.waitForResponse("**/aries.json")]);
    await reader.open("de/");
    await done;
    const own = await page.locator(".twelve .leo > p:not(.more)").textContent();
    expect(await page.locator(".texts p").first().textContent()).toBe(own);
    expect([await shiftsOn(page), errors]).toEqual([[], []]);
  });

  test("have no empty place if they are withdrawn", async () => {
    const edition = wholeEdition("de", ["daily-horoscope"]);
    const files = renderLanguage({ ...edition, sets: edition.sets.map(withoutLeo) }, settings);
    const reader = await returningReader("leo aries", {}, new Map(files.map((file) => [file.path, file])));
    await reader.open("de/");
    const texts = (sign: string) => reader.page.locator(`.texts .${sign} p`).count();
    expect([await texts("leo"), await texts("aries")]).toEqual([0, 1]);
    expect(await reader.page.locator(".texts .leo a").first().isVisible()).toBe(true);
  });

  test("are text, even if they look like markup", async () => {
    const reader = await returningReader("leo");
    const { page } = reader;
    await page.route("**/v1/**", async (route) => {
      const { set } = dataIn(sites.de[0], `v1/de/daily/${date}/leo.json`);
      const reading = { sections: { personal: ['<img src="x" onerror="document.title = 1">', "</p>"] } };
      await route.fulfill({ contentType: "application/json", body: JSON.stringify({ set, reading }) });
    });
    await reader.open("de/");
    const text = page.locator(".texts p");
    await expect.poll(() => text.textContent()).toBe('<img src="x" onerror="document.title = 1">\n</p>');
    expect(await page.locator(".texts img").count()).toBe(0);
  });
});

describe("a choice of signs", () => {
  test("by birthday finds the sign, which then is the first", async () => {
    const reader = await newReader(browser, () => sites.de[0]);
    const { page } = reader;
    const days = {
      "08-05": "leo",
      "01-01": "capricorn",
      "12-31": "capricorn",
      "03-20": "pisces",
      "03-21": "aries",
    };
    await reader.open("de/");
    await page.locator(".mine summary").click();
    for (const [day, sign] of Object.entries(days)) {
      await page.locator("[name=month]").selectOption(day.slice(0, 2));
      await page.locator("[name=day]").selectOption(day.slice(3));
      await page.locator("[name=other]").selectOption(day === "03-21" ? "libra" : "");
      await page.locator(".pick button").click();
      expect([day, await stored(page)]).toEqual([day, expect.stringMatching(`^almanac signs,${sign}\\b`)]);
      expect(await page.locator("[name=month]").inputValue()).toBe("");
    }
    expect(await stored(page)).toBe("almanac signs,aries pisces capricorn leo");
    expect(await page.locator(".pick").isVisible()).toBe(false);
    expect(await violationsOn(page)).toEqual([]);
  });

  test("without a sign or with half a birthday stores nothing, and leads to the field to fill in", async () => {
    const reader = await newReader(browser, () => sites.de[0]);
    const { page } = reader;
    await reader.open("de/");
    await page.locator(".mine summary").click();
    await page.locator("[name=month]").selectOption("08");
    await page.locator(".pick button").click();
    expect([await stored(page), await page.locator("[name=day]:focus").count()]).toEqual(["", 1]);
  });

  test("that is damaged or not readable changes nothing on a page", async () => {
    for (const script of [
      'localStorage.setItem("almanac signs", "<b> leo../ toString")',
      'Object.defineProperty(window, "localStorage", { get() { throw new Error("blocked") } })',
    ]) {
      const reader = await newReader(browser, () => sites.de[0]);
      const { page } = reader;
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      await page.addInitScript(script);
      for (const [path, list] of Object.entries(lists)) {
        await reader.open(`de/${path}`);
        expect([path, await page.locator(list).isVisible()]).toEqual([path, true]);
        if (list !== ".deck") expect([path, await firstTwo(page, list)]).toEqual([path, all]);
      }
      await reader.open("de/");
      expect([errors, await page.locator(".texts li").count()]).toEqual([[], 0]);
    }
  });

  test("moves nothing while a page loads in pieces, nor when its texts come", async () => {
    for (const [viewport, pieces] of [
      [phone, 3],
      [desktop, 7],
    ] as const) {
      const reader = await returningReader("pisces leo", { viewport });
      const { page } = reader;
      await page.addInitScript(watch);
      for (const path of Object.keys(lists)) {
        await reader.open(`de/${path}`);
        const fromMs = await readInPieces(page, sites.de[0].get(`de/${path}index.html`)?.bytes, pieces);
        expect([path, pieces, await shiftsOn(page, fromMs)]).toEqual([path, pieces, []]);
        expect([path, await page.evaluate("[...seen].join()")]).toEqual([path, "hue pisces"]);
      }
      const { promise: isShown, resolve: show } = Promise.withResolvers<void>();
      await page.route("**/v1/**", async (route) => {
        await isShown;
        await route.fallback();
      });
      await reader.open("de/");
      const before = await page.locator(".texts p").first().textContent();
      show();
      await expect.poll(() => page.locator(".texts p").first().textContent()).not.toBe(before);
      expect(await shiftsOn(page)).toEqual([]);
    }
  });

  test.each(places)("leaves it and the page's own sign in view on a phone in $language", async (place) => {
    const reader = await returningReader("pisces leo", {}, sites[place.language][0]);
    for (const sign of ["virgo", "pisces", "aquarius"]) {
      await reader.open(`${place.folder}${place.language}/daily/${sign}/`);
      for (const seen of ["[aria-current]", ".pisces a", ".leo a"]) {
        const box = await reader.page.locator(`.strip ${seen}`).boundingBox();
        const { x, width } = box ?? { x: -1, width: 0 };
        expect([sign, seen, x >= 0, x + width <= phone.width]).toEqual([sign, seen, true, true]);
      }
    }
  });
});
