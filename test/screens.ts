// `npm run screens -- [--to screens]`: a picture of each kind of page in six languages of five scripts, on a phone and on a wide
// screen, in light and dark schemes, for visual inspection. In dark mode no card has a picture. With `--readme`, only the two
// pictures of the README and docs/first-night.md, into docs/pictures/.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser } from "./support/chromium.ts";
import { newReader, phone, type Reader } from "./browser/support/browser.ts";
import { fullSiteIn } from "./site/full-site.ts";
import { kindOf, oneOfEachKind } from "./site/kinds.ts";

const { values } = parseArgs({
  options: { to: { type: "string", default: "screens" }, readme: { type: "boolean", default: false } },
});
const languages = ["en", "hi", "ar", "zh", "ta", "de"] as const;
const wideDesk = { width: 1440, height: 900 } as const;
const site = await fullSiteIn(languages);
const browser = await launchBrowser();
let count = 0;
await (values.readme ? drawForReadme("docs/pictures") : drawAll());
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

/** Saves WebP, a third of the size. */
async function drawForReadme(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const shown = [
    { path: "en/index.html", name: "front", colorScheme: "light" },
    { path: "hi/daily/aquarius/index.html", name: "sign", colorScheme: "light" },
  ] as const;
  for (const { path, name, colorScheme } of shown) {
    const viewport = { width: 1280, height: 1100 };
    const reader = await newReader(browser, () => site, { viewport, colorScheme });
    await reader.open(path);
    const devtools = await reader.page.context().newCDPSession(reader.page);
    const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 82 });
    writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, "base64"));
    await reader.page.context().close(); // a page behind another has no picture
  }
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
