// From a parsed request to the body that answers it.
import { rowOf } from "../readings/operations.ts";
import type { AnswerOptions, Ask, Data } from "./ask.ts";
import { animalData, cardData } from "./draws.ts";
import { horoscopeData, pairData } from "./horoscopes.ts";
import type { Random } from "./random.ts";

export function dataFor(ask: Ask, options: AnswerOptions, draws: Random): Data {
  if ("sign" in ask) return horoscopeData(ask, options.translated);
  if ("sign1" in ask) return pairData(ask, options.translated);
  if ("person" in ask) return animalData(ask, options);
  return cardData(ask, draws, options);
}

export function envelope(ask: Ask, data: Data): Data {
  if (rowOf(ask.operation).endpoint !== "legacy") return { success: 1, data };
  return { success: 1, message: "Data fetched successfully", data };
}
