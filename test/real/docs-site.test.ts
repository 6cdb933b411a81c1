// The site of the documentation, from a copy of the checkout without anything that was made in it: the generator from its lock file,
// the demonstration's night, and the pages as everybody meets them.
import { execFile } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { folderOf, pages, titleIn } from "../../docs/site/menu.ts";
import { violationsOn } from "../browser/support/axe.ts";
import { findBrowser } from "../support/chromium.ts";
import { fileEnd } from "../support/ends.ts";
import { lostLinks, pagesOf, startUnder } from "./built-pages.ts";
import { searches } from "./docs-searches.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const atEnd = fileEnd();
const made = new Set([
  "node_modules",
  ".git",
  ".almanac",
  "dist",
  ".pages",
  ".night",
  "cache",
  ".temp",
  "screens",
]);

let folder = "";
let url = "";
let browser: Browser;

beforeAll(async () => {
  const copy = mkdtempSync(join(tmpdir(), "almanac-docs-"));
  atEnd(() => rm(copy, { recursive: true }));
  cpSync(root, copy, { recursive: true, filter: (path) => path === root || !made.has(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  await run("npm", ["ci", "--prefix", "docs/site", "--no-audit", "--no-fund"], { cwd: copy });
  folder = join(copy, "docs/site/dist");
  mkdirSync(folder);
  const server = await startUnder("/manual/", folder);
  atEnd(() => server.close());
  url = server.url;
  const before = performance.now();
  await run("npm", ["run", "docs", "--", "--url", url], {
    cwd: copy,
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const sizes = globSync("**/*", { cwd: folder }).map((path) => ({
    path,
    size: statSync(join(folder, path)).size,
  }));
  const megabytes = (within: string): string =>
    (
      sizes.filter(({ path }) => path.startsWith(within)).reduce((sum, { size }) => sum + size, 0) / 1e6
    ).toFixed(1);
  console.log(
    `the documentation was built in ${((performance.now() - before) / 1000).toFixed(0)} s: ` +
      `${pagesOf(folder).length} pages, ${megabytes("")} MB, ${megabytes("demo/")} MB of them the demonstration`,
  );
  browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  atEnd(() => browser.close());
}, 600_000);

async function opened(path: string, options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(url + path, { waitUntil: "networkidle" });
  return page;
}

test("every page of the menu is there under its own title, and every link and anchor leads to something", () => {
  for (const [address, file] of pages) {
    const page = readFileSync(join(folder, address, "index.html"), "utf8");
    const title = titleIn(readFileSync(join(root, file), "utf8"));
    expect(page, file).toMatch(new RegExp(`<title>${title}(?: \\| Almanac)?</title>`));
  }
  const { lost, count } = lostLinks(folder, url);
  expect(lost).toEqual([]);
  expect(count).toBeGreaterThan(5000);
});

/** The first hits of a search, as paths of the site; none if nothing is found. */
async function hitsOf(page: Page, words: string): Promise<string[]> {
  const input = page.locator("#localsearch-input");
  const results = page.locator("#localsearch-list a");
  await input.fill("");
  await expect.poll(() => results.count()).toBe(0);
  await input.fill(words);
  await results.first().or(page.locator(".no-results")).waitFor();
  const links = await results.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  return links.slice(0, 5).map((link) => link.replace("/manual/", ""));
}

test("the first hit of each search is the page that answers it", async () => {
  const page = await opened("");
  await page.keyboard.press("Control+k");
  const wrong: string[] = [];
  for (const [words, file] of Object.entries(searches)) {
    const hits = await hitsOf(page, words);
    if (hits[0]?.replace(/#.*/, "") !== folderOf(file)) wrong.push(`${words}: ${hits.join(", ")}`);
  }
  expect(Object.keys(searches).length).toBeGreaterThanOrEqual(44);
  expect(wrong).toEqual([]);
  await page.context().close();
}, 120_000);

test("the search opens a page without a server, and does not list the changelog", async () => {
  const page = await opened("");
  await page.keyboard.press("Control+k");
  const hits = await hitsOf(page, "withdraw");
  expect(hits.length).toBeGreaterThan(0);
  expect(await hitsOf(page, "changelog")).not.toContainEqual(expect.stringMatching(/^changelog\//));
  await hitsOf(page, "withdraw");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${url}${hits[0]}`);
  await page.context().close();
});

test("the demonstration's front page opens from the menu's bar, says what it is and leads back", async () => {
  const page = await opened("", { viewport: { width: 1440, height: 900 } });
  await page.getByRole("link", { name: "Demonstration" }).first().click();
  await page.getByRole("link", { name: "English" }).first().click();
  await page.waitForURL(/\/manual\/demo\/en\/$/);
  expect(await page.locator("body").innerText()).toContain(
    "A demonstration: a program invented these texts.",
  );
  expect(await page.locator("main a[href*='/daily/']").count()).toBeGreaterThanOrEqual(12);
  await page.getByRole("link", { name: "The documentation" }).click();
  await page.waitForURL(url);
  await page.context().close();
});

const devices = [
  { width: 390, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
  { width: 1440, colorScheme: "light" },
  { width: 1440, colorScheme: "dark" },
] as const;

test.each(devices)(
  "axe has nothing to object to on any page at $width px, $colorScheme, and none is wider than the screen",
  async ({ width, colorScheme }) => {
    const page = await opened("", { viewport: { width, height: 900 }, colorScheme });
    const faults: string[] = [];
    for (const path of [...pages.keys(), "demo/", "demo/hi/", "demo/ar/daily/leo/"]) {
      await page.goto(url + path, { waitUntil: "load" });
      await page.locator("h1").first().waitFor();
      for (const fault of await violationsOn(page)) faults.push(`${path} ${fault}`);
      const wider = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      if (wider !== 0) faults.push(`${path} is ${String(wider)} px wider than the screen`);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  },
  600_000,
);
