// Answers of the card operations, drawn again on every call, and of the person's animal, which stays the same.
import { operations, type Language } from "../../readings/tables.ts";
import type { CardRequest } from "../../readings/request.ts";
import type { AnswerOptions, CardShape, Data, JsonValue, ReceivedPersonRequest } from "./received-request.ts";
import { deckOf, decks } from "./decks.ts";
import { faceAddress } from "./faces.ts";
import { paragraphsOf, proseOf } from "./prose.ts";
import { hashOf, itemAt, pick, pickSome, type Random } from "./random.ts";

interface Drawn extends CardRequest {
  readonly pictures: string | undefined;
}

export function cardData(card: CardRequest, random: Random, { shape, pictures }: AnswerOptions): Data {
  const request = { ...card, pictures };
  switch (operations[request.operation].family) {
    case "cards":
      return cardsData(request, random, shape);
    case "spread":
      return { prediction: spread(request, random) };
    case "triangle":
      return { prediction: triangle(request, random) };
    case "wisdom":
      return { prediction: wisdom(request, random) };
    case "tarot":
      return tarot(request, random);
  }
}

function cardsData(request: Drawn, random: Random, forced: CardShape | undefined): Data {
  const count = request.cardsCount ?? 1;
  // A prediction object holds one card, so several cards come as a list unless a test insists.
  const shape =
    forced ?? pick(random, count > 1 ? (["cards", "list"] as const) : (["cards", "object", "list"] as const));
  const names = pickSome(random, decks[deckOf[request.operation]], count);
  const list: JsonValue[] = names.map((card) => ({
    card,
    result: cardText(request.language, random),
    image: picture(request, card),
  }));
  switch (shape) {
    case "cards":
      return { cards: list };
    case "list":
      return { prediction: list };
    case "object":
      return { prediction: single(request, itemAt(names, 0), random) };
  }
}

function single(request: Drawn, card: string, random: Random): Data {
  const result = cardText(request.language, random);
  const image = picture(request, card);
  if (request.operation === "past-lives-connection-reading") return { card, card_image: image, result };
  if (request.operation === "divine-angel-reading") return { card, result, image };
  return { card, result, image, image2: picture(request, card, 2), image3: picture(request, card, 3) };
}

function spread(request: Drawn, random: Random): Data {
  const prose = proseOf(request.language);
  const names = pickSome(random, decks[deckOf[request.operation]], 3);
  const position = (index: number): Data => ({
    card: itemAt(names, index),
    image: picture(request, itemAt(names, index)),
    summary: cardText(request.language, random),
    keywords: pickSome(random, prose.keywords, 3),
    advice: pick(random, prose.general),
  });
  return { past: position(0), present: position(1), future: position(2) };
}

function triangle(request: Drawn, random: Random): Data {
  const [card1 = "", card2 = "", card3 = ""] = pickSome(random, decks[deckOf[request.operation]], 3);
  return {
    card1,
    card2,
    card3,
    card1_image: picture(request, card1),
    card2_image: picture(request, card2),
    card3_image: picture(request, card3),
    your: cardText(request.language, random),
    lover1: cardText(request.language, random),
    lover2: cardText(request.language, random),
  };
}

function wisdom(request: Drawn, random: Random): Data {
  const [card1 = "", card2 = ""] = pickSome(random, decks[deckOf[request.operation]], 2);
  return {
    card1,
    card2,
    card1_image: picture(request, card1),
    card2_image: picture(request, card2),
    ying: cardText(request.language, random),
    yang: cardText(request.language, random),
  };
}

function tarot(request: Drawn, random: Random): Data {
  const prose = proseOf(request.language);
  const card = pick(random, decks[deckOf[request.operation]]);
  const [first = "", second = "", third = ""] = pickSome(random, prose.general, 3);
  const [career = "", finance = ""] = pickSome(random, prose.topics.profession, 2);
  return {
    card,
    category: pick(random, ["Upright", "Reverse"] as const),
    career: paragraphsOf([career, first]),
    love: paragraphsOf([pick(random, prose.love), second]),
    finance: paragraphsOf([finance, third]),
    image: picture(request, card),
    image2: picture(request, card, 2),
  };
}

/** Two or three paragraphs; now and then a trailing blank, as seen live. */
function cardText(language: Language, random: Random): string {
  const prose = proseOf(language);
  const parts = [pick(random, prose.love), ...pickSome(random, prose.general, random() < 0.5 ? 1 : 2)];
  return random() < 0.15 ? `${paragraphsOf(parts)} ` : paragraphsOf(parts);
}

/** `card_image` is the style of the picture; all styles and numbers show the same face. */
function picture({ operation, cardImage, pictures }: Drawn, card: string, number = 1): string {
  return faceAddress(deckOf[operation], card, { style: cardImage, number, pictures });
}

export function animalData(request: ReceivedPersonRequest, { pictures }: AnswerOptions): Data {
  const prose = proseOf(request.language);
  const number = hashOf(request.person);
  const animal = itemAt(decks.animals, number);
  const parts = [
    itemAt(prose.topics.personal, number),
    itemAt(prose.general, number),
    itemAt(prose.topics.emotions, number + 1),
  ];
  return {
    prediction: {
      birth_number: request.birthNumber,
      animal,
      result: paragraphsOf(parts),
      image: faceAddress("animals", animal, { pictures }),
    },
  };
}
