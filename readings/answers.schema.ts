// Schemas of the service's answers, parsed tolerantly. Fields that a reading needs must be present and be text; fields that
// only adorn it may be missing or odd. Unknown fields are dropped here and counted in reading.ts.
import { z } from "zod";

const adornment = z.unknown().optional();

export const periodBlock = z.object({
  personal: z.string(),
  health: z.string(),
  profession: z.string(),
  emotions: z.string(),
  travel: z.string(),
  luck: adornment,
});

/** Fields of every horoscope in addition to its texts; `period` is the field that names the period. */
export const horoscopeHead = z.object({
  sign: z.string(),
  /** The interface document declares a year as a string; a number says the same. */
  period: z.union([z.string(), z.number()]).transform(String),
});

export const special = z.object({ lucky_color_codes: adornment, horoscope_percentage: adornment });

export const pairPrediction = z.object({
  sign_1: z.string(),
  sign_2: z.string(),
  overall_compatibility: z.string(),
  positive_aspects: z.string(),
  negative_aspects: z.string(),
  elements: z.string(),
  ideal_date: z.string(),
  score: adornment,
});

const pictures = { image: adornment, image2: adornment, image3: adornment, card_image: adornment };

export const cardAnswer = z.object({ card: z.string(), result: z.string(), ...pictures });

export const spreadCardAnswer = z.object({
  card: z.string(),
  summary: z.string(),
  keywords: adornment,
  advice: z.string(),
  ...pictures,
});

export const spreadPrediction = z.object({
  past: z.unknown(),
  present: z.unknown(),
  future: z.unknown(),
});

export const trianglePrediction = z.object({
  card1: z.string(),
  card2: z.string(),
  card3: z.string(),
  card1_image: adornment,
  card2_image: adornment,
  card3_image: adornment,
  your: z.string(),
  lover1: z.string(),
  lover2: z.string(),
});

export const wisdomPrediction = z.object({
  card1: z.string(),
  card2: z.string(),
  card1_image: adornment,
  card2_image: adornment,
  ying: z.string(),
  yang: z.string(),
});

export const animalPrediction = z.object({
  birth_number: adornment,
  animal: z.string(),
  result: z.string(),
  ...pictures,
});

export const tarotAnswer = z.object({
  card: z.string(),
  category: adornment,
  career: z.string(),
  love: z.string(),
  finance: z.string(),
  ...pictures,
});
