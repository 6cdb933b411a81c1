// From a parsed request to the body that answers it.
import { rowOf } from "../../readings/tables.ts";
import type { AnswerOptions, ReceivedRequest, Data } from "./received-request.ts";
import { animalData, cardData } from "./draws.ts";
import { horoscopeData, pairData } from "./horoscopes.ts";
import type { Random } from "./random.ts";

export function dataFor(request: ReceivedRequest, options: AnswerOptions, draws: Random): Data {
  if ("sign" in request) return horoscopeData(request, options.translated);
  if ("sign1" in request) return pairData(request, options.translated);
  if ("person" in request) return animalData(request, options);
  return cardData(request, draws, options);
}

export function envelope(request: ReceivedRequest, data: Data): Data {
  if (rowOf(request.operation).endpoint !== "legacy") return { success: 1, data };
  return { success: 1, message: "Data fetched successfully", data };
}
