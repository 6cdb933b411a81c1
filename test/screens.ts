// `npm run screens -- [--to screens]`: a picture of each kind of page in five scripts, on a phone and on a desk by day, and
// once more in English in the dark, without the cards' pictures. For looking at: what a test can't see is seen here.
// With `--readme` only the three that the README shows, into docs/pictures/.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { desktop, launchBrowser, newReader, phone, type Reader } from "./browser/support/browser.ts";
import { kindOf, oneOfEachKind, siteIn } from "./site/kinds.ts";

const { values } = parseArgs({
  options: { to: { type: "string", default: "screens" }, readme: { type: "boolean", default: false } },
});
const languages = ["en", "hi", "ar", "zh", "ta"] as const;
const site = siteIn(languages);
const browser = await launchBrowser();
let count = 0;
await (values.readme ? drawForReadme("docs/pictures") : drawAll());
await browser.close();

async function drawAll(): Promise<void> {
  mkdirSync(values.to, { recursive: true });
  for (const viewport of [phone, desktop]) {
    const day = await newReader(browser, () => site, { viewport });
    for (const language of languages) {
      for (const { path } of oneOfEachKind(site, language)) {
        // What belongs to no language is looked at once.
        const isShown = path.startsWith(`${language}/`) || language === "en";
        if (isShown) await draw(day, path, `${language}-${viewport.width}`);
      }
    }
    const dark = { viewport, colorScheme: "dark" } as const;
    const night = await newReader(browser, () => site, dark, { withPictures: false });
    for (const { path } of oneOfEachKind(site, "en")) await draw(night, path, `en-${viewport.width}-dark`);
  }
  console.log(`${count} pictures in ${values.to}/`);
}

/** As WebP, which takes a third of the room. */
async function drawForReadme(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const shown = [
    { path: "en/index.html", name: "front", colorScheme: "light" },
    { path: "hi/daily/aquarius/index.html", name: "sign", colorScheme: "light" },
    { path: "en/past-present-future-reading/index.html", name: "cards", colorScheme: "dark" },
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
  const kind = kindOf(path)
    .replace(/\/?index\.html$/, "")
    .replace(/^{language}\/?/, "")
    .replaceAll(/[{}]/g, "")
    .replaceAll("/", "-");
  const name = `${kind || (path === "index.html" ? "languages" : "front")}-${device}.png`;
  await reader.page.screenshot({ path: join(values.to, name), fullPage: true });
  count += 1;
}
