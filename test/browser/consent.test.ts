// The consent example of docs/appearance.md in a browser: an answer counts where the question is asked, and nowhere else.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import type { Language } from "../../readings/languages.ts";
import { pressLanguage, pressShared } from "../../site/press.ts";
import { siteSettingsOf } from "../../site/edition.ts";
import { loadTheme } from "../../worker/theme/load-theme.ts";
import { settings, summaryOf, wholeEdition } from "../site/editions.ts";
import { launchBrowser } from "../support/chromium.ts";
import { folderWithFiles } from "../support/theme-folder.ts";
import { newReader } from "./support/browser.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The files of the example, by the name above each. */
function example() {
  const page = readFileSync(join(root, "docs/appearance.md"), "utf8");
  const text = page.slice(page.indexOf("## Analytics, once the reader agrees"));
  const files = text
    .slice(0, text.indexOf("\n## "))
    .matchAll(/^`(theme\/[\w./-]+)`\n\n```\w+\n(.*?)^```$/gms);
  return Object.fromEntries(
    Array.from(files, ([, name = "", content = ""]) => [
      name,
      content.replace('"../worker/', `"${root}worker/`),
    ]),
  );
}

async function siteWithExample(languages: readonly Language[]) {
  const theme = await loadTheme(undefined, join(folderWithFiles(example()), "almanac.config.ts"));
  const themed = siteSettingsOf(configurationSchema.parse({ site: settings }), theme);
  const all = languages.map((language) => ({
    language,
    files: pressLanguage(wholeEdition(language, ["daily-horoscope"]), themed),
  }));
  const shared = pressShared(
    all.map(({ language, files }) => summaryOf(files, language)),
    themed,
  );
  return new Map([...all.flatMap(({ files }) => files), ...shared].map((file) => [file.path, file]));
}

test("nobody is counted in a language that does not ask, also after a yes in another one", async () => {
  const site = await siteWithExample(["de", "en", "ar"]);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const reader = await newReader(browser, () => site);
  const { page } = reader;
  const open = (path: string) => reader.open(path);
  const counted = () => reader.asked.filter((address) => address.includes("stats.example"));
  await open("de/daily/leo/index.html");
  expect(counted()).toEqual([]);
  const request = page.waitForRequest("https://stats.example/count.js");
  await page.getByRole("button", { name: "Ja" }).click();
  await request;
  await open("ar/daily/leo/index.html");
  expect(counted()).toEqual([]);
  // The question is about the whole site, so the answer holds where it is asked in another language.
  await open("en/daily/leo/index.html");
  expect(await page.locator("#consent").isVisible()).toBe(false);
  expect(counted()).toEqual(["https://stats.example/count.js"]);
});
