// The canonical reading: what an answer becomes, what is published, and where the published JSON Schemas come from.
// Free of titles: labels and headings belong to the site. A changed shape needs a new `format`.
import { z } from "zod";
import { languageNames, type Family, isOfFamily, operationNames, signs } from "./tables.ts";
import { personIdPattern } from "./request.ts";

function readingOf<F extends Family, Content extends z.ZodRawShape>(family: F, content: Content) {
  const own = operationNames.filter((name) => isOfFamily(name, family));
  return z.object({
    format: z.literal(1),
    language: z.enum(languageNames),
    period: z.string().min(1),
    family: z.literal(family),
    operation: z.enum(own),
    ...content,
    corrected: z
      .object({ at: z.iso.datetime(), fields: z.array(z.string().min(1)).min(1) })
      .optional()
      .describe("when a person last corrected texts, and the paths of these texts in the reading"),
  });
}

const paragraphs = z.array(z.string().min(1)).min(1);
const images = z.array(z.url({ protocol: /^https?$/ }));
const percentage = z.number().int().min(0).max(100);
const score = z.number().min(0).max(100);

export const sectionNames = ["personal", "health", "profession", "emotions", "travel"] as const;
export const luckKinds = ["colors", "numbers", "alphabets", "cosmicTip", "singles", "couples"] as const;

const luckLine = z.object({
  /** Known by position, and only when there are six lines. */
  kind: z.enum(luckKinds).optional(),
  label: z.string(),
  value: z.string().min(1),
});

export const horoscopeReading = readingOf("horoscope", {
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

export const pairReading = readingOf("pair", {
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

export const cardsReading = readingOf("cards", {
  cards: z.array(cardSchema).min(1),
});

export const spreadCardSchema = z.object({
  name: z.string().min(1),
  summary: paragraphs,
  keywords: z.array(z.string().min(1)),
  advice: paragraphs,
  images,
});

export const spreadReading = readingOf("spread", {
  past: spreadCardSchema,
  present: spreadCardSchema,
  future: spreadCardSchema,
});

export const triangleReading = readingOf("triangle", {
  you: cardSchema,
  firstLove: cardSchema,
  secondLove: cardSchema,
});

export const wisdomReading = readingOf("wisdom", {
  yin: cardSchema,
  yang: cardSchema,
});

const animalReading = readingOf("animal", {
  person: z.string().regex(personIdPattern),
  birthNumber: z.number().int().optional(),
  animal: z.string().min(1),
  text: paragraphs,
  images,
});

export const tarotReading = readingOf("tarot", {
  name: z.string().min(1),
  /** Category in the service's words; `orientation` is its meaning, if known. */
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
/** The reading of one family, or of several. */
export type ReadingOf<F> = Extract<Reading, { family: F }>;
export type HoroscopeReading = z.infer<typeof horoscopeReading>;
export type Card = z.infer<typeof cardSchema>;
export type LuckLine = z.infer<typeof luckLine>;
