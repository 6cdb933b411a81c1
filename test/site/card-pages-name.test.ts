import { expect, test } from "vitest";
import { cardName } from "../../site/pages/card-pages.ts";

test.each([
  ["ar", "THE FOOL", true],
  ["hi", "TEMPERANCE", true],
  ["de", "WHEEL OF FORTUNE", true],
  ["de", "DER NARR", false],
  ["fr", "TEMPÉRANCE", false],
  ["fr", "JUSTICE", false], // French as well as English
  ["hi", "मूर्ख", false],
  ["hi", "7", false],
  ["en", "THE FOOL", false],
] as const)("a card's name on a page in %s: %s is marked as English: %s", (language, name, isMarked) => {
  expect(String(cardName(language, name))).toBe(
    isMarked ? `<bdi lang="en">${name}</bdi>` : `<bdi>${name}</bdi>`,
  );
});
