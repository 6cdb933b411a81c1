import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languageNames } from "../../readings/tables.ts";
import { documents, type SeenCard } from "../../site/data.schema.ts";
import { withDays } from "../../site/pages/deck-pages.ts";
import { cardsIn } from "../../site/seen-cards.ts";
import { renderedIn, readingFor, settings, textOf, wholeEdition, renderLanguage } from "./editions.ts";

const receivedAt = "2026-11-20T08:00:00.000Z";
const card = (name: string, day: string, text: string): SeenCard => ({
  first: day,
  last: day,
  receivedAt,
  card: { name, text: [text], images: [] },
});

const dates = ["2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21"];
const someCards = fc.uniqueArray(
  fc.record({ name: fc.constantFrom("SUN", "MOON", "STAR"), text: fc.constantFrom("one", "two") }),
  { selector: ({ name }) => name, maxLength: 2 },
);
const someDays = fc
  .dictionary(fc.constantFrom(...dates), someCards)
  .map(
    (days) =>
      new Map(
        Object.entries(days).map(([day, cards]) => [
          day,
          cards.map(({ name, text }) => card(name, day, text)),
        ]),
      ),
  );

describe("a deck", () => {
  test("is the same for any order of its days, and after any change or removal", () => {
    fc.assert(
      fc.property(someDays, someDays, (before, changes) => {
        const deck = withDays([], before);
        const after = new Map([...before, ...changes]);
        const expected = withDays([], after);
        const now = withDays(deck ?? [], changes);
        if (now !== undefined) expect(now).toEqual(expected);
        expect(withDays([], new Map([...after].toReversed()))).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  test("accepts new and equal days without reading the others", () => {
    fc.assert(
      fc.property(someDays, someDays, (before, more) => {
        const deck = withDays([], before) ?? [];
        const fresh = new Map([...more].filter(([day]) => !before.has(day)));
        expect(withDays(deck, fresh)).toEqual(withDays([], new Map([...before, ...fresh])));
        expect(withDays(deck, before)).toEqual(deck);
      }),
    );
  });

  test("has the text of a card's last day, and its first day", () => {
    const days = dates.map((day, index): [string, SeenCard[]] => [day, [card("SUN", day, `text ${index}`)]]);
    expect(withDays([], new Map(days.toReversed()))).toEqual([
      { ...card("SUN", "2026-11-21", "text 4"), first: "2026-11-17" },
    ]);
  });

  test("needs the other days to replace a first or last day that is removed", () => {
    const deck = withDays([], new Map(dates.map((day) => [day, [card("SUN", day, day)]]))) ?? [];
    expect(withDays(deck, new Map([["2026-11-17", []]]))).toBeUndefined();
    expect(withDays(deck, new Map([["2026-11-21", []]]))).toBeUndefined();
    expect(withDays(deck, new Map([["2026-11-19", []]]))).toEqual(deck);
  });

  test("distinguishes reversed and upright cards, and the places of a reading", () => {
    const tarot = readingFor({ operation: "daily-tarot", language: "en", period: "2026-11-21" });
    if (tarot.family !== "tarot") throw new Error("no tarot");
    const both = (["upright", "reversed"] as const).flatMap((orientation) =>
      cardsIn({ reading: { ...tarot, orientation }, receivedAt }),
    );
    expect(withDays([], new Map([["2026-11-21", both]]))).toHaveLength(2);
    const wisdom = readingFor({ operation: "wisdom-reading", language: "en", period: "2026-11-21" });
    if (wisdom.family !== "wisdom") throw new Error("no wisdom");
    const twice = cardsIn({ reading: { ...wisdom, yang: wisdom.yin }, receivedAt });
    expect(twice.map(({ place }) => place)).toEqual(["yin", "yang"]);
    const cards = readingFor({ operation: "divine-angel-reading", language: "en", period: "2026-11-21" });
    if (cards.family !== "cards") throw new Error("no cards");
    const [one] = cards.cards;
    if (one === undefined) throw new Error("no card");
    const alike = { ...cards, cards: [one, { ...one, text: ["Another text."] }] };
    expect(cardsIn({ reading: alike, receivedAt })).toEqual([
      { first: "2026-11-21", last: "2026-11-21", receivedAt, card: one },
    ]);
  });
});

describe("the files of a deck", () => {
  test("have every card of both days, with its text, its picture and when it came up", () => {
    const files = renderedIn("en");
    const deck = documents.deck.parse(
      JSON.parse(textOf(files, "v1/en/decks/past-present-future-reading.json")),
    );
    expect(new Set(deck.cards.map(({ place }) => place))).toEqual(new Set(["past", "present", "future"]));
    const page = textOf(files, "en/decks/past-present-future-reading/index.html");
    for (const { card: seen } of deck.cards) expect(page).toContain(`<bdi>${seen.name}</bdi>`);
    expect(page.match(/<img/g)).toHaveLength(new Set(deck.cards.map((one) => one.card.name)).size);
    expect(textOf(files, "en/past-present-future-reading/index.html")).toContain(
      'href="/en/decks/past-present-future-reading/"',
    );
  });

  test("are there for every operation of cards that a language has, and for no other", () => {
    const decks = renderedIn("gu").filter(({ path }) => path.includes("/decks/"));
    expect(decks.map(({ path }) => path)).toEqual([
      "gu/decks/ex-flame-reading/index.html",
      "gu/decks/in-depth-love-reading/index.html",
      "v1/gu/decks/ex-flame-reading.json",
      "v1/gu/decks/in-depth-love-reading.json",
    ]);
  });

  test("are a page within its size for decks far larger than any that was seen", () => {
    for (const language of languageNames) {
      const edition = wholeEdition(language, ["ex-flame-reading"]);
      const { name } = decksCard(edition);
      const cards = Array.from({ length: 500 }, (_, index) => {
        const own = `${name} ${(index * 7919).toString(36)} ${(index * 104_729).toString(36)}`;
        const day = `2026-${String(1 + (index % 9)).padStart(2, "0")}-${10 + (index % 17)}`;
        const images = [`https://cards.example/a/${encodeURIComponent(own)}.jpg`];
        return { ...card(own, day, "text"), card: { name: own, text: ["text"], images } };
      });
      const files = renderLanguage(
        { ...edition, decks: [{ operation: "ex-flame-reading", cards }] },
        settings,
      );
      const page = files.find(({ path }) => path === `${language}/decks/ex-flame-reading/index.html`);
      expect([language, gzipSync(page?.bytes ?? "").length < 14_336]).toEqual([language, true]);
    }
  });
});

function decksCard({ decks = [] }: ReturnType<typeof wholeEdition>): SeenCard["card"] {
  const seen = decks[0]?.cards[0];
  if (seen === undefined) throw new Error("the edition has no deck");
  return seen.card;
}
