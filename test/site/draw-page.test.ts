import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { languagesOf, type Language } from "../../readings/tables.ts";
import { documents, type SeenCard } from "../../site/data.schema.ts";
import { heldOutProse } from "../support/prose.ts";
import { languageOfEachScript } from "./kinds.ts";
import { renderedIn, settings, textOf, wholeEdition, renderLanguage } from "./editions.ts";

const operation = "ex-flame-reading";
const path = (language: Language) => `${language}/decks/${operation}/draw/index.html`;

/** A deck of so many cards, with these texts in turn. */
function renderedWith(language: Language, count: number, texts: readonly string[]) {
  const cards = Array.from({ length: count }, (_, index): SeenCard => {
    const day = `2026-11-${String(1 + (index % 20)).padStart(2, "0")}`;
    const text = [0, 1, 2].map((part) => texts[(index * 3 + part) % texts.length] ?? "");
    const receivedAt = `${day}T08:00:00.000Z`;
    return { first: day, last: day, receivedAt, card: { name: `CARD ${index}`, text, images: [] } };
  });
  return renderLanguage({ ...wholeEdition(language, [operation]), decks: [{ operation, cards }] }, settings);
}

const spread = "past-present-future-reading";
const threePlaces = ["past", "present", "future"] as const;

/** The page to draw three cards in their places, of a deck with so many names that each place has had. */
function spreadIn(language: Language, names: number, texts: readonly string[]): Uint8Array {
  const day = "2026-11-20";
  const cards = threePlaces.flatMap((place, of) =>
    Array.from({ length: names }, (_, index): SeenCard => {
      const text = (part: number) => [texts[(index * 7 + of * 3 + part) % texts.length] ?? ""];
      const card = {
        name: `CARD ${index}`,
        keywords: ["Dawn"],
        summary: text(0),
        advice: text(1),
        images: [],
      };
      return { first: day, last: day, receivedAt: `${day}T08:00:00.000Z`, place, card };
    }),
  );
  const files = renderLanguage(
    { ...wholeEdition(language, [spread]), decks: [{ operation: spread, cards }] },
    settings,
  );
  return new TextEncoder().encode(textOf(files, `${language}/decks/${spread}/draw/index.html`));
}

test("a spread of three has a row of cards for past, present and future, with texts for that place and no card twice", () => {
  const page = new TextDecoder().decode(spreadIn("en", 14, ["A text."]));
  const rows = [...page.matchAll(/<h2 class="caps">([^<]+)<\/h2>\s*<ul class="hand">(.*?)<\/ul>/gs)];
  expect(rows.map(([, word]) => word)).toEqual(["Past", "Present", "Future"]);
  const names = rows.flatMap(([, , row = ""]) => [...row.matchAll(/CARD \d+/g)].map(([name]) => name));
  expect(names).toHaveLength(9);
  expect(new Set(names).size).toBe(9);
  expect(page.match(/Dawn/g)).toHaveLength(9);
  expect(page.match(/>Advice</g)).toHaveLength(9);
});

test.each(languageOfEachScript.filter((language) => languagesOf(spread).includes(language)))(
  "a spread of three comes within one round trip in %s",
  (language) => {
    const page = spreadIn(language, 78, heldOutProse(language));
    expect(gzipSync(page).length).toBeLessThan(14_336);
  },
);

describe("cards to draw", () => {
  test("are offered from twelve known ones on, saying how many are known", () => {
    const few = renderedWith("en", 11, ["A text."]);
    expect(few.some((file) => file.path === path("en"))).toBe(false);
    expect(textOf(few, `en/decks/${operation}/index.html`)).not.toContain("/draw/");
    const enough = renderedWith("en", 12, ["A text."]);
    expect(textOf(enough, path("en"))).toContain("Cards in this deck: 12");
    expect(textOf(enough, `en/decks/${operation}/index.html`)).toContain(
      `href="/en/decks/${operation}/draw/"`,
    );
    expect(textOf(enough, `en/${operation}/index.html`)).toContain(`href="/en/decks/${operation}/draw/"`);
    expect(textOf(enough, "en/cards/index.html")).toContain(`href="/en/decks/${operation}/draw/"`);
    expect(textOf(few, "en/cards/index.html")).not.toContain("/draw/");
  });

  test("have the text that the deck has, each name once, and lie face down", () => {
    const files = renderedIn("hi");
    const page = textOf(files, "hi/decks/daily-tarot/draw/index.html");
    const deck = documents.deck.parse(JSON.parse(textOf(files, "v1/hi/decks/daily-tarot.json")));
    const names = [...page.matchAll(/<h2 class="name"><bdi[^>]*>([^<]+)</g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThanOrEqual(3);
    expect(new Set(names).size).toBe(names.length);
    expect(page).not.toContain("<details open");
    const texts = new Set(deck.cards.flatMap(({ card }) => ("career" in card ? card.career : [])));
    const shown = [...page.matchAll(/<p>([^<]+)<\/p>/g)].map(([, text]) => text);
    expect(shown.filter((text) => texts.has(text ?? "")).length).toBeGreaterThanOrEqual(names.length);
  });

  test.each(languageOfEachScript.filter((language) => languagesOf(operation).includes(language)))(
    "are a page within one round trip with long texts that never repeat, in %s",
    (language) => {
      const file = renderedWith(language, 78, heldOutProse(language)).find(
        (one) => one.path === path(language),
      );
      expect(gzipSync(file?.bytes ?? "x".repeat(20_000)).length).toBeLessThan(14_336);
      expect(file).toBeDefined();
    },
  );
});

test("a page of cards tells what the cards said yesterday, and only where that was the day before", () => {
  const edition = wholeEdition("en", ["daily-tarot"]);
  const [today, yesterday] = edition.sets;
  if (today === undefined || yesterday === undefined) throw new Error("two sets were expected");
  const [said] = yesterday.readings;
  if (said?.reading.family !== "tarot") throw new Error("no tarot");
  const beforeOn = (sets: typeof edition.sets) => {
    const page = textOf(renderLanguage({ ...edition, sets }, settings), "en/daily-tarot/index.html");
    return /<details class="before prose">.*?<\/details>/s.exec(page)?.[0] ?? "";
  };
  expect(beforeOn([today, yesterday])).toContain("Yesterday’s cards");
  expect(beforeOn([today, yesterday])).toContain(said.reading.name);
  expect(beforeOn([today])).toBe("");
});
