// The requests of one sheet: what has to be whole before it is published.
import type { Language } from "./languages.ts";
import { isOfFamily, isOfCards, type Operation, operations } from "./operations.ts";
import { shiftPeriod } from "./periods.ts";
import type { HoroscopeRequest, ReadingRequest } from "./request.ts";
import { signs } from "./signs.ts";

/** The requests of a sheet with a date; a pair or a person has none, and no list here. */
export function requestsOf(operation: Operation, language: Language, period: string): ReadingRequest[] {
  if (isOfFamily(operation, "horoscope")) return signs.map((sign) => ({ operation, language, period, sign }));
  return isOfCards(operation) ? [{ operation, language, period }] : [];
}

/** The request for the same sign in the period before. */
export function requestBefore(request: HoroscopeRequest): HoroscopeRequest {
  return { ...request, period: shiftPeriod(operations[request.operation].due, request.period, -1) };
}
