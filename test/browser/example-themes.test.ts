// The themes of examples/themes/ in a real browser: axe has nothing to object to, nothing is wider than the screen, and a page comes in
// one round trip.
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violationsOn } from "./support/axe.ts";
import { deep } from "../support/deep.ts";
import { launchBrowser } from "../support/chromium.ts";
import { desktop, newReader, phone } from "./support/browser.ts";
import { siteWith } from "./support/example-theme.ts";

/** TCP's initial window, and the limit for a page without a theme. */
const mostBytes = 14_336;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const circumstances = [
  ["en", "a phone by day", { viewport: phone, colorScheme: "light" }],
  ["en", "a desk in the dark", { viewport: desktop, colorScheme: "dark" }],
  ["ar", "a phone in the dark", { viewport: phone, colorScheme: "dark" }],
] as const;

describe.each(["playful", "framed"])("the theme %s", (name) => {
  test.each(deep ? circumstances : circumstances.slice(0, 1))(
    "is legible in %s on %s, and light",
    async (language, _device, options) => {
      const site = await siteWith(name, language, ["daily-horoscope", "daily-tarot"]);
      const reader = await newReader(browser, () => site, options);
      const paths = [
        `${language}/index.html`,
        `${language}/daily/leo/index.html`,
        `${language}/daily-tarot/index.html`,
      ];
      const own = [...site.keys()].filter((path) => path.includes("/pages/"));
      for (const path of deep ? [...paths, ...own] : [...paths.slice(0, 2), ...own.slice(0, 1)]) {
        await reader.open(path);
        expect([path, await violationsOn(reader.page)]).toEqual([path, []]);
        const wide = await reader.page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        expect([path, wide]).toEqual([path, 0]);
        expect(reader.asked.filter((address) => /^https:\/\/(?!almanac|cards)/.test(address))).toEqual([]);
        expect([path, gzipSync(site.get(path)?.bytes ?? "").length < mostBytes]).toEqual([path, true]);
      }
      await reader.page.context().close();
    },
  );
});
