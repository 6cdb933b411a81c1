// `npm run pictures:editors`: the pictures of docs/editors.md, into docs/pictures/: tomorrow's Hindi in a preview, and an editor's page in
// Arabic. Install `fonts-noto-core` first.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { z } from "zod";
import { toRead } from "../../scripts/review.ts";
import { editorPage } from "../../scripts/review/page.ts";
import { siteInFolder } from "../scripts/site-in-folder.ts";
import { settings } from "../site/editions.ts";
import { start } from "../support/cli.ts";
import { launchBrowser } from "../support/chromium.ts";
import { withEnds } from "../support/ends.ts";
import { clockMovedBy } from "../support/noon.ts";

const [today, tomorrow] = ["2026-11-30", "2026-12-01"] as const;
const evening = `${today}T16:00:00Z`;

await withEnds(async (atEnd) => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-editors-"));
  atEnd(async () => rmSync(folder, { recursive: true }));
  const { site, env } = await siteInFolder(folder, {
    site: { ...settings },
    languages: ["en", "ar", "hi"],
    operations: ["daily-horoscope"],
    people: [],
    review: { ar: { mode: "before" }, hi: { mode: "before" } },
  });
  site.setClock(evening);
  await site.gather(today, tomorrow);
  await site.with({ review: {} }).night();

  const browser = await launchBrowser("*.example");
  atEnd(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1000, height: 760 } });

  const clock = clockMovedBy(Date.parse(evening) - Date.now());
  const preview = start(["preview", "--port", "0", "--date", "tomorrow"], {
    env: { ...env, ...clock, ALMANAC_TEST_RUN: folder },
  });
  atEnd(async () => void preview.kill("SIGINT"));
  const [url] = z.tuple([z.string()]).parse(await once(createInterface(preview.stdout), "line"));
  await page.goto(`${url}hi/daily/leo/`);
  await page.locator("#almanac-preview summary").click();
  await page.evaluate("scrollTo(0, 0)");
  await save(page, "preview");

  const { configuration, vault } = site.publishing;
  const look = { configuration, vault, site: site.site };
  const file = join(folder, "arabic.html");
  writeFileSync(file, editorPage(await toRead("ar", tomorrow, look)));
  await page.goto(pathToFileURL(file).href);
  await save(page, "review");
});

/** Saves WebP, a third of the size. */
async function save(page: Page, name: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  const path = `docs/pictures/${name}.webp`;
  writeFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), Buffer.from(data, "base64"));
  console.log(path);
}
