// The language gate looks at a text's commonest words before it asks the detector. Here the gate without that look, the
// detector alone, is the judge of it.
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { alphabets } from "../../readings/gates/alphabets.ts";
import { commonWords } from "../../readings/gates/common-words.ts";
import { languageGate, languageGateBy } from "../../readings/gates/language-gate.ts";
import { isPlainlyIn } from "../../readings/gates/language-by-words.ts";
import { isLanguage, type Language, languageNames, languages } from "../../readings/languages.ts";
import { readCandidate } from "../../readings/reading.ts";
import { cardRequest, cardsData } from "../support/answers.ts";
import { deep } from "../support/deep.ts";
import { neighbours } from "../support/neighbours.ts";
import { declaration, declarationsBeside, heldOutProse, sandboxProse } from "../support/prose.ts";

const listed = Object.keys(alphabets).filter(isLanguage);
const detectorAlone = languageGateBy(() => false);

/** Refused by the detector alone, and let pass by the gate: the text by itself, and as both of two. */
function isLetThrough(language: Language, text: string): boolean {
  if (!piecesOf(text).some((piece) => isPlainlyIn(language, piece))) return false; // both ask the detector
  return [[text], [text, text]].some((texts) => {
    const candidate = readCandidate(cardRequest(language), cardsData(texts));
    return languageGate(candidate).length === 0 && detectorAlone(candidate).length > 0;
  });
}

/** What the gate looks at: the beginning and the end. */
function piecesOf(text: string): string[] {
  return [160, 170].flatMap((size) => [text.slice(0, size), text.slice(-size)]);
}

function letThrough(language: Language, texts: readonly string[]): string[] {
  return texts.filter((text) => isLetThrough(language, text)).map((text) => `${language}: ${text}`);
}

describe("the words", () => {
  it.each(listed)("of %s can be met: they are in its own letters, in lower case, composed", (language) => {
    const { usual = "", telling = "" } = alphabets[language] ?? {};
    const lists: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(commonWords));
    const words = (lists[language] ?? "").split(/\s+/);
    expect(words.length).toBeGreaterThan(70);
    for (const word of words) {
      expect(word).toBe(word.toLowerCase().normalize("NFC"));
      expect(word.match(new RegExp(`[^${usual}${telling}]`, "gu"))).toBeNull();
    }
  });

  it.each(listed)(
    "decide nine in ten pieces of prose in %s, and of a declaration of rights most",
    (language) => {
      const share = (texts: readonly string[]) => {
        const size = languages[language].script === "Latin" ? 160 : 170;
        const pieces = texts.flatMap((text) => [text.slice(0, size), text.slice(-size)]);
        const long = pieces.filter((piece) => piece.length >= 150);
        return long.filter((piece) => isPlainlyIn(language, piece)).length / long.length;
      };
      expect(share(sandboxProse(language))).toBeGreaterThanOrEqual(0.9);
      expect(share(heldOutProse(language))).toBeGreaterThan(0.5);
    },
  );

  it("are none where a script has one language, nor in a text of a few words", () => {
    for (const language of languageNames.filter((name) => !listed.some((one) => one === name)))
      expect(sandboxProse(language).some((text) => isPlainlyIn(language, text))).toBe(false);
    expect(isPlainlyIn("en", "It is the best that you can do, and then there is more of it.")).toBe(false);
  });
});

/** The detector takes them for Spanish, Dutch, Tagalog and Malay. */
const unknown: ReadonlySet<string> = new Set(["Galician", "Afrikaans", "Cebuano", "Javanese"]);

describe("what the detector refuses", () => {
  test.each(listed)(
    "is refused in place of %s: prose of all our languages and of their neighbours",
    (language) => {
      const others = listed.filter((other) => other !== language);
      const ours = others.flatMap((other) => [...sandboxProse(other), ...heldOutProse(other)]);
      expect(letThrough(language, [...ours, ...Object.values(neighbours)])).toEqual([]);
      for (const [name, text] of Object.entries(neighbours).filter(([neighbour]) => !unknown.has(neighbour)))
        expect(languageGate(readCandidate(cardRequest(language), cardsData([text]))), name).not.toEqual([]);
    },
  );

  test.each(listed)(
    "is refused in place of %s: the declaration in the languages of the world",
    (language) => {
      const all = declarationsBeside(language);
      const some = all.filter((_, index) => deep || index % 9 === languageNames.indexOf(language) % 9);
      expect(letThrough(language, some.flatMap(declaration))).toEqual([]);
    },
  );
});

interface Mixture {
  readonly own: Language;
  readonly other: string;
  readonly picked: readonly [number, number];
  /** Of 160 characters, for the other language's at least as many. */
  readonly ownCharacters: number;
  readonly order: "before" | "after" | "among";
}

const mixtures: fc.Arbitrary<Mixture> = fc.record({
  own: fc.constantFrom(...listed),
  other: fc.constantFrom(...listed, ...Object.keys(neighbours)),
  picked: fc.tuple(fc.nat(), fc.nat()),
  ownCharacters: fc.integer({ min: 10, max: 80 }),
  order: fc.constantFrom("before", "after", "among"),
});

function textOf({ own, other, picked, ownCharacters, order }: Mixture): string {
  const mine = cut(textsOf(own), picked[0], ownCharacters);
  const theirs = cut(textsOf(other), picked[1], 160 - ownCharacters);
  switch (order) {
    case "before":
      return `${mine} ${theirs}`;
    case "after":
      return `${theirs} ${mine}`;
    case "among": {
      const [few, many] = [mine.split(" "), theirs.split(" ")];
      return many.map((word, index) => (few[index] === undefined ? word : `${word} ${few[index]}`)).join(" ");
    }
  }
}

function textsOf(name: string): readonly string[] {
  const known = neighbours[name];
  if (known !== undefined) return [known];
  return isLanguage(name) ? [...sandboxProse(name), ...heldOutProse(name)] : [];
}

function cut(texts: readonly string[], picked: number, characters: number): string {
  const text = texts[picked % texts.length] ?? "";
  const from = text.indexOf(" ", (picked * 31) % Math.max(1, text.length - characters)) + 1;
  return text.slice(from, from + characters).trim();
}

describe("two languages in one text", () => {
  const runs = deep ? 200_000 : 4_000;

  it("are let through in hardly one of a thousand texts of which half or more is the other's", () => {
    const texts = fc.sample(mixtures, { numRuns: runs }).filter(({ own, other }) => own !== other);
    const through = texts.filter((mixture) => isLetThrough(mixture.own, textOf(mixture)));
    expect(
      through.length,
      JSON.stringify(
        through.map((one) => [one.own, textOf(one)]),
        undefined,
        1,
      ),
    ) //
      .toBeLessThanOrEqual(runs / 1_000);
  });

  it("are refused as by the detector where a good text is followed by another, or follows it", () => {
    for (const own of listed) {
      const [good = "", more = ""] = sandboxProse(own);
      for (const [at, other] of Object.values(neighbours).entries()) {
        if (!deep && at % 3 !== listed.indexOf(own) % 3) continue;
        for (const text of [`${good} ${more} ${other}`, `${other} ${good} ${more}`])
          expect(isLetThrough(own, text), `${own}: ${text}`).toBe(false);
      }
    }
  });

  it("are no harm where English words stand in a good text, or a few of its own in an English one", () => {
    const english = sandboxProse("en").join(" ").split(" ");
    for (const own of listed.filter((name) => name !== "en")) {
      for (const [at, text] of sandboxProse(own).entries()) {
        const few = text
          .split(" ")
          .slice(0, 12)
          .map((word, index) => `${word} ${english.slice(index * 8 + at, index * 8 + at + 8).join(" ")}`);
        expect(isLetThrough(own, few.join(" "))).toBe(false);
      }
    }
  });
});

describe("an answer of several texts", () => {
  it("is judged as by the detector alone, one text of another language among them or all close", () => {
    for (const own of listed) {
      const good = sandboxProse(own).slice(0, 4);
      for (const other of [
        ...listed.map((name) => sandboxProse(name)[5] ?? ""),
        ...Object.values(neighbours),
      ]) {
        const candidate = readCandidate(cardRequest(own), cardsData([...good, other]));
        const alone = detectorAlone(candidate);
        expect(languageGate(candidate), `${own}: ${other}`).toEqual(alone);
      }
    }
  });
});
