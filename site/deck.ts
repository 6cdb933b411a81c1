// A deck: every card that an operation has shown, once for each place and position, with the text of its last day. It
// depends on the days' readings alone, in whatever order they come.
import type { Language } from "../readings/languages.ts";
import { operationNames } from "../readings/operations.ts";
import type { SeenCard } from "./data.schema.ts";
import { places } from "./words.schema.ts";
import type { Draft } from "./draft.ts";
import type { Deck } from "./edition.ts";
import { printData } from "./data.ts";
import { deckPage } from "./deck-page.ts";
import { drawPage, knownCards, leastKnown } from "./draw-page.ts";
import { pageDraft } from "./document.ts";
import { seenName } from "./seen-cards.ts";
import type { Context } from "./page-context.ts";

/** The cards of each day, by date; an empty list takes a day out. */
export type Days = ReadonlyMap<string, readonly SeenCard[]>;

/**
 * The deck with these days as they are now. Undefined where the deck has a text of a day that has changed since: only the other
 * days tell which text takes its place.
 */
export function withDays(deck: readonly SeenCard[], days: Days): SeenCard[] | undefined {
  const isGone = (date: string, name: string) =>
    days.get(date)?.every((card) => seenName(card) !== name) === true;
  for (const card of deck) {
    const name = seenName(card);
    if (isGone(card.first, name) || isGone(card.last, name)) return undefined;
  }
  return deckOf([...deck, ...[...days.values()].flat()]);
}

/** A deck of these cards, in which a later card of the same day counts: it is from the day as it is now. */
function deckOf(cards: readonly SeenCard[]): SeenCard[] {
  const deck = new Map<string, SeenCard>();
  for (const card of cards) {
    const name = seenName(card);
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
  return seenName(one) < seenName(other) ? -1 : 1;
}

export function deckDrafts(language: Language, decks: readonly Deck[]): Draft[] {
  return decks
    .filter(({ cards }) => cards.length > 0)
    .toSorted((one, other) => operationNames.indexOf(one.operation) - operationNames.indexOf(other.operation))
    .flatMap((deck): Draft[] => {
      const { operation, cards } = deck;
      const print = (context: Context) =>
        printData(context, "deck", { language, operation, cards: [...cards] });
      const drafts: Draft[] = [
        { at: { row: "deckData", language, operation }, print },
        pageDraft({ row: "deckPage", language, operation }, (context) => deckPage(context, deck), undefined, [
          deck,
        ]),
      ];
      if (knownCards(deck) >= leastKnown)
        drafts.push(
          pageDraft({ row: "drawPage", language, operation }, (context) => drawPage(context, deck)),
        );
      return drafts;
    });
}
