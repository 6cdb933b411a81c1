// The pictures that are shown where a page is shared, of the site and of each sign, once without a word and once in each
// language; `npm run pictures` draws them.
import { readFileSync } from "node:fs";
import { type Language, languageNames } from "../readings/languages.ts";
import { signs } from "../readings/signs.ts";
import type { Draft } from "./draft.ts";
import { pictureFor } from "./theme/theme-pictures.ts";

const shown = [undefined, ...signs];
/** The last chunk of a PNG, which is empty: its length, its name and its check sum. */
const pictureEnd = Buffer.from("\0\0\0\0IEND\xaeB`\x82", "latin1");

/** Those of pages that are of no language, and of other people's own uses. */
export const wordlessPictures = shown.map((sign): Draft => {
  const bytes: Uint8Array = readFileSync(new URL(`pictures/${sign ?? "site"}.png`, import.meta.url));
  return { at: pictureFor(sign, undefined), print: () => [bytes] };
});

const byLanguage = new Map(languageNames.map((language) => [language, picturesOf(language)]));

export function languagePictures(language: Language): readonly Draft[] {
  return byLanguage.get(language) ?? [];
}

/** A language's stand in one file, one after the other: three hundred files would be slow to read at each start. */
function picturesOf(language: Language): Draft[] {
  const file = readFileSync(new URL(`pictures/${language}.pngs`, import.meta.url));
  let start = 0;
  return shown.map((sign) => {
    const end = file.indexOf(pictureEnd, start) + pictureEnd.length;
    const bytes: Uint8Array = file.subarray(start, end);
    start = end;
    return { at: pictureFor(sign, language), print: () => [bytes] };
  });
}
