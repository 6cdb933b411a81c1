// Pages in a real browser as a reader gets them: their address is the site's own, the bytes come from the press, and
// whatever else a page asks for is noted and goes nowhere.
import { setTimeout as delay } from "node:timers/promises";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { findBrowser } from "../../support/chromium.ts";
import { settings } from "../../site/editions.ts";
import type { Site } from "../../site/kinds.ts";

/** Without a network: a name that a page asks for besides is known to no one. */
export function launchBrowser(): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND"];
  return chromium.launch({ executablePath: findBrowser(), args });
}

/** One reader's browser, without a past, that opens an address of this machine and does what the page there says. */
export async function openInBrowser(url: string): Promise<void> {
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  const browser = await chromium.launch({ executablePath: findBrowser(), args });
  onTestFinished(() => browser.close());
  await (await browser.newPage()).goto(url, { waitUntil: "commit" });
}

export interface Reader {
  readonly page: Page;
  /** The addresses that were asked for since the last `open`, that of the page first. */
  readonly asked: string[];
  open(path: string): Promise<void>;
}

export const phone = { width: 390, height: 844 } as const;
export const desktop = { width: 1280, height: 900 } as const;

/** In place of every picture of a card: a moon and stars over water. */
const picture = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 360" stroke-linecap="round" fill="none">' +
    '<path fill="#2c3355" d="M0 0h240v360H0z"/><path fill="#3d4a6e" d="M0 250h240v110H0z"/>' +
    '<path fill="#e8d9a8" d="M150 60a62 62 0 1 0 34 104 52 52 0 1 1-34-104z"/>' +
    '<path stroke="#8fa3c7" stroke-width="3" d="M30 285h60m30 0h90M55 315h110m20 0h25M25 340h45m25 0h85"/>' +
    '<path stroke="#e8d9a8" stroke-width="5" d="M40 50h0m160 20h0M30 150h0m180 60h0M55 215h0m70-190h0"/></svg>',
);

/** One who reads the site; `site` gives what is there at the moment of asking. */
export async function newReader(
  browser: Browser,
  site: () => Site,
  options: Parameters<Browser["newContext"]>[0] = {},
  { pictureDelayMs = 0, withPictures = true } = {},
): Promise<Reader> {
  const context: BrowserContext = await browser.newContext({ viewport: phone, ...options });
  const asked: string[] = [];
  const own = new URL(settings.url);
  await context.route("**/*", async (route) => {
    const url = new URL(route.request().url());
    asked.push(url.href);
    const path = url.pathname.slice(1);
    const file = site().get(path === "" || path.endsWith("/") ? `${path}index.html` : path);
    if (url.host === own.host && file !== undefined)
      return route.fulfill({ body: Buffer.from(file.bytes), contentType: file.type });
    if (url.host !== "cards.example" || !withPictures) return route.abort();
    await delay(pictureDelayMs);
    return route.fulfill({ body: picture, contentType: "image/svg+xml" });
  });
  const page = await context.newPage();
  return {
    page,
    asked,
    async open(path) {
      asked.length = 0;
      await page.goto(new URL(path.replace(/(?:^|(?<=\/))index\.html$/, ""), own).href, {
        waitUntil: "load",
      });
    },
  };
}
