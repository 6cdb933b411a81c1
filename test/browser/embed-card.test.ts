// The card of a sign in its frame: in every language, at the size that docs/embed.md names and at others, with the reader's own
// letters too, nothing of it is out of reach.
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { languagesOf, signs } from "../../readings/tables.ts";
import { settings, wholeEdition, renderLanguage } from "../site/editions.ts";
import { deep } from "../support/deep.ts";
import { launchBrowser } from "../support/chromium.ts";
import { violationsOn } from "./support/axe.ts";
import { newReader } from "./support/browser.ts";

const manual = readFileSync(new URL("../../docs/embed.md", import.meta.url), "utf8");
const documented = {
  width: Number(/<iframe[^>]* width="(\d+)"/.exec(manual)?.[1]),
  height: Number(/<iframe[^>]* height="(\d+)"/.exec(manual)?.[1]),
};
const sizes = [documented, { width: 250, height: 300 }, { width: 640, height: 260 }] as const;
const looked = deep ? signs : (["sagittarius"] as const);

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** The frame does not scroll, contains head and links, and the text's last line is reachable, by keyboard too. */
const look = `(async () => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  const inside = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
  };
  const text = document.querySelector(".prose");
  const found = [];
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.push("the frame scrolls");
  for (const element of document.querySelectorAll("h1, .caps, .prose, footer a"))
    if (!inside(element)) found.push(element.className + element.tagName + " is cut");
  if (text.scrollWidth > text.clientWidth) found.push("the text is too wide");
  const scrolls = text.scrollHeight > text.clientHeight;
  text.focus();
  if (scrolls && (document.activeElement !== text || getComputedStyle(text).overflowY !== "auto")) found.push("no way to the rest");
  text.scrollTop = text.scrollHeight;
  if (text.lastElementChild.getBoundingClientRect().bottom > text.getBoundingClientRect().bottom + 1) found.push("the last line is cut");
  if (text.clientHeight < 3 * Number.parseFloat(getComputedStyle(text).lineHeight)) found.push("less than three lines");
  return { found };
})()`;
const faults = z.object({ found: z.array(z.string()) });

describe.each(languagesOf("daily-horoscope"))("the card in %s", (language) => {
  test("keeps everything reachable in a frame of the manual's size, a small one and a low one", async () => {
    const files = renderLanguage(wholeEdition(language, ["daily-horoscope"]), settings);
    const site = new Map(files.map((file) => [file.path, file]));
    const reader = await newReader(browser, () => site, { viewport: documented });
    for (const sign of looked) {
      for (const size of sizes) {
        await reader.page.setViewportSize(size);
        await reader.open(`${language}/embed/${sign}/index.html`);
        const { found } = faults.parse(await reader.page.evaluate(look));
        expect([sign, size, found]).toEqual([sign, size, []]);
      }
      await reader.page.setViewportSize(documented);
      await reader.page.evaluate(`document.documentElement.style.fontSize = "150%"`);
      expect([sign, faults.parse(await reader.page.evaluate(look)).found]).toEqual([sign, []]);
    }
    if (deep || language === "en" || language === "ar") expect(await violationsOn(reader.page)).toEqual([]);
    await reader.page.context().close();
  });
});
