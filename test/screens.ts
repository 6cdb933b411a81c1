// `npm run screens -- [--to screens]`: a picture of each kind of page in six languages of five scripts, on a phone and on a wide
// screen, in light and dark schemes, for visual inspection. In dark mode no card has a picture. With `--readme`, only the pictures of
// the README and docs/first-night.md, into docs/pictures/, and of docs/theming.md, into docs/images/. With `--table`, a table of the
// sign's page on a phone in all languages instead: bytes, requests, layout shift, and the place of the first sentence.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { periodKinds } from "../readings/calendar.ts";
import { languageNames } from "../readings/tables.ts";
import { launchBrowser } from "./support/chromium.ts";
import { newReader, phone, type Reader } from "./browser/support/browser.ts";
import { siteWith } from "./browser/support/example-theme.ts";
import { fullSiteIn } from "./site/full-site.ts";
import { kindOf, oneOfEachKind, type Site } from "./site/kinds.ts";

const { values } = parseArgs({
  options: {
    to: { type: "string", default: "screens" },
    readme: { type: "boolean" },
    table: { type: "boolean" },
  },
});
const languages = ["en", "hi", "ar", "zh", "ta", "de"] as const;
const wideDesk = { width: 1440, height: 900 } as const;
const site = await fullSiteIn(values.table ? languageNames : languages);
const browser = await launchBrowser();
let count = 0;
if (values.table) await printTable();
else await (values.readme ? drawForReadme("docs/pictures") : drawAll());
await browser.close();

async function drawAll(): Promise<void> {
  mkdirSync(values.to, { recursive: true });
  for (const viewport of [phone, wideDesk]) {
    for (const colorScheme of ["light", "dark"] as const) {
      const withPictures = colorScheme === "light";
      const reader = await newReader(browser, () => site, { viewport, colorScheme }, { withPictures });
      for (const language of languages) {
        for (const { path } of oneOfEachKind(site, language)) {
          // Pages without a language are captured once.
          const isShown = path.startsWith(`${language}/`) || language === "en";
          if (isShown) await draw(reader, path, `${language}-${viewport.width}-${colorScheme}`);
        }
      }
    }
  }
  console.log(`${count} pictures in ${values.to}/`);
}

async function drawForReadme(folder: string): Promise<void> {
  const size = { width: 1280, height: 1100 };
  await drawTop(site, "en/index.html", join(folder, "front.webp"), size);
  await drawTop(site, "hi/daily/aquarius/index.html", join(folder, "sign.webp"), size);
  for (const theme of ["playful", "framed"]) {
    const themed = await siteWith(theme, "en");
    const to = `docs/images/theme-${theme}.webp`;
    await drawTop(themed, "en/daily/leo/index.html", to, { width: 1120, height: 709 });
  }
}

/** Saves WebP, a third of the size. */
async function drawTop(of: Site, path: string, to: string, viewport: { width: number; height: number }) {
  const reader = await newReader(browser, () => of, { viewport, colorScheme: "light" });
  await reader.open(path);
  const devtools = await reader.page.context().newCDPSession(reader.page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  writeFileSync(to, Buffer.from(data, "base64"));
  await reader.page.context().close(); // a page behind another has no picture
}

async function printTable(): Promise<void> {
  const reader = await newReader(browser, () => site, { viewport: phone });
  console.log("| language | bytes, gzip | requests | layout shift | first sentence |\n|---|---|---|---|---|");
  for (const language of languageNames) {
    const paths = periodKinds.map((kind) => `${language}/${kind}/leo/index.html`);
    const path = paths.find((one) => site.has(one)) ?? `${language}/index.html`;
    await reader.open(path);
    const bytes = gzipSync(site.get(path)?.bytes ?? "").length;
    const asked = reader.asked.filter((address) => !address.endsWith("/icon.svg")).length;
    const shift = await numberOn(
      reader,
      `new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) sum += value;
      }).observe({ type: "layout-shift", buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 50)));
    })`,
    );
    const screens = await numberOn(
      reader,
      `(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector("article section p") ?? document.querySelector("main p"));
      return (range.getClientRects()[0].top + scrollY) / innerHeight;
    })()`,
    );
    console.log(`| ${language} | ${bytes} | ${asked} | ${shift} | ${screens.toFixed(2)} |`);
  }
}

async function numberOn({ page }: Reader, script: string): Promise<number> {
  return z.number().parse(await page.evaluate(script));
}

async function draw(reader: Reader, path: string, device: string): Promise<void> {
  await reader.open(path);
  const name = `${nameOf(kindOf(path))}-${device}.png`;
  await reader.page.screenshot({ path: join(values.to, name), fullPage: true });
  count += 1;
}

/** Name of a kind of page, from its path without the common part: `decks-tarot-draw`, or `of-all` without a language. */
function nameOf(kind: string): string {
  const path = kind.replace(/(?:index)?\.html$/, "");
  const words = path.startsWith("{language}/") ? path.replace("{language}/", "") : `of-all/${path}`;
  return (
    words
      .replaceAll(/[{}]/g, "")
      .split("/")
      .filter((word) => word !== "")
      .join("-") || "front"
  );
}
