// The requests of one sheet: what has to be whole before it is published.
import type { Language } from "./languages.ts";
import { isOfFamily, isOfCards, type Operation } from "./operations.ts";
import type { ReadingRequest } from "./request.ts";
import { signs } from "./signs.ts";

/** The requests of a sheet with a date; a pair or a person has none, and no list here. */
export function requestsOf(operation: Operation, language: Language, period: string): ReadingRequest[] {
  if (isOfFamily(operation, "horoscope")) return signs.map((sign) => ({ operation, language, period, sign }));
  return isOfCards(operation) ? [{ operation, language, period }] : [];
}
