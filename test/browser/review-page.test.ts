// An editor's page, which `almanac review page` writes: complete, in one file, and readable on each device.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Language } from "../../readings/tables.ts";
import { toRead } from "../../scripts/review.ts";
import { editorPage } from "../../scripts/review/page.ts";
import { changeWithheld } from "../../vault/withheld.ts";
import { newSite, recordOf } from "../publish/support/published-site.ts";
import { launchBrowser } from "../support/chromium.ts";
import { storedResponseWith } from "../support/stored-responses.ts";
import { folderWithFiles } from "../support/theme-folder.ts";
import { violationsOn } from "./support/axe.ts";
import { desktop, phone } from "./support/browser.ts";

const date = "2026-11-22";
const attack = "Two < three &amp; more. </p><script>alert(1)</script><img src=https://evil.example/x>";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Aries is as yesterday but for its first words, Leo is in quarantine, Pisces withdrawn, and the card missing. */
async function pageIn(language: Language): Promise<string> {
  const site = newSite({
    languages: ["en", language],
    operations: ["daily-horoscope", "monthly-horoscope", "daily-tarot"],
    people: [],
  });
  await site.gather("2026-11-21", date);
  await site.night();
  const { configuration, vault } = site.publishing;
  const keyOf = (sign: string, day = date) => `daily/${day}/${language}/daily-horoscope/${sign}`;
  const yesterday = await vault.response(keyOf("aries", "2026-11-21"));
  if (yesterday === undefined) throw new Error("nothing was gathered");
  await vault.displace(keyOf("aries"));
  const body = yesterday.body.replace('"personal":"', '"personal":"A new beginning. ');
  await vault.storeResponse(storedResponseWith(keyOf("aries"), body));

  const { key, address, run, tries, receivedAt: at, ...leo } = await site.keep(keyOf("leo"), attack);
  const entry = { format: 1, type: "Unfit", reason: "it contains markup", at, tries, run, address } as const;
  await vault.quarantine({ ...entry, key, body: leo.body });
  await vault.displace(key);
  await vault.displace(`daily/${date}/${language}/daily-tarot/reading`);
  await changeWithheld(vault.own, (note) => ({ ...note, withdrawn: [recordOf(keyOf("pisces"))] }));
  return editorPage(await toRead(language, date, { configuration, vault, site: site.site }));
}

const commands = z.array(z.string());

test("the page has the new texts next to English, sentences of yesterday marked, and each open text with its reason and command", async () => {
  const html = await pageIn("hi");
  const validator = new HtmlValidate(
    new StaticConfigLoader({
      extends: ["html-validate:standard", "html-validate:document", "html-validate:a11y"],
    }),
  );
  const { results } = validator.validateStringSync(html);
  expect(results.flatMap(({ messages }) => messages.map(({ message }) => message))).toEqual([]);

  const page = await browser.newPage();
  await page.setContent(html);
  const article = (sign: string) => page.locator(`article[id="daily/${date}/hi/daily-horoscope/${sign}"]`);
  const open = page.locator("h2:has-text('To decide') + ul");
  expect(commands.parse(await open.locator("code").allInnerTexts()).sort()).toEqual([
    `almanac backfill --languages hi --operations daily-tarot --from ${date} --to ${date}`,
    `almanac quarantine show daily/${date}/hi/daily-horoscope/leo`,
    `almanac withdraw --undo daily/${date}/hi/daily-horoscope/pisces`,
  ]);
  expect(await page.locator("article").count()).toBe(12 + 1);
  expect(await page.locator(".field > [lang=hi][dir=ltr]").count()).toBeGreaterThan(100);
  expect(await article("taurus").locator(".field > [lang=en]").count()).toBeGreaterThan(5);
  const marked = await article("aries").locator(".known").allInnerTexts();
  expect(marked.length).toBeGreaterThan(10);
  expect(marked.join(" ")).not.toContain("A new beginning.");
  expect(await article("leo").innerText()).toContain("in quarantine: it contains markup");
  expect(await article("leo").innerText()).toContain("Two < three & more.");
  expect(await article("pisces").locator("p.poor").first().innerText()).toBe("withdrawn");
  expect(await article("taurus").locator("code").innerText()).toContain(
    `almanac correct daily/${date}/hi/daily-horoscope/taurus`,
  );
  expect(html).not.toContain("<script");
  expect(html).toContain("Monthly horoscope</p>");
  expect(html).toContain("<h2>Contents</h2>");
  expect(editorPage({ language: "hi", date, sets: [], unchanged: [] })).not.toContain("<h2>Contents</h2>");
  await page.close();
});

test("the file asks for nothing else, and has no fault on a phone and a desk, by day and in the dark", async () => {
  const file = join(folderWithFiles({}), "page.html");
  for (const [language, viewport, colorScheme] of [
    ["ar", phone, "light"],
    ["ta", desktop, "dark"],
    ["zh", phone, "dark"],
    ["en", desktop, "light"],
  ] as const) {
    writeFileSync(file, await pageIn(language));
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    expect(await violationsOn(page)).toEqual([]);
    const wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate(wide)).toBe(0);
    expect(asked).toEqual([pathToFileURL(file).href]);
    await context.close();
  }
});
