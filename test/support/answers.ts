// Responses of the right shape around a test's own texts.
import { isFailure } from "../../readings/answer.ts";
import type { Language } from "../../readings/tables.ts";
import { type FitAnswer, judgeAnswer, type RuleLevels } from "../../readings/quality.ts";
import type { HoroscopeRequest, ReadingRequest } from "../../readings/request.ts";
import { answerOf } from "./fuzz.ts";

export const day = "2026-11-21";

export function horoscopeRequest(language: Language): HoroscopeRequest {
  return { operation: "daily-horoscope", language, period: day, sign: "leo" };
}

export function cardRequest(language: Language): ReadingRequest {
  return { operation: "ex-flame-reading", language, period: day };
}

/** The data of a daily horoscope whose five sections are these texts, in turn where there are fewer. */
export function horoscopeData(texts: readonly string[], more: Record<string, unknown> = {}) {
  const text = (index: number) => texts[index % texts.length] ?? "";
  const prediction = {
    personal: text(0),
    health: text(1),
    profession: text(2),
    emotions: text(3),
    travel: text(4),
    luck: [],
  };
  return { sign: "Leo", date: day, prediction, ...more };
}

/** The data of a card answer with one card a text. */
export function cardsData(texts: readonly string[]) {
  return { cards: texts.map((result) => ({ card: "THE SUN", result })) };
}

export function judge(request: ReadingRequest, data: unknown, levels?: RuleLevels): FitAnswer {
  return judgeAnswer(request, answerOf(JSON.stringify({ success: 1, data })), levels);
}

/** `reading`, or the failure's type with its rule and observation: `Unfit short: personal has 3 letters, ...`. */
export function verdictOn(request: ReadingRequest, data: unknown, levels?: RuleLevels): string {
  return verdictOf(() => judge(request, data, levels));
}

/** Rethrows anything but a named failure. */
export function verdictOf(judged: () => FitAnswer): string {
  try {
    judged();
    return "reading";
  } catch (error) {
    if (!isFailure(error)) throw error;
    const rule = "rule" in error ? ` ${String(error.rule)}` : "";
    return `${error.type}${rule}: ${error.seenInFull()}`;
  }
}
