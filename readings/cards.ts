// The card answers -> readings. Any of them has been seen, or may come, in three forms: `data.cards` as a list,
// `data.prediction` as an object, `data.prediction` as a list; the tarot also with its fields right in `data`.
import {
  cardAnswer,
  spreadCardAnswer,
  spreadPrediction,
  tarotAnswer,
  trianglePrediction,
  wisdomPrediction,
} from "./answers.schema.ts";
import { type Collector, fieldOf, WrongShape } from "./collector.ts";
import type { Operation, operations } from "./operations.ts";
import type { Card, Reading, SpreadCard } from "./reading.schema.ts";
import type { CardRequest } from "./request.ts";

type RequestOf<F> = CardRequest & {
  readonly operation: {
    [O in Operation]: (typeof operations)[O]["family"] extends F ? O : never;
  }[Operation];
};
type Of<F> = Extract<Reading, { family: F }>;

/** More cards than any layout has: what is beyond is dropped and noted. */
const mostCards = 10;

export function readCards(request: RequestOf<"cards">, data: unknown, collect: Collector): Of<"cards"> {
  const answers = cardList(data, collect);
  return {
    ...head(request),
    family: "cards",
    operation: request.operation,
    cards: answers.map((answer, index) => readCard(answer, cardName(index, answers.length), collect)),
  };
}

export function readSpread(request: RequestOf<"spread">, data: unknown, collect: Collector): Of<"spread"> {
  const list = listIn(data);
  const asObject = list?.length === 3 ? { past: list[0], present: list[1], future: list[2] } : single(data);
  const places = collect.parse(spreadPrediction, asObject, "data.prediction");
  const read = (place: "past" | "present" | "future"): SpreadCard => {
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
    ...head(request),
    family: "spread",
    operation: request.operation,
    past: read("past"),
    present: read("present"),
    future: read("future"),
  };
}

export function readTriangle(
  request: RequestOf<"triangle">,
  data: unknown,
  collect: Collector,
): Of<"triangle"> {
  const base = { ...head(request), family: "triangle", operation: request.operation } as const;
  const list = listIn(data);
  if (list?.length === 3) {
    return {
      ...base,
      you: readCard(list[0], "you", collect),
      firstLove: readCard(list[1], "firstLove", collect),
      secondLove: readCard(list[2], "secondLove", collect),
    };
  }
  const answer = collect.parse(trianglePrediction, single(data), "data.prediction");
  return {
    ...base,
    you: namedCard("you", answer.card1, answer.your, answer.card1_image, collect),
    firstLove: namedCard("firstLove", answer.card2, answer.lover1, answer.card2_image, collect),
    secondLove: namedCard("secondLove", answer.card3, answer.lover2, answer.card3_image, collect),
  };
}

export function readWisdom(request: RequestOf<"wisdom">, data: unknown, collect: Collector): Of<"wisdom"> {
  const base = { ...head(request), family: "wisdom", operation: request.operation } as const;
  const list = listIn(data);
  if (list?.length === 2) {
    return { ...base, yin: readCard(list[0], "yin", collect), yang: readCard(list[1], "yang", collect) };
  }
  const answer = collect.parse(wisdomPrediction, single(data), "data.prediction");
  return {
    ...base,
    yin: namedCard("yin", answer.card1, answer.ying, answer.card1_image, collect),
    yang: namedCard("yang", answer.card2, answer.yang, answer.card2_image, collect),
  };
}

export function readTarot(request: RequestOf<"tarot">, data: unknown, collect: Collector): Of<"tarot"> {
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
    ...head(request),
    family: "tarot",
    operation: request.operation,
    name: collect.line("card", answer.card),
    category,
    ...(orientation === undefined ? {} : { orientation }),
    career: collect.prose("career", answer.career),
    love: collect.prose("love", answer.love),
    finance: collect.prose("finance", answer.finance),
    images: collect.images("image", answer),
  };
}

function head(request: CardRequest) {
  return { format: 1, language: request.language, period: request.period } as const;
}

function orientationOf(category: string): "upright" | "reversed" | undefined {
  const word = category.toLowerCase();
  if (word === "upright") return "upright";
  return word === "reverse" || word === "reversed" ? "reversed" : undefined;
}

function cardName(index: number, count: number): string {
  return count === 1 ? "card" : `card ${index + 1}`;
}

function readCard(answer: unknown, field: string, collect: Collector): Card {
  const card = collect.parse(cardAnswer, answer, field);
  return {
    name: collect.line(`${field}.card`, card.card),
    text: collect.prose(`${field}.result`, card.result),
    images: collect.images(`${field}.image`, card),
  };
}

function namedCard(field: string, name: string, text: string, image: unknown, collect: Collector): Card {
  return {
    name: collect.line(`${field}.card`, name),
    text: collect.prose(`${field}.result`, text),
    images: collect.imageList(`${field}.image`, [image]),
  };
}

/** The cards of an answer in whichever of the three forms. */
function cardList(data: unknown, collect: Collector): unknown[] {
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

/** The one object of an answer that should hold one: `prediction`, or the only entry of a list. */
function single(data: unknown): unknown {
  const list = listIn(data);
  if (list === undefined) return fieldOf(data, "prediction");
  if (list.length === 1) return list[0];
  throw new WrongShape(`data: a list of ${list.length} cards where another number was expected`);
}
