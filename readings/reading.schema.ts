// The canonical reading: what an answer becomes, what is published, and where the published JSON Schemas come from.
// Free of titles: labels and headings belong to the site. A changed shape needs a new `format`.
import { z } from "zod";
import { languageNames } from "./languages.ts";
import { type Family, type Operation, operationNames, operations } from "./operations.ts";
import { personIdPattern } from "./request.ts";
import { signs } from "./signs.ts";

function operationsOf<F extends Family>(family: F) {
  type OfFamily = { [O in Operation]: (typeof operations)[O]["family"] extends F ? O : never }[Operation];
  return z.enum(operationNames.filter((name): name is OfFamily => operations[name].family === family));
}

const paragraphs = z.array(z.string().min(1)).min(1);
const images = z.array(z.url({ protocol: /^https?$/ }));
const percentage = z.number().int().min(0).max(100);
const score = z.number().min(0).max(100);

export const sectionNames = ["personal", "health", "profession", "emotions", "travel"] as const;
export const luckKinds = ["colors", "numbers", "alphabets", "cosmicTip", "singles", "couples"] as const;

const common = {
  format: z.literal(1),
  language: z.enum(languageNames),
  period: z.string().min(1),
};

const luckLine = z.object({
  /** Known by position, and only when there are six lines. */
  kind: z.enum(luckKinds).optional(),
  label: z.string(),
  value: z.string().min(1),
});

export const horoscopeReading = z.object({
  ...common,
  family: z.literal("horoscope"),
  operation: operationsOf("horoscope"),
  sign: z.enum(signs),
  sections: z.object({
    personal: paragraphs,
    health: paragraphs,
    profession: paragraphs,
    emotions: paragraphs,
    travel: paragraphs,
  }),
  luck: z.array(luckLine),
  colors: z.array(z.string().regex(/^#[0-9A-F]{6}$/)),
  scores: z.object({
    personal: percentage.optional(),
    health: percentage.optional(),
    profession: percentage.optional(),
    emotions: percentage.optional(),
    travel: percentage.optional(),
    luck: percentage.optional(),
  }),
});

export const pairReading = z.object({
  ...common,
  family: z.literal("pair"),
  operation: operationsOf("pair"),
  sign1: z.enum(signs),
  sign2: z.enum(signs),
  overall: paragraphs,
  positive: paragraphs,
  negative: paragraphs,
  elements: paragraphs,
  idealDate: paragraphs,
  scores: z.object({ general: score.optional(), communication: score.optional(), sex: score.optional() }),
});

export const cardSchema = z.object({ name: z.string().min(1), text: paragraphs, images });

export const cardsReading = z.object({
  ...common,
  family: z.literal("cards"),
  operation: operationsOf("cards"),
  cards: z.array(cardSchema).min(1),
});

export const spreadCardSchema = z.object({
  name: z.string().min(1),
  summary: paragraphs,
  keywords: z.array(z.string().min(1)),
  advice: paragraphs,
  images,
});

export const spreadReading = z.object({
  ...common,
  family: z.literal("spread"),
  operation: operationsOf("spread"),
  past: spreadCardSchema,
  present: spreadCardSchema,
  future: spreadCardSchema,
});

export const triangleReading = z.object({
  ...common,
  family: z.literal("triangle"),
  operation: operationsOf("triangle"),
  you: cardSchema,
  firstLove: cardSchema,
  secondLove: cardSchema,
});

export const wisdomReading = z.object({
  ...common,
  family: z.literal("wisdom"),
  operation: operationsOf("wisdom"),
  yin: cardSchema,
  yang: cardSchema,
});

export const animalReading = z.object({
  ...common,
  family: z.literal("animal"),
  operation: operationsOf("animal"),
  person: z.string().regex(personIdPattern),
  birthNumber: z.number().int().optional(),
  animal: z.string().min(1),
  text: paragraphs,
  images,
});

export const tarotReading = z.object({
  ...common,
  family: z.literal("tarot"),
  operation: operationsOf("tarot"),
  name: z.string().min(1),
  /** As the service says it, and what that means where it is known. */
  category: z.string(),
  orientation: z.enum(["upright", "reversed"]).optional(),
  career: paragraphs,
  love: paragraphs,
  finance: paragraphs,
  images,
});

export const readingSchema = z.discriminatedUnion("family", [
  horoscopeReading,
  pairReading,
  cardsReading,
  spreadReading,
  triangleReading,
  wisdomReading,
  animalReading,
  tarotReading,
]);

export type Reading = z.infer<typeof readingSchema>;
export type HoroscopeReading = z.infer<typeof horoscopeReading>;
export type Card = z.infer<typeof cardSchema>;
export type SpreadCard = z.infer<typeof spreadCardSchema>;
export type LuckLine = z.infer<typeof luckLine>;
