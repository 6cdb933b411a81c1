import { describe, expect, it, test } from "vitest";
import { type Language, languageNames } from "../../readings/languages.ts";
import { languagesOf } from "../../readings/operations.ts";
import {
  cardRequest,
  cardsData,
  horoscopeData,
  horoscopeRequest,
  judge,
  verdictOn,
} from "../support/answers.ts";
import { sandboxProse } from "../support/prose.ts";

const withHoroscopes = languagesOf("daily-horoscope");

function fivesOf(paragraphs: readonly string[]): string[][] {
  return paragraphs.map((_, index) =>
    [0, 1, 2, 3, 4].map((step) => paragraphs[(index + step) % paragraphs.length] ?? ""),
  );
}

/** Each paragraph as a card of its own, and each run of five as cards and as a horoscope. */
function refusals(language: Language, paragraphs: readonly string[]): string[] {
  const alone = paragraphs.map((text) => [text, verdictOn(cardRequest(language), cardsData([text]))]);
  const fives = fivesOf(paragraphs).flatMap((texts) => {
    const cards = verdictOn(cardRequest(language), cardsData(texts));
    if (!withHoroscopes.includes(language)) return [[texts[0], cards]];
    return [
      [texts[0], cards],
      [texts[0], verdictOn(horoscopeRequest(language), horoscopeData(texts))],
    ];
  });
  return [...alone, ...fives]
    .filter(([, verdict]) => verdict !== "reading")
    .map(([text, verdict]) => `${verdict} | ${text?.slice(0, 60)}`);
}

describe("good prose of the sandbox", () => {
  test.each(languageNames)("%s is refused by no gate, alone or in fives", (language) => {
    expect(sandboxProse(language).length).toBeGreaterThanOrEqual(16);
    expect(refusals(language, sandboxProse(language))).toEqual([]);
  });
});

describe("a planted wrong language", () => {
  const pairs = languageNames.flatMap((asked) =>
    languageNames.filter((other) => other !== asked).map((planted) => ({ asked, planted })),
  );

  it("is refused as such in all 650 pairs, as a horoscope or as cards", () => {
    expect(pairs).toHaveLength(650);
    const missed = pairs.flatMap(({ asked, planted }) =>
      fivesOf(sandboxProse(planted)).flatMap((texts) => {
        const verdict = verdictOn(cardRequest(asked), cardsData(texts));
        return verdict.startsWith("Unfit language: ") ? [] : [`${planted} in ${asked}: ${verdict}`];
      }),
    );
    expect(missed).toEqual([]);
  });
  it("is refused on a single card", () => {
    const missed = pairs.flatMap(({ asked, planted }) =>
      sandboxProse(planted).flatMap((text) => {
        const verdict = verdictOn(cardRequest(asked), cardsData([text]));
        return verdict.startsWith("Unfit language: ") ? [] : [`${planted} in ${asked}: ${verdict} ${text}`];
      }),
    );
    expect(missed).toEqual([]);
  });
  it("section of another language is found", () => {
    const missed = pairs.flatMap(({ asked, planted }) => {
      let n = 0,
        all = 0;
      for (const text of sandboxProse(planted)) {
        const own = sandboxProse(asked).slice(0, 4);
        for (const place of [0, 2, 4]) {
          all++;
          const texts = own.toSpliced(place, 0, text);
          const verdict = verdictOn(cardRequest(asked), cardsData(texts));
          if (!verdict.startsWith("Unfit language: ")) n++;
        }
      }
      return n ? [`${planted} in ${asked}: ${n} of ${all}`] : [];
    });
    expect(missed).toEqual([]);
  });
  void judge;
});
