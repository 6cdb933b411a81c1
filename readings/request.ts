// A request: an operation with its parameters and language. Its key is the thread through vault, log,
// quarantine and report; this is the only place that makes one.
import { isLanguage, type Language } from "./languages.ts";
import {
  type CardOperation,
  type HoroscopeOperation,
  isOfFamily,
  isOperation,
  languagesOf,
  type Operation,
  operations,
  rowOf,
} from "./operations.ts";
import { isPeriodKey } from "./periods.ts";
import { isSign, type Sign } from "./signs.ts";

interface RequestBase {
  readonly language: Language;
  /** `2026-11-21`, a week's first day, `2026-11`, `2026`, a season such as `2026-Q4`, or `always`. */
  readonly period: string;
}

export interface HoroscopeRequest extends RequestBase {
  readonly operation: HoroscopeOperation;
  readonly sign: Sign;
}
export interface PairRequest extends RequestBase {
  readonly operation: "love-compatibility";
  readonly sign1: Sign;
  readonly sign2: Sign;
}
export interface CardRequest extends RequestBase {
  readonly operation: CardOperation;
  /** How many cards and in which picture style: presentation, so no part of the key. */
  readonly cardsCount?: number;
  readonly cardImage?: number;
  /** The number of a further draw of the day, which goes into its deck alone; the day's own reading has none. */
  readonly draw?: number;
}
export interface AnimalRequest extends RequestBase {
  readonly operation: "which-animal-are-you-reading";
  /** A configured id; the name and birth date are looked up at the call and stand nowhere else. */
  readonly person: string;
}
export type ReadingRequest = HoroscopeRequest | PairRequest | CardRequest | AnimalRequest;

export type RequestKey = string;

/**
 * `daily/2026-11-21/hi/daily-horoscope/aries`: period and language first, so that a plan lists only what it needs. Joined, because
 * a template would keep the pieces of each of ten thousands of keys.
 */
export function requestKey(request: ReadingRequest): RequestKey {
  return [sheetKey(request), lastOf(request)].join("/");
}

function lastOf(request: ReadingRequest): string {
  if ("sign" in request) return request.sign;
  if ("sign1" in request) return `${request.sign1}-${request.sign2}`;
  if ("person" in request) return request.person;
  return request.draw === undefined ? "reading" : `draw-${request.draw}`;
}

/** Whether the request is a further draw for a deck (readings/further-draws.ts): it is of no day's page. */
export function isFurtherDraw(request: ReadingRequest): request is CardRequest {
  return "draw" in request && request.draw !== undefined;
}

/** The key up to the operation: what twelve signs of one day have in common. */
export function sheetKey(request: ReadingRequest): string {
  return [rowOf(request.operation).due, request.period, request.language, request.operation].join("/");
}

/** The request that has this key, without a card's presentation; undefined for any text that is not exactly a key. */
export function requestOf(key: RequestKey): ReadingRequest | undefined {
  const [due = "", period = "", language = "", operation = "", last = "", ...more] = key.split("/");
  if (more.length > 0 || !isLanguage(language) || !isOperation(operation)) return undefined;
  if (due !== rowOf(operation).due || !languagesOf(operation).includes(language)) return undefined;
  if (isOfFamily(operation, "horoscope")) {
    const isGood = isPeriodKey(operations[operation].due, period) && isSign(last);
    return isGood ? { operation, language, period, sign: last } : undefined;
  }
  if (operation === "love-compatibility") {
    const [sign1 = "", sign2 = "", ...others] = last.split("-");
    const isGood = seasonPattern.test(period) && isSign(sign1) && isSign(sign2) && others.length === 0;
    return isGood ? { operation, language, period, sign1, sign2 } : undefined;
  }
  if (operation === "which-animal-are-you-reading") {
    const isGood = period === "always" && personIdPattern.test(last);
    return isGood ? { operation, language, period, person: last } : undefined;
  }
  if (!isPeriodKey("daily", period)) return undefined;
  if (last === "reading") return { operation, language, period };
  return drawPattern.test(last)
    ? { operation, language, period, draw: Number(last.slice("draw-".length)) }
    : undefined;
}

const drawPattern = /^draw-[1-9]\d{0,3}$/;

const seasonPattern = /^\d{4}-Q[1-4]$/;

/** A person's id stands in keys and paths: no separator, no name spelled out with blanks, no trick with dots. */
export const personIdPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Thrown before any call for a request that the interface does not allow; says what it allows. */
export class WrongRequest extends Error {
  override readonly name: string = "WrongRequest";
}

/** Thrown for a period that the service no longer gives or does not give yet; says when it does. */
export class OutOfReach extends WrongRequest {
  override readonly name = "OutOfReach";
}

/** Refuses a language that an operation does not have. */
export function requireLanguage(operation: Operation, language: Language): void {
  const available = languagesOf(operation);
  if (available.includes(language)) return;
  throw new WrongRequest(`${operation} is not available in ${language}; it has ${available.join(", ")}`);
}
