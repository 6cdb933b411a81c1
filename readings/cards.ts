// The card answers -> readings. Any of them has been seen, or may come, in three forms: `data.cards` as a list,
// `data.prediction` as an object, `data.prediction` as a list; the tarot also with its fields right in `data`.
import type { ReadingOf } from "./reading.schema.ts";
import {
  cardAnswer,
  spreadCardAnswer,
  spreadPrediction,
  tarotAnswer,
  trianglePrediction,
  wisdomPrediction,
  type Collector,
  fieldOf,
  WrongShape,
} from "./collector.ts";
import type { Family, OperationOf } from "./tables.ts";
import type { CardRequest } from "./request.ts";

type RequestOf<F extends Family> = CardRequest & { readonly operation: OperationOf<F> };

/** More cards than any layout has; further ones are dropped and noted. */
const mostCards = 10;

export function readCards(
  request: RequestOf<"cards">,
  data: unknown,
  collect: Collector,
): ReadingOf<"cards"> {
  const answers = cardList(data, collect);
  return {
    ...head(request, "cards"),
    cards: answers.map((answer, index) =>
      readCard(answer, answers.length === 1 ? "card" : `card ${index + 1}`, collect),
    ),
  };
}

export function readSpread(
  request: RequestOf<"spread">,
  data: unknown,
  collect: Collector,
): ReadingOf<"spread"> {
  const list = listOf(3, data);
  const asObject = list ? { past: list[0], present: list[1], future: list[2] } : single(data);
  const places = collect.parse(spreadPrediction, asObject, "data.prediction");
  const read = (place: "past" | "present" | "future") => {
    const answer = collect.parse(spreadCardAnswer, places[place], `data.prediction.${place}`);
    return {
      name: collect.line(`${place}.card`, answer.card),
      summary: collect.prose(`${place}.summary`, answer.summary),
      keywords: collect.lines(`${place}.keywords`, answer.keywords),
      advice: collect.prose(`${place}.advice`, answer.advice),
      images: collect.images(`${place}.image`, answer),
    };
  };
  return {
    ...head(request, "spread"),
    past: read("past"),
    present: read("present"),
    future: read("future"),
  };
}

export function readTriangle(
  request: RequestOf<"triangle">,
  data: unknown,
  collect: Collector,
): ReadingOf<"triangle"> {
  const cards = listOf(3, data) ?? cardsOfTriangle(data, collect);
  return {
    ...head(request, "triangle"),
    you: readCard(cards[0], "you", collect),
    firstLove: readCard(cards[1], "firstLove", collect),
    secondLove: readCard(cards[2], "secondLove", collect),
  };
}

function cardsOfTriangle(data: unknown, collect: Collector) {
  const answer = collect.parse(trianglePrediction, single(data), "data.prediction");
  return [
    { card: answer.card1, result: answer.your, image: answer.card1_image },
    { card: answer.card2, result: answer.lover1, image: answer.card2_image },
    { card: answer.card3, result: answer.lover2, image: answer.card3_image },
  ];
}

export function readWisdom(
  request: RequestOf<"wisdom">,
  data: unknown,
  collect: Collector,
): ReadingOf<"wisdom"> {
  const cards = listOf(2, data) ?? cardsOfWisdom(data, collect);
  return {
    ...head(request, "wisdom"),
    yin: readCard(cards[0], "yin", collect),
    yang: readCard(cards[1], "yang", collect),
  };
}

function cardsOfWisdom(data: unknown, collect: Collector) {
  const answer = collect.parse(wisdomPrediction, single(data), "data.prediction");
  return [
    { card: answer.card1, result: answer.ying, image: answer.card1_image },
    { card: answer.card2, result: answer.yang, image: answer.card2_image },
  ];
}

export function readTarot(
  request: RequestOf<"tarot">,
  data: unknown,
  collect: Collector,
): ReadingOf<"tarot"> {
  const direct = typeof fieldOf(data, "card") === "string";
  const answer = collect.parse(
    tarotAnswer,
    direct ? data : single(data),
    direct ? "data" : "data.prediction",
  );
  const category = collect.optionalLine("category", answer.category) ?? "";
  const orientation = orientationOf(category);
  if (orientation === undefined) collect.notes.push("category: neither upright nor reversed in English");
  return {
    ...head(request, "tarot"),
    name: collect.line("card", answer.card),
    category,
    orientation,
    career: collect.prose("career", answer.career),
    love: collect.prose("love", answer.love),
    finance: collect.prose("finance", answer.finance),
    images: collect.images("image", answer),
  };
}

function head<F extends Family>({ language, period, operation }: RequestOf<F>, family: F) {
  return { format: 1, language, period, family, operation } as const;
}

function orientationOf(category: string) {
  const word = category.toLowerCase();
  if (word === "upright") return "upright";
  return word === "reverse" || word === "reversed" ? "reversed" : undefined;
}

function readCard(answer: unknown, field: string, collect: Collector) {
  const card = collect.parse(cardAnswer, answer, field);
  return {
    name: collect.line(`${field}.card`, card.card),
    text: collect.prose(`${field}.result`, card.result),
    images: collect.images(`${field}.image`, card),
  };
}

function cardList(data: unknown, collect: Collector) {
  const list = listIn(data) ?? [single(data)];
  if (list.length === 0) throw new WrongShape("data: the list of cards is empty");
  if (list.length > mostCards)
    collect.notes.push(`data: ${list.length - mostCards} cards beyond ${mostCards} ignored`);
  return list.slice(0, mostCards);
}

function listIn(data: unknown): unknown[] | undefined {
  const cards = fieldOf(data, "cards");
  const prediction = fieldOf(data, "prediction");
  if (Array.isArray(cards)) return cards;
  return Array.isArray(prediction) ? prediction : undefined;
}

function listOf(length: number, data: unknown) {
  const list = listIn(data);
  return list?.length === length ? list : undefined;
}

/** The one object of an answer that should hold one: `prediction`, or the only entry of a list. */
function single(data: unknown): unknown {
  const list = listIn(data);
  if (list === undefined) return fieldOf(data, "prediction");
  if (list.length === 1) return list[0];
  throw new WrongShape(`data: a list of ${list.length} cards instead of the expected number`);
}
