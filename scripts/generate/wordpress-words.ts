// `npm run words`: writes the words around a text for the WordPress plugin, a file a language, from the site's own labels.
// test/scripts/wordpress-words.test.ts holds the files against them.
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Language, languageNames } from "../../readings/languages.ts";
import { signNames } from "../../readings/sign-names.ts";
import { directionOf } from "../../site/formats.ts";
import { labels } from "../../site/labels/labels.ts";

export const wordsFolder = fileURLToPath(
  new URL("../../integrations/wordpress/almanac/words/", import.meta.url),
);

export function pluginWordsOf(language: Language): string {
  const { operations, sections, luck, luckKinds, bringsLuck, scores, pair, pairScores } = labels[language];
  const { spread, triangle, wisdom, tarot } = labels[language];
  const reading = { sections, luck, luckKinds, bringsLuck, scores, pair, pairScores };
  const cards = { spread, triangle, wisdom, tarot };
  const own = { direction: directionOf(language), signs: signNames[language], operations };
  return `${JSON.stringify({ ...own, ...reading, ...cards }, undefined, 2)}\n`;
}

if (import.meta.main) {
  await mkdir(wordsFolder, { recursive: true });
  for (const language of languageNames)
    await writeFile(`${wordsFolder}${language}.json`, pluginWordsOf(language));
}
