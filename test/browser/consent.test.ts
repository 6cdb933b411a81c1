// The consent banner of the theme "framed" in a browser: an answer applies to pages with a banner, and to no others.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import type { Language } from "../../readings/tables.ts";
import { renderShared } from "../../site/render.ts";
import { siteSettingsOf } from "../../site/edition.ts";
import { loadTheme } from "../../worker/theme/load-theme.ts";
import { settings, summaryOf, wholeEdition, renderLanguage } from "../site/editions.ts";
import { launchBrowser } from "../support/chromium.ts";
import { newReader } from "./support/browser.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

async function siteWithExample(languages: readonly Language[]) {
  const theme = await loadTheme("./examples/themes/framed", join(root, "almanac.config.ts"));
  const themed = siteSettingsOf(configurationSchema.parse({ site: settings }), theme);
  const all = languages.map((language) => ({
    language,
    files: renderLanguage(wholeEdition(language, ["daily-horoscope"]), themed),
  }));
  const shared = renderShared(
    all.map(({ language, files }) => summaryOf(files, language)),
    themed,
  );
  return new Map([...all.flatMap(({ files }) => files), ...shared].map((file) => [file.path, file]));
}

test("analytics never run in a language that does not ask for consent, even after consent in another one", async () => {
  const site = await siteWithExample(["de", "en", "ar"]);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const reader = await newReader(browser, () => site);
  const { page } = reader;
  const open = (path: string) => reader.open(path);
  const counted = () => reader.asked.filter((address) => address.includes("stats.example"));
  await open("de/daily/leo/index.html");
  expect(counted()).toEqual([]);
  await page.getByRole("button", { name: "Ja" }).click();
  // Once it is noted here, it can't be counted for the next page.
  await expect.poll(counted).toEqual(["https://stats.example/count.js"]);
  await open("ar/daily/leo/index.html");
  expect(counted()).toEqual([]);
  // The question is about the whole site, so the answer holds where it is asked in another language.
  await open("en/daily/leo/index.html");
  expect(await page.locator("#consent").isVisible()).toBe(false);
  expect(counted()).toEqual(["https://stats.example/count.js"]);
});
