import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { languageNames } from "../../readings/languages.ts";
import { columnsOf, wrap } from "../../scripts/terminal/wrap.ts";
import { sandboxProse } from "../support/prose.ts";

const clusters = new Intl.Segmenter("und", { granularity: "grapheme" });
const letters = (text: string) => [...clusters.segment(text)].map(({ segment }) => segment);
const withoutBlanks = (text: string) => text.replaceAll(/\s/g, "");

describe("the width of a text", () => {
  it.each([
    ["abc", 3],
    ["é", 1],
    ["e\u0301", 1],
    ["今日", 4],
    ["、。「」", 8],
    ["ｱｲｳ", 3],
    ["Ａ", 2],
    ["क्षमा", 4],
    ["🌙", 2],
    ["a\u200Db", 2],
  ])("of %s is %i columns", (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });
});

describe("wrapping", () => {
  it("breaks at blanks and keeps the indent within the width", () => {
    expect(wrap("one two  three four", { language: "en", columns: 11, indent: "  " })).toEqual([
      "  one two",
      "  three",
      "  four",
    ]);
  });

  it("breaks Chinese and Japanese between words, without blanks, counting two columns a letter", () => {
    expect(wrap("今天是个好日子，你可以开始新的事情。", { language: "zh", columns: 16 })).toEqual([
      "今天是个好日子，",
      "你可以开始新的",
      "事情。",
    ]);
  });

  it.each(["zh", "ja"])(
    "begins no line of %s with a closing mark and ends none with an opening one",
    (language) => {
      const text =
        "「今日」は、（とても）良い日です。「新しい」ことを始めてみましょう！スーパーマーケットへ。".repeat(
          3,
        );
      for (let columns = 20; columns < 60; columns += 1) {
        const lines = wrap(text, { language, columns });
        expect(lines.join("")).toBe(text);
        for (const line of lines) {
          expect(line).not.toMatch(/^[、。」）！ー]/);
          expect(line).not.toMatch(/[「（]$/);
        }
      }
    },
  );

  it("keeps a no-break space and the word before it together", () => {
    expect(wrap("aaaa bbb\u00A0: c", { language: "fr", columns: 8 })).toEqual(["aaaa", "bbb\u00A0: c"]);
  });

  it("cuts a word that is longer than a line between letters, their marks staying with them", () => {
    const word = "क्षमाप्रार्थी".repeat(4);
    const lines = wrap(word, { language: "hi", columns: 7 });
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.flatMap(letters)).toEqual(letters(word));
  });

  it.each(languageNames)("of prose in %s loses no letter and keeps to the width", (language) => {
    const prose = sandboxProse(language).join(" ");
    for (const columns of [20, 41, 80]) {
      const lines = wrap(prose, { language, columns });
      expect(withoutBlanks(lines.join(""))).toBe(withoutBlanks(prose));
      expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(columns);
    }
  });

  it("of any text loses nothing but blanks, and passes the width only by one cluster", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.integer({ min: 1, max: 90 }),
        (text, columns) => {
          const lines = wrap(text, { language: "ja", columns });
          expect(withoutBlanks(lines.join(""))).toBe(withoutBlanks(text));
          const tooWide = lines.filter((line) => columnsOf(line) > columns && letters(line).length > 1);
          expect(tooWide).toEqual([]);
        },
      ),
    );
  });
});
