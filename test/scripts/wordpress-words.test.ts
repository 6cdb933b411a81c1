import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isOfCards, operationNames } from "../../readings/operations.ts";
import { languageNames } from "../../readings/languages.ts";
import { wordsFolder, pluginWordsOf } from "../../scripts/generate/wordpress-words.ts";

test("the WordPress plugin has the site's own words in every language: else `npm run words`", () => {
  expect(readdirSync(wordsFolder).toSorted()).toEqual(languageNames.map((name) => `${name}.json`).toSorted());
  for (const language of languageNames)
    expect(readFileSync(`${wordsFolder}${language}.json`, "utf8"), language).toBe(pluginWordsOf(language));
});

test("the WordPress plugin knows every operation of cards", () => {
  const source = readFileSync(`${wordsFolder}../includes/class-ask.php`, "utf8");
  const [, list = ""] = /const CARDS += array\((.*?)\);/s.exec(source) ?? [];
  const cards = operationNames.filter(isOfCards);
  const known = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name);
  expect(new Set(known)).toEqual(new Set(cards));
});
