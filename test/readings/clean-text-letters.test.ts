import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { languageNames, languages, type Script } from "../../readings/tables.ts";
import { countLetters, LetterCounts } from "../../readings/clean-text.ts";
import { deep } from "../support/deep.ts";
import { sandboxProse } from "../support/prose.ts";

const scripts = [...new Set(languageNames.map((language) => languages[language].script))];

const patterns: Readonly<Record<string, string>> = {
  Japanese: "(?=\\p{L})[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]",
  kana: "[\\p{Script=Hiragana}\\p{Script=Katakana}]",
};

/** Counts with a regular expression, which takes ten times as long. */
function counted(text: string, script: Script | "kana"): number {
  const pattern = patterns[script] ?? `(?=\\p{L})\\p{Script=${script}}`;
  return text.match(new RegExp(pattern, "gu"))?.length ?? 0;
}

const mixed = fc.oneof(
  fc.string({ unit: "binary", size: "large" }),
  fc.string({ unit: "grapheme", size: "large" }),
  fc
    .array(fc.constantFrom(...languageNames.flatMap(sandboxProse)), { maxLength: 4 })
    .map((all) => all.join("㋐ 𝒜😀")),
);

describe("the letters of a text", () => {
  it("are counted as a regular expression counts them, in all and of each script", () => {
    fc.assert(
      fc.property(mixed, mixed, (one, other) => {
        const counts = new LetterCounts().add(one);
        counts.plus(new LetterCounts().add(other));
        const text = `${one} ${other}`;
        expect(counts.all).toBe(text.match(/\p{L}/gu)?.length ?? 0);
        expect(countLetters(text)).toBe(counts.all);
        for (const script of [...scripts, "kana"] as const)
          expect(counts.of(script)).toBe(counted(text, script));
      }),
      { numRuns: deep ? 20_000 : 200 },
    );
  });
});
