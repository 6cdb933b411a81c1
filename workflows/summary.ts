// One line about requests, for the person who looks at Temporal's page.
import { rowOf } from "../readings/operations.ts";
import type { ReadingRequest } from "../readings/request.ts";

/** `daily-horoscope hi 2026-11-22: 12 signs`; one by itself is named: `daily-horoscope aries hi 2026-11-22`. */
export function summaryOf(requests: readonly [ReadingRequest, ...ReadingRequest[]]): string {
  const [first, ...others] = requests;
  const { operation, language, period } = first;
  if (others.length === 0) return `${operation} ${partOf(first)}${language} ${period}`;
  const operations = new Set(requests.map((request) => request.operation));
  if (operations.size > 1) return `${language} ${period}: ${requests.length} cards`;
  const { family } = rowOf(operation);
  const what =
    family === "horoscope" ? "signs" : family === "pair" ? "pairs" : family === "animal" ? "people" : "draws";
  return `${operation} ${language} ${period}: ${requests.length} ${what}`;
}

function partOf(request: ReadingRequest): string {
  if ("sign" in request) return `${request.sign} `;
  if ("sign1" in request) return `${request.sign1}-${request.sign2} `;
  return "";
}
