import { describe, expect, test } from "vitest";
import { languageNames, languages, type Script } from "../../readings/tables.ts";
import { Formats } from "../../site/formats.ts";
import { labelsIn } from "../../site/labels.ts";

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

const english = () => new Map(entries(labelsIn("en")));

describe.each(languageNames)("the labels in %s", (language) => {
  const own = () => entries(labelsIn(language));

  test("are complete, trimmed, in composed form, with the same placeholders", () => {
    expect(
      own()
        .map(([name]) => name)
        .sort(),
    ).toEqual([...english().keys()].sort());
    expect(own().filter(([, text]) => text === "" || text !== text.trim().normalize("NFC"))).toEqual([]);
    const blanksByName = own().map(([name, text]) => [name, blanks(text)]);
    expect(blanksByName).toEqual([...english()].map(([name, text]) => [name, blanks(text)]));
  });

  test("are written in the language's script", () => {
    const { script } = languages[language];
    const words = own().map(([name, text]): [string, string] => [name, text.replaceAll(/\{\w+\}/g, "")]);
    expect(words.filter(([, text]) => !letters[script].test(text))).toEqual([]);
    expect(words.filter(([, text]) => script !== "Latin" && letters.Latin.test(text))).toEqual([]);
  });

  test("differ from their neighbors on a page", () => {
    const { periods, sections, luckKinds, operations, triangle, tarot } = labelsIn(language);
    for (const group of [periods, sections, luckKinds, operations, triangle, tarot]) {
      const words = Object.values(group);
      expect([...new Set(words)]).toEqual(words);
    }
  });
});

test("are not copied from another language", () => {
  const copies = languageNames.filter((language) => {
    const same = entries(labelsIn(language)).filter(([name, text]) => english().get(name) === text);
    return language !== "en" && same.length > 8;
  });
  expect(copies).toEqual([]);
});

test("every language names itself with a capital where its script has one", () => {
  const names = languageNames.map((language) => new Formats(language, "UTC").languageName());
  expect(names.slice(0, 8)).toEqual([
    "English",
    "हिन्दी",
    "中文",
    "日本語",
    "العربية",
    "Русский",
    "Português",
    "Español",
  ]);
  expect(new Set(names).size).toBe(languageNames.length);
});

function blanks(text: string): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([blank]) => blank);
}
