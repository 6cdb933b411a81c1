// `npm run pictures`: draws with the browser, ahead of time, the pictures that the code has as files, after a drawing, a colour
// or a name has changed. Those that are shown where somebody shares a page go into
// site/pictures/, the faces of the sandbox's cards into packages/sandbox/faces/. The machine needs the fonts of
// all scripts (Debian's fonts-noto-core and fonts-noto-cjk).
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { type Language, languageNames, signs } from "../../readings/tables.ts";
import { icon } from "../../site/pages/drawings.ts";
import { iconOf } from "../../site/root-files.ts";
import { pictureSize } from "../../site/pages/head.ts";
import { faceName } from "../../packages/sandbox/decks.ts";
import { launchBrowser } from "../support/chromium.ts";
import { cardsToDraw } from "./card-emblems.ts";
import { faceOf, faceSize } from "./card-faces.ts";
import { pictureOf } from "./few-colors.ts";
import { fitWords, pictureIn, wordlessPicture } from "./share-pictures.ts";

const folder = fileURLToPath(new URL("../../site/pictures/", import.meta.url));
const iconSize = { width: 32, height: 32 };
const faces = fileURLToPath(new URL("../../packages/sandbox/faces/", import.meta.url));
// Without the site's own renderer, which can't do without these pictures.
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: pictureSize });
for (const sign of [undefined, ...signs]) {
  await page.setContent(wordlessPicture(sign));
  writeFileSync(join(folder, `${sign ?? "site"}.png`), await pictureOf(page, pictureSize, 16));
}
for (const language of languageNames)
  writeFileSync(join(folder, `languages/${language}.pngs`), await picturesIn(page, language));
await page.setViewportSize(iconSize);
await page.setContent(`<body style="margin: 0">${icon}</body>`);
const favicon = iconOf(await page.screenshot({ omitBackground: true }));
if (favicon !== undefined) writeFileSync(join(folder, "favicon.ico"), favicon);
await page.setViewportSize(faceSize);
for (const { deck, name, emblems } of cardsToDraw()) {
  await page.setContent(faceOf(deck, name, emblems));
  mkdirSync(join(faces, deck), { recursive: true });
  writeFileSync(join(faces, deck, `${faceName(name)}.png`), await pictureOf(page, faceSize, 16));
}
await browser.close();

/** The site's and the twelve signs', one after the other in one file. */
async function picturesIn(drawn: Page, language: Language): Promise<Buffer> {
  const pictures: Buffer[] = [];
  for (const sign of [undefined, ...signs]) {
    await drawn.setContent(pictureIn(language, sign));
    await drawn.evaluate(fitWords);
    pictures.push(await pictureOf(drawn, pictureSize, sign === undefined ? 16 : 8));
  }
  return Buffer.concat(pictures);
}
