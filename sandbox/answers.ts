// From a parsed request to the body that answers it.
import { rowOf } from "../readings/operations.ts";
import type { Ask, CardShape, Data } from "./ask.ts";
import { animalData, cardData } from "./draws.ts";
import { horoscopeData, pairData } from "./horoscopes.ts";
import type { Random } from "./random.ts";

export interface AnswerOptions {
  /** Sign names, months and dates in the language asked for; whether the live service does so is not known. */
  readonly translated: boolean;
  /** The shape of answers to card operations that have several; drawn at random when absent. */
  readonly shape: CardShape | undefined;
}

export function dataFor(ask: Ask, options: AnswerOptions, draws: Random): Data {
  if ("sign" in ask) return horoscopeData(ask, options.translated);
  if ("sign1" in ask) return pairData(ask, options.translated);
  if ("person" in ask) return animalData(ask);
  return cardData(ask, draws, options.shape);
}

export function envelope(ask: Ask, data: Data): Data {
  if (rowOf(ask.operation).address !== "legacy") return { success: 1, data };
  return { success: 1, message: "Data fetched successfully", data };
}
