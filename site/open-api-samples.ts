// Invented readings for the examples of the OpenAPI document: one of each operation, of one day, in English.
import { isOfFamily, type Operation, operationNames, operations } from "../readings/operations.ts";
import { pairSeason } from "../readings/pairs.ts";
import { isPeriodKind, periodOf } from "../readings/periods.ts";
import type { Card, HoroscopeReading, Reading, SpreadCard } from "../readings/reading.schema.ts";
import { signs } from "../readings/signs.ts";
import type { Sheet } from "./edition.ts";

export const sampleDate = "2026-11-21";
export const samplePair = ["aries", "leo"] as const;
const receivedAt = "2026-11-20T08:05:00.000Z";
const common = { format: 1, language: "en" } as const;

/** All that is published as data: a person's animal is not. */
export function sampleSheets(): Sheet[] {
  return operationNames.flatMap((operation) => {
    const readings = readingsOf(operation);
    const [first] = readings;
    if (first === undefined) return [];
    const { period } = first;
    return [
      { operation, period, current: true, readings: readings.map((reading) => ({ reading, receivedAt })) },
    ];
  });
}

function readingsOf(operation: Operation): Reading[] {
  if (isOfFamily(operation, "horoscope")) return horoscopes(operation);
  const day = { ...common, period: sampleDate };
  if (isOfFamily(operation, "pair")) return [pair(operation)];
  if (isOfFamily(operation, "cards"))
    return [{ ...day, family: "cards", operation, cards: [card("THE HARBOUR")] }];
  if (isOfFamily(operation, "spread")) {
    const [past, present, future] = [
      spreadCard("THE ROAD"),
      spreadCard("THE BRIDGE"),
      spreadCard("THE GARDEN"),
    ];
    return [{ ...day, family: "spread", operation, past, present, future }];
  }
  if (isOfFamily(operation, "triangle")) {
    const [you, firstLove, secondLove] = [card("THE LAMP"), card("THE LETTER"), card("THE SHORE")];
    return [{ ...day, family: "triangle", operation, you, firstLove, secondLove }];
  }
  if (isOfFamily(operation, "wisdom"))
    return [{ ...day, family: "wisdom", operation, yin: card("THE LAKE"), yang: card("THE FLAME") }];
  if (!isOfFamily(operation, "tarot")) return [];
  const [career, love, finance] = [["A plan wants its first step."], ["Ask, and listen."], ["Count twice."]];
  const name = "THE STAR";
  return [
    {
      ...day,
      family: "tarot",
      operation,
      name,
      category: "upright",
      orientation: "upright",
      career,
      love,
      finance,
      images: [],
    },
  ];
}

function horoscopes(operation: HoroscopeReading["operation"]): HoroscopeReading[] {
  const { due } = operations[operation];
  if (!isPeriodKind(due)) return [];
  const sections = {
    personal: ["A calm hour helps you sort what matters."],
    health: ["A walk in the open does you good."],
    profession: ["Finish one thing before you begin the next."],
    emotions: ["Say what you feel, in few words."],
    travel: ["A short way is the better one."],
  };
  const { format, language } = common;
  return signs.map((sign) => ({
    format,
    language,
    period: periodOf(due, sampleDate),
    family: "horoscope",
    operation,
    sign,
    sections,
    luck: due === "daily" ? [{ label: "Lucky numbers", value: "3, 7" }] : [],
    colors: due === "daily" ? ["#FFD700"] : [],
    scores: due === "daily" ? { personal: 80, luck: 65 } : {},
  }));
}

function pair(operation: "love-compatibility"): Reading {
  const [sign1, sign2] = samplePair;
  return {
    ...common,
    period: pairSeason([sign1, sign2], "en", sampleDate).season,
    family: "pair",
    operation,
    sign1,
    sign2,
    overall: ["You spur each other on."],
    positive: ["Neither of you is ever bored."],
    negative: ["Both of you want the last word."],
    elements: ["Fire and fire."],
    idealDate: ["A race to the top of a hill."],
    scores: { general: 78 },
  };
}

function card(name: string): Card {
  return { name, text: ["What you wait for is on its way."], images: [] };
}

function spreadCard(name: string): SpreadCard {
  return {
    name,
    summary: ["One step leads to the next."],
    keywords: ["patience"],
    advice: ["Take your time."],
    images: [],
  };
}
