// Delay until an open page shows what an owner saved: with each example theme, on a site of five languages, in a real browser, and
// with the command that the owner uses.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { launchBrowser } from "../support/chromium.ts";
import { deep } from "../support/deep.ts";
import { startPreview } from "../support/preview.ts";
import { folderWithFiles } from "../support/theme-folder.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
/** Two to three times on an idle machine and on a busy one; rendering more than the open page costs far more. */
const mostReloads = 6;
const saves = 10;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser("*.example");
});
afterAll(() => browser.close());

/** A copy of the theme in an owner's folder, with a configuration next to it, in the preview. */
async function previewed(name: string) {
  const languages = ["en", "de", "hi", "ar", "ta"];
  const folder = folderWithFiles({
    "almanac.config.ts": `export default { languages: ${JSON.stringify(languages)} };\n`,
  });
  cpSync(join(repository, "examples/themes", name), join(folder, "theme"), { recursive: true });
  const entry = join(folder, "theme/theme.ts");
  writeFileSync(entry, readFileSync(entry, "utf8").replace("../../../", repository));
  const env = {
    ALMANAC_CONFIG: join(folder, "almanac.config.ts"),
    ALMANAC_VAULT: `file://${folder}/vault`,
    ALMANAC_SITE: `file://${folder}/site`,
  };
  const url = await startPreview(env);
  return { url, stylesheet: join(folder, "theme", `${name}.css`) };
}

/** Resolves when the page has been reloaded with this save's style. */
async function shownAfterMs(page: Page, stylesheet: string, css: string, count: number): Promise<number> {
  const loadedAt: number[] = [];
  const loaded = () => void loadedAt.push(performance.now());
  page.on("load", loaded);
  const savedAt = performance.now();
  writeFileSync(stylesheet, `${css}:root{--saved:${count}}\n`);
  try {
    for (;;) {
      // A load may come while the page of the one before it is looked at: none is passed over.
      const at = await vi.waitUntil(() => loadedAt.shift(), { interval: 2, timeout: 120_000 });
      // A page that is being left has no content; its next load comes.
      const content = await page.content().catch(() => "");
      if (content.includes(`--saved:${count}}`)) return at - savedAt;
    }
  } finally {
    page.off("load", loaded);
  }
}

/** The control: the same page loaded by the browser, with nothing saved. */
async function reloadedAfterMs(page: Page): Promise<number> {
  const fromMs = performance.now();
  await page.reload();
  return performance.now() - fromMs;
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? Infinity;
}

const pages = [
  ["playful", "en/"],
  ["framed", "ta/daily/leo/"],
  ["playful", "ta/daily/leo/"],
  ["framed", "en/"],
] as const;

test.each(deep ? pages : pages.slice(0, 2))(
  "with the theme %s, /%s shows a save about as soon as a reload would",
  async (theme, path) => {
    const { url, stylesheet } = await previewed(theme);
    const page = await browser.newPage();
    await page.goto(url + path);
    const css = readFileSync(stylesheet, "utf8");
    const [saved, reloaded]: [number[], number[]] = [[], []];
    for (let count = 1; count <= saves; count += 1) {
      saved.push(await shownAfterMs(page, stylesheet, css, count));
      reloaded.push(await reloadedAfterMs(page));
    }
    const [savedMs, reloadMs] = [Math.round(medianOf(saved)), Math.round(medianOf(reloaded))];
    process.stdout.write(
      `${theme} /${path}: ${saves} saves, median ${savedMs} ms, of a reload ${reloadMs} ms\n`,
    );
    await page.close();
    expect(savedMs).toBeLessThan(mostReloads * reloadMs);
  },
);
