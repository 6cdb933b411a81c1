// The cards of a reading as a deck takes them (deck.ts), and the name that tells them apart there.
import { type SeenCard, tarotCard } from "./data.schema.ts";
import type { ReceivedReading } from "./edition.ts";

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

/** The name that tells cards apart: a reversed card has another text than the upright one. */
export function seenName({ card, place }: SeenCard) {
  const position = "category" in card ? (card.orientation ?? card.category) : "";
  return JSON.stringify([place ?? "", card.name, position]);
}

/** Whether a deck's card is as this reading shows it: two answers may come in one moment, but not with one card. */
export function isFrom(seen: SeenCard, received: ReceivedReading): boolean {
  if (seen.receivedAt !== received.receivedAt || seen.last !== received.reading.period) return false;
  return cardsIn(received).some((card) => seenName(card) === seenName(seen));
}
