// The requests of one sheet: what has to be whole before it is published.
import type { Language } from "./languages.ts";
import { isHoroscope, isOfCards, type Operation } from "./operations.ts";
import type { ReadingRequest } from "./request.ts";
import { signs } from "./signs.ts";

/** The requests of a sheet that has a date; the others have no past of their own. */
export function requestsOf(operation: Operation, language: Language, period: string): ReadingRequest[] {
  if (isHoroscope(operation)) return signs.map((sign) => ({ operation, language, period, sign }));
  return isOfCards(operation) ? [{ operation, language, period }] : [];
}
