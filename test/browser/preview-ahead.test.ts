// Tomorrow's site in a real browser, as `almanac preview --date tomorrow` serves it: the bar, on a phone and in both directions, and
// the files of vault and site, which stay as they are.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { addDays } from "../../readings/calendar.ts";
import { siteInFolder } from "../scripts/site-in-folder.ts";
import { launchBrowser } from "../support/chromium.ts";
import { testDate, testNow } from "../support/noon.ts";
import { startPreview } from "../support/preview.ts";
import { folderWithFiles } from "../support/theme-folder.ts";
import "../support/equal-bytes.ts";
import { violationsOn } from "./support/axe.ts";
import { desktop, phone } from "./support/browser.ts";

const tomorrow = addDays(testDate, 1);
const leo = `daily/${tomorrow}/en/daily-horoscope/leo`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser("*.example");
});
afterAll(() => browser.close());

function filesIn(folder: string): Map<string, Buffer> {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = all.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.sort().map((path) => [path, readFileSync(path)]));
}

/** English lacks one of tomorrow's texts, which is in quarantine. */
async function previewed() {
  const folder = folderWithFiles({});
  const { site: own, env } = await siteInFolder(folder, {
    languages: ["en", "ar"],
    operations: ["daily-horoscope"],
    people: [],
  });
  own.setClock(testNow().toISOString());
  await own.gather(testDate, tomorrow);
  await own.night();
  const { vault } = own.publishing;
  const { key, address, body, run, tries, receivedAt: at } = await own.keep(leo);
  await vault.quarantine({ format: 1, key, type: "Unfit", reason: "short", at, tries, run, address, body });
  await vault.displace(leo);
  const before = filesIn(folder);
  const url = await startPreview(env, undefined, ["--date", "tomorrow"]);
  return { own, url, expectNoChange: () => expect(filesIn(folder)).toEqual(before) };
}

const number = z.number();

async function faultsOf(page: Page): Promise<string[]> {
  const wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  const overflow = number.parse(await page.evaluate(wide));
  return [...(overflow > 0 ? [`${overflow} px wider than the screen`] : []), ...(await violationsOn(page))];
}

/** Presses Tab until the bar has the focus. Returns the elements on the way that are behind the bar. */
async function hiddenOnTheWay(page: Page): Promise<string[]> {
  const hidden = new Set<string>();
  for (;;) {
    await page.keyboard.press("Tab");
    const found = z.nullable(z.string()).parse(
      await page.evaluate(`(() => {
        const { activeElement: at } = document, bar = document.getElementById("almanac-preview");
        if (at === bar) return null;
        return at.getBoundingClientRect().top >= bar.getBoundingClientRect().top ? at.outerHTML : "";
      })()`),
    );
    if (found === null) return [...hidden].filter((element) => element !== "");
    hidden.add(found);
  }
}

test("tomorrow's pages have a bar with the texts to decide about, nothing is written, and Update shows decisions", async () => {
  const { own, url, expectNoChange } = await previewed();
  // Unpublished texts, which no script of another page may read.
  const { status, headers } = await fetch(new URL(`v1/ar/daily/${tomorrow}.json`, url));
  expect([status, headers.get("access-control-allow-origin")]).toEqual([200, null]);
  const page = await browser.newPage({ viewport: phone });
  const bar = page.locator("#almanac-preview");
  await page.goto(`${url}ar/daily/leo/${tomorrow}/`);
  expect(await bar.locator("p").innerText()).toBe(`Preview: ar on ${tomorrow}. All texts are ready.`);
  expect(await hiddenOnTheWay(page)).toEqual([]);
  expect(await faultsOf(page)).toEqual([]);

  await page.goto(`${url}en/daily/leo/`);
  expect(await bar.locator("summary").innerText()).toBe(
    `Preview: en on ${tomorrow}. To decide: 1 on this page, 0 on others`,
  );
  expect(await bar.locator("li").isVisible()).toBe(false);
  expect(await hiddenOnTheWay(page)).toEqual([]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await bar.locator("li").innerText()).toContain(`${leo}: in quarantine`);
  expect(await bar.locator("code").innerText()).toBe(`almanac quarantine show ${leo}`);
  expect(await faultsOf(page)).toEqual([]);
  await page.setViewportSize(desktop);
  expect(await faultsOf(page)).toEqual([]);
  expect([...(await own.paths()).keys()]).not.toContain(`ar/daily/leo/${tomorrow}/index.html`);
  expectNoChange();

  await own.keep(leo, "A word from the editor.");
  await page.reload();
  expect(await page.locator("main").innerText()).not.toContain("A word from the editor.");
  await bar.locator("button").click();
  await page.waitForSelector("text=A word from the editor.");
  expect(await bar.locator("p").innerText()).toBe(`Preview: en on ${tomorrow}. All texts are ready.`);
});
