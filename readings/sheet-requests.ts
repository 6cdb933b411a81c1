// The requests of one sheet: what has to be whole before it is published.
import type { Language } from "./languages.ts";
import type { Operation } from "./operations.ts";
import type { ReadingRequest } from "./request.ts";
import { signs } from "./signs.ts";

/** The requests of a sheet that has a date; the others have no past of their own. */
export function requestsOf(operation: Operation, language: Language, period: string): ReadingRequest[] {
  switch (operation) {
    case "daily-horoscope":
    case "weekly-horoscope":
    case "monthly-horoscope":
    case "yearly-horoscope":
      return signs.map((sign) => ({ operation, language, period, sign }));
    case "love-compatibility":
    case "which-animal-are-you-reading":
      return [];
    default:
      return [{ operation, language, period }];
  }
}
