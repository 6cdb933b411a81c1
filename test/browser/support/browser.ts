// Pages in a real browser as a reader gets them: their address is the site's own, the bytes come from the renderer, and
// whatever else a page asks for is noted and goes nowhere.
import { setTimeout as delay } from "node:timers/promises";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { faceAt } from "../../../packages/sandbox/faces.ts";
import { findBrowser } from "../../support/chromium.ts";
import { settings } from "../../site/editions.ts";
import type { Site } from "../../site/kinds.ts";

/** A reader's browser with an empty profile, which opens a local URL and runs the page's scripts. */
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

/** A reader of the site; `site` returns its current files on each request. */
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
    const face = faceAt(path) ?? faceAt("tarot/style-1/the-moon.png") ?? new Uint8Array();
    return route.fulfill({ body: Buffer.from(face), contentType: "image/png" });
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
