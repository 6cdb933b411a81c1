// What a claim keeps of its sheet says of no text that it is new where the sheet gates find that it came before.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readingFrom } from "../../vault/kept-readings.ts";
import { sheetFindings } from "../../readings/sheet-gates.ts";
import { signs } from "../../readings/signs.ts";
import { isUnlike, textsOf } from "../../vault/sheet-texts.ts";
import { day, horoscopeData } from "../support/answers.ts";
import { captureWith } from "../support/captures.ts";

const some = signs.slice(0, 3);
const words = fc.array(fc.constantFrom("One.", "Two.", "Three."), { minLength: 5, maxLength: 5 });
const sheets = fc.tuple(words, words, words);

function sheetOf(texts: readonly (readonly string[])[]) {
  return some.map((sign, at) => {
    const body = JSON.stringify({ success: 1, data: horoscopeData(texts[at] ?? []) });
    const capture = captureWith(`daily/${day}/en/daily-horoscope/${sign}`, body);
    return { capture, ...readingFrom(capture) };
  });
}

test("a sheet is unlike the texts of another exactly where the gates find none of them again", () => {
  const seen = { like: 0, unlike: 0 };
  fc.assert(
    fc.property(sheets, sheets, (one, other) => {
      const [sheet, before] = [sheetOf(one), sheetOf(other)];
      const found = sheetFindings(
        sheet.map(({ reading }) => reading),
        before.map(({ reading }) => reading),
      );
      const again = found.some(({ rule }) => rule === "previous-period");
      expect(isUnlike(sheet, textsOf(before, "one"))).toBe(!again);
      seen[again ? "like" : "unlike"] += 1;
    }),
    { numRuns: 200 },
  );
  expect(Math.min(seen.like, seen.unlike)).toBeGreaterThan(20);
});

test("nothing is said of a sign that the texts lack", () => {
  const sheet = sheetOf([["One."], ["Two."], ["Three."]]);
  const before = sheetOf([["Four."], ["Five."], ["Six."]]);
  expect(isUnlike(sheet, textsOf(before, "one"))).toBe(true);
  expect(isUnlike(sheet, textsOf(before.slice(1), "one"))).toBe(false);
});
