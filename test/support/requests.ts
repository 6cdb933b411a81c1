// One request for each combination of operation and language, at a fixed instant.
import {
  type Language,
  languages,
  languagesOf,
  type Operation,
  operationNames,
  operations,
} from "../../readings/tables.ts";
import { periodOf, seasonOf, localDate } from "../../readings/calendar.ts";
import type { ReadingRequest } from "../../readings/request.ts";

export const testInstant = new Date("2026-11-21T12:00:00Z");

export function requestFor(operation: Operation, language: Language, instant = testInstant): ReadingRequest {
  const date = localDate(languages[language].zone, instant);
  switch (operation) {
    case "daily-horoscope":
    case "weekly-horoscope":
    case "monthly-horoscope":
    case "yearly-horoscope":
      return { operation, language, period: periodOf(operations[operation].due, date), sign: "leo" };
    case "love-compatibility":
      return { operation, language, period: seasonOf(date), sign1: "aries", sign2: "pisces" };
    case "which-animal-are-you-reading":
      return { operation, language, period: "always", person: "example" };
    default:
      return { operation, language, period: date };
  }
}

export const allRequests: readonly ReadingRequest[] = operationNames.flatMap((operation) =>
  languagesOf(operation).map((language) => requestFor(operation, language)),
);
