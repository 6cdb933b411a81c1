// A deck: every card that an operation has shown, once for each place and position, with the text of its last day. It
// depends on the days' readings alone, in whatever order they come.
import type { Language } from "../readings/languages.ts";
import { operationNames } from "../readings/operations.ts";
import { places, type SeenCard, tarotCard } from "./data.schema.ts";
import type { Draft } from "./draft.ts";
import type { Deck, ReceivedReading } from "./edition.ts";
import { printData } from "./data.ts";
import { deckPage } from "./deck-page.ts";
import { pageDraft } from "./document.ts";
import type { Context } from "./page-context.ts";

/** The cards of one day's reading, each once; none for a reading without cards. */
export function cardsIn(received: ReceivedReading): SeenCard[] {
  const cards = new Map<string, SeenCard>();
  for (const card of allIn(received)) if (!cards.has(nameOf(card))) cards.set(nameOf(card), card);
  return [...cards.values()];
}

function allIn({ reading, receivedAt }: ReceivedReading): SeenCard[] {
  const seen = (card: SeenCard["card"], place?: SeenCard["place"]): SeenCard => ({
    first: reading.period,
    last: reading.period,
    receivedAt,
    place,
    card,
  });
  switch (reading.family) {
    case "cards":
      return reading.cards.map((card) => seen(card));
    case "spread":
      return (["past", "present", "future"] as const).map((place) => seen(reading[place], place));
    case "triangle":
      return (["you", "firstLove", "secondLove"] as const).map((place) => seen(reading[place], place));
    case "wisdom":
      return (["yin", "yang"] as const).map((place) => seen(reading[place], place));
    case "tarot":
      return [seen(tarotCard.parse(reading))];
    case "horoscope":
    case "pair":
    case "animal":
      return [];
  }
}

/** The name that tells cards apart: a reversed card has another text than the upright one. */
function nameOf({ card, place }: SeenCard) {
  const position = "category" in card ? (card.orientation ?? card.category) : "";
  return JSON.stringify([place ?? "", card.name, position]);
}

/** The cards of each day, by date; an empty list takes a day out. */
export type Days = ReadonlyMap<string, readonly SeenCard[]>;

/**
 * The deck with these days as they are now. Undefined where the deck has a text of a day that has changed since: only the other
 * days tell which text takes its place.
 */
export function withDays(deck: readonly SeenCard[], days: Days): SeenCard[] | undefined {
  const isGone = (date: string, name: string) =>
    days.get(date)?.every((card) => nameOf(card) !== name) === true;
  for (const card of deck) {
    const name = nameOf(card);
    if (isGone(card.first, name) || isGone(card.last, name)) return undefined;
  }
  return deckOf([...deck, ...[...days.values()].flat()]);
}

/** A deck of these cards, in which a later card of the same day counts: it is from the day as it is now. */
function deckOf(cards: readonly SeenCard[]): SeenCard[] {
  const deck = new Map<string, SeenCard>();
  for (const card of cards) {
    const name = nameOf(card);
    const before = deck.get(name);
    const first = before !== undefined && before.first < card.first ? before.first : card.first;
    const newer = before !== undefined && before.last > card.last ? before : card;
    deck.set(name, { ...newer, first });
  }
  return [...deck.values()].sort(inOrder);
}

function inOrder(one: SeenCard, other: SeenCard) {
  const [place, otherPlace] = [one, other].map((card) => places.findIndex((name) => name === card.place));
  if (place !== otherPlace) return (place ?? 0) - (otherPlace ?? 0);
  return nameOf(one) < nameOf(other) ? -1 : 1;
}

export function deckDrafts(language: Language, decks: readonly Deck[]): Draft[] {
  return decks
    .filter(({ cards }) => cards.length > 0)
    .toSorted((one, other) => operationNames.indexOf(one.operation) - operationNames.indexOf(other.operation))
    .flatMap((deck): Draft[] => {
      const { operation, cards } = deck;
      const print = (context: Context) =>
        printData(context, "deck", { language, operation, cards: [...cards] });
      return [
        { at: { row: "deckData", language, operation }, print },
        pageDraft({ row: "deckPage", language, operation }, (context) => deckPage(context, deck)),
      ];
    });
}
