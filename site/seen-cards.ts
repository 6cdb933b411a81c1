// The cards of a reading as a deck takes them (pages/deck-pages.ts), and the name that identifies them there.
import { hash } from "node:crypto";
import { type Language, languages } from "../readings/tables.ts";
import { type SeenCard, tarotCard } from "./data.schema.ts";
import type { Deck, ReceivedReading } from "./edition.ts";

/** The cards of one day's reading, each once; none for a reading without cards. */
export function cardsIn(received: ReceivedReading): SeenCard[] {
  const cards = new Map<string, SeenCard>();
  for (const card of allIn(received)) if (!cards.has(seenName(card))) cards.set(seenName(card), card);
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

/** The name that identifies a card: a reversed card has another text than the upright one. */
export function seenName({ card, place }: SeenCard) {
  const position = "category" in card ? (card.orientation ?? card.category) : "";
  return JSON.stringify([place ?? "", card.name, position]);
}

/** Whether a deck's card is as this reading shows it: two answers may come in one moment, but not with one card. */
export function isFrom(seen: SeenCard, received: ReceivedReading): boolean {
  if (seen.receivedAt !== received.receivedAt || seen.last !== received.reading.period) return false;
  return cardsIn(received).some((card) => seenName(card) === seenName(seen));
}

// The cards that are face down on the page to draw from, dealt by the deck's newest day, so that the same deck makes the same page.
/** In one row, or in three rows of three, which are side by side on a phone. */
const mostInHand = { inOne: 12, inThree: 9 } as const;
/** The limit for all texts in a hand, so that the page comes in one round trip; scripts of few letters and long words compress better. */
const mostTextBytes = { dense: 11_000, other: 20_000 } as const;

/** Cards in a row, all of one place if the deck is drawn place by place. */
interface Hand {
  readonly place: SeenCard["place"];
  readonly cards: readonly SeenCard[];
}

/** A reading of three places is drawn place by place; any other deck is in one row, of which a reader turns three. */
export function handsOf(deck: Deck, language: Language): Hand[] {
  const inPlaces = [...new Set(deck.cards.map(({ place }) => place))];
  const rows = inPlaces.length === 3 ? inPlaces : [undefined];
  const hand = handOf(deck, language, rows.length);
  return rows.map((place) => ({
    place,
    cards: place === undefined ? hand : hand.filter((seen) => seen.place === place),
  }));
}

/** Each name once, as many of each row, in an order that the newest day gives. */
function handOf({ cards }: Deck, language: Language, rows: number): SeenCard[] {
  const day = cards
    .map(({ last }) => last)
    .toSorted()
    .at(-1);
  const placed = cards.map((seen) => ({
    seen,
    order: hash("sha256", `${day} ${seen.place} ${JSON.stringify(seen.card)}`),
  }));
  placed.sort((one, other) => (one.order < other.order ? -1 : 1));
  const { script } = languages[language];
  const isDense = script === "Latin" || script === "Han" || script === "Japanese";
  let left: number = isDense ? mostTextBytes.dense : mostTextBytes.other;
  const most = rows === 1 ? mostInHand.inOne : mostInHand.inThree;
  const hand = new Map<string, SeenCard>();
  const queues = [...Map.groupBy(placed, ({ seen }) => (rows === 1 ? undefined : seen.place)).values()];
  for (let dealt = -1; dealt < hand.size && hand.size < most;) {
    dealt = hand.size;
    for (const queue of queues) {
      const next = queue.find(({ seen }) => !hand.has(seen.card.name))?.seen;
      if (next === undefined) continue;
      left -= Buffer.byteLength(
        cardParts(next.card)
          .flatMap(({ text }) => text)
          .join(" "),
      );
      if (left < 0) return [...hand.values()];
      hand.set(next.card.name, next);
      if (hand.size === most) break;
    }
  }
  return [...hand.values()];
}

/** A part of a card's text, and what it is about where the card says so. */
interface PartOfCard {
  readonly about?: "keywords" | "advice" | "career" | "love" | "finance";
  readonly text: readonly string[];
}

/** The same text as on the page of the card's day. */
export function cardParts(card: SeenCard["card"]): readonly PartOfCard[] {
  if ("text" in card) return [{ text: card.text }];
  if (!("summary" in card))
    return (["career", "love", "finance"] as const).map((about) => ({ about, text: card[about] }));
  const { keywords, summary, advice } = card;
  const words = keywords.length > 0 ? [{ about: "keywords" as const, text: keywords }] : [];
  return [...words, { text: summary }, { about: "advice", text: advice }];
}
