// Groups of requests that batches are made of: a set's twelve signs, a day's cards, a dozen pairs whose texts end at about the same
// time, a dozen people. A batch is of one group. Its name follows from the request and the configuration.
import type { Language } from "./languages.ts";
import { type CardOperation, isOfFamily, type Operation, rowOf } from "./operations.ts";
import { serviceAddressOf } from "./request-fields.ts";

/** The most requests that are asked together. */
export const mostTogether = 12;

/** A horoscope has a group for its set; all cards of a day that one endpoint serves share one. */
export function groupOfSheet(
  operation: Exclude<Operation, "love-compatibility" | "which-animal-are-you-reading">,
  language: Language,
  period: string,
): string {
  const due = `${rowOf(operation).due}/${period}/${language}`;
  const isHoroscope = isOfFamily(operation, "horoscope");
  return isHoroscope ? `${due}/${operation}` : `${due}/cards-${serviceAddressOf({ operation, language })}`;
}

/** The further draws of a day that one endpoint serves. */
export function groupOfDraws(operation: CardOperation, language: Language, period: string): string {
  return `${rowOf(operation).due}/${period}/${language}/draws-${serviceAddressOf({ operation, language })}`;
}

/** `place` is the pair's place among the configured ones, in the order of their nights. */
export function groupOfPairs(language: Language, season: string, place: number): string {
  return `seasonal/${season}/${language}/love-compatibility/${Math.floor(place / mostTogether)}`;
}

/** `place` is the person's place in the configuration. */
export function groupOfPeople(language: Language, place: number): string {
  return `once/always/${language}/which-animal-are-you-reading/${Math.floor(place / mostTogether)}`;
}
