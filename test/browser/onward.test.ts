// Prefetching in a browser: a page's speculation rules pass its policy and fetch the next page on pointer-down, not earlier.
// Readers without them reach that page too.
import { createServer } from "node:http";
import { chromium, type Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { findBrowser } from "../support/chromium.ts";
import { listen } from "../support/ends.ts";
import { renderedIn, textOf } from "../site/editions.ts";

interface Asked {
  readonly path: string;
  readonly purpose: string | undefined;
}

/** The front page and Leo's page, from a server that records requests and their purpose. */
async function readerOfTwoPages(javaScriptEnabled: boolean): Promise<{ page: Page; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const path = `${request.url?.slice(1)}index.html`;
    const purpose = request.headers["sec-purpose"];
    asked.push({ path, purpose: typeof purpose === "string" ? purpose : undefined });
    const isPage = renderedIn("en").some((file) => file.path === path);
    response.setHeader("content-type", "text/html; charset=utf-8").statusCode = isPage ? 200 : 404;
    response.end(isPage ? textOf(renderedIn("en"), path) : "");
  });
  const port = await listen(server);
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  const browser = await chromium.launch({ executablePath: findBrowser(), args });
  onTestFinished(() => browser.close());
  const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
  await page.goto(`http://127.0.0.1:${port}/en/`);
  return { page, asked };
}

const leo = "en/daily/leo/index.html";

test("pressing the pointer on a link prefetches the page, and the click uses it", async () => {
  const { page, asked } = await readerOfTwoPages(true);
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  const link = page.locator('.twelve a[href="/en/daily/leo/"]');
  await link.hover();
  const before = asked.filter(({ path }) => path === leo);
  await page.mouse.down();
  await expect.poll(() => asked.some(({ path }) => path === leo)).toBe(true);
  expect(before).toEqual([]);
  expect(asked.find(({ path }) => path === leo)?.purpose).toContain("prefetch");
  await page.mouse.up();
  await page.waitForURL("**/en/daily/leo/");
  expect(await page.textContent("h1")).toContain("Leo");
  expect(asked.filter(({ path }) => path === leo)).toHaveLength(1);
  expect(said.filter((text) => text.includes("Content Security Policy"))).toEqual([]);
});

test("without scripts nothing is prefetched, and the link leads to the same page", async () => {
  const { page, asked } = await readerOfTwoPages(false);
  await page.click('.twelve a[href="/en/daily/leo/"]');
  await page.waitForURL("**/en/daily/leo/");
  expect(asked.filter(({ path }) => path === leo)).toEqual([{ path: leo, purpose: undefined }]);
  expect(await page.textContent("main")).toContain("Leo");
});
