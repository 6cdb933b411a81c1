import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asciiDigits, cleanLine, cleanParagraphs, countLetters } from "../../readings/clean-text.ts";
import { anyText } from "../support/any-text.ts";
import { hostileTexts, within } from "../support/hostile.ts";

const any = fc.oneof(anyText({ maxLength: 200 }), fc.string({ maxLength: 200 }));

describe("paragraphs", () => {
  it("are split at every kind of line break, trimmed, and never empty", () => {
    expect(cleanParagraphs(" One. \r\n Two.\r\n\r\nThree.\u2028Four.\u2029\u0085Five.\t\n\u00A0")).toEqual([
      "One.",
      "Two.",
      "Three.",
      "Four.",
      "Five.",
    ]);
    expect(cleanParagraphs(" \r\n\t\u200B\uFEFF ")).toEqual([]);
  });

  it("are NFC, well-formed, single-spaced, without controls, whatever comes", () => {
    fc.assert(
      fc.property(any, (text) => {
        for (const paragraph of cleanParagraphs(text)) {
          expect(paragraph).toBe(paragraph.normalize("NFC"));
          expect(paragraph.isWellFormed()).toBe(true);
          expect(paragraph).not.toMatch(/[\p{Cc}\u2028\u2029]|\s\s|^\s|\s$|^$/u);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("are unchanged by a second cleaning", () => {
    fc.assert(
      fc.property(any, (text) => {
        const once = cleanParagraphs(text);
        expect(cleanParagraphs(once.join("\n"))).toEqual(once);
      }),
      { numRuns: 2000 },
    );
  });

  it("compose letters that an invisible character kept apart", () => {
    expect(cleanParagraphs("cafe\u200B\u0301")).toEqual(["café"]);
  });

  it("keep words apart where a form feed or vertical tab did", () => {
    expect(cleanLine("one\ftwo\vthree\tfour")).toBe("one two three four");
  });

  it("lose what reverses, hides or tags text and keep what a script needs", () => {
    expect(cleanLine("\u202Eabc\u202C \u2066x\u2069 soft\u00ADhyphen \u{E0041}")).toBe("abc x softhyphen");
    const hindi = "क्\u200Dष और क्\u200Cष";
    expect(cleanLine(hindi)).toBe(hindi);
    expect(cleanLine("\u200Fبرج الأسد\u200E")).toBe("\u200Fبرج الأسد\u200E");
    expect(cleanLine("👩\u200D🚀 ❤\uFE0F")).toBe("👩\u200D🚀 ❤\uFE0F");
  });

  it("mark a lone surrogate for the rule that refuses it", () => {
    expect(cleanLine("a\uD800b")).toBe("a\uFFFDb");
  });
});

describe("digits", () => {
  it("of every script are read by their value", () => {
    for (const zero of ["0", "٠", "۰", "०", "০", "௦", "౦", "೦", "൦", "૦", "๐", "０"]) {
      const first = zero.codePointAt(0) ?? 0;
      const digits = Array.from({ length: 10 }, (_, value) => String.fromCodePoint(first + value)).join("");
      expect(asciiDigits(`x${digits}y`)).toBe("x0123456789y");
    }
  });
});

describe("letters", () => {
  it("are counted across scripts without digits, marks and punctuation, up to a limit", () => {
    expect(countLetters("Ab 12, ç! नमस्ते")).toBe(7);
    expect(countLetters("abcdef", 3)).toBe(3);
  });
});

describe("a text of 4 MiB", () => {
  it.each(hostileTexts())("of %s is cleaned within a second", (_name, text) => {
    expect(within(1000, () => cleanParagraphs(text))).toBeDefined();
  });
});
