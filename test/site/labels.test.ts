import { describe, expect, test } from "vitest";
import { languageNames, languages, type Script } from "../../readings/languages.ts";
import { Formats } from "../../site/formats.ts";
import { labels } from "../../site/labels/labels.ts";

const letters: Record<Script, RegExp> = {
  Latin: /\p{Script=Latin}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Devanagari: /\p{Script=Devanagari}/u,
  Bengali: /\p{Script=Bengali}/u,
  Gujarati: /\p{Script=Gujarati}/u,
  Tamil: /\p{Script=Tamil}/u,
  Telugu: /\p{Script=Telugu}/u,
  Kannada: /\p{Script=Kannada}/u,
  Malayalam: /\p{Script=Malayalam}/u,
  Arabic: /\p{Script=Arabic}/u,
  Han: /\p{Script=Han}/u,
  Japanese: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
};

/** Every label with the names that lead to it. */
function entries(value: object, prefix = ""): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]): [string, string][] => {
    const path = `${prefix}${name}`;
    if (typeof inner === "object" && inner !== null) return entries(inner, `${path}.`);
    return [[path, typeof inner === "string" ? inner : ""]];
  });
}

const english = new Map(entries(labels.en));

describe.each(languageNames)("the labels in %s", (language) => {
  const own = entries(labels[language]);

  test("are all there, trimmed, in composed form, with the same blanks to fill", () => {
    expect(own.map(([name]) => name).sort()).toEqual([...english.keys()].sort());
    for (const [name, text] of own) {
      expect(text, name).not.toBe("");
      expect(text, name).toBe(text.trim().normalize("NFC"));
      expect(blanks(text), name).toEqual(blanks(english.get(name) ?? ""));
    }
  });

  test("are written in the language's script", () => {
    const isLatin = languages[language].script === "Latin";
    for (const [name, text] of own) {
      const words = text.replaceAll(/\{\w+\}/g, "");
      expect(words, name).toMatch(letters[languages[language].script]);
      if (!isLatin) expect(words, name).not.toMatch(letters.Latin);
    }
  });

  test("tell apart what stands side by side", () => {
    const { periods, sections, luckKinds, operations, triangle, tarot } = labels[language];
    for (const group of [periods, sections, luckKinds, operations, triangle, tarot]) {
      const words = Object.values(group);
      expect(new Set(words).size, words.join(", ")).toBe(words.length);
    }
  });
});

test("a language is not another one's copy", () => {
  for (const language of languageNames) {
    if (language === "en") continue;
    const same = entries(labels[language]).filter(([name, text]) => english.get(name) === text);
    expect(same.length, `${language}: ${same.join("; ")}`).toBeLessThan(9);
  }
});

test("every language names itself with a capital where its script has one", () => {
  const names = languageNames.map((language) => new Formats(language, "UTC").languageName());
  expect(names.slice(0, 8)).toEqual(["English", "हिन्दी", "中文", "日本語", "العربية", "Русский", "Português", "Español"]);
  expect(new Set(names).size).toBe(languageNames.length);
});

function blanks(text: string): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([blank]) => blank);
}
