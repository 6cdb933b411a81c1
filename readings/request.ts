// A request: an operation with its parameters and language. Its key is the thread through vault, log,
// quarantine and report; this is the only place that makes one.
import {
  isLanguage,
  type Language,
  wireOf,
  type CardOperation,
  type Field,
  type HoroscopeOperation,
  isOfCards,
  isOfFamily,
  isOperation,
  languagesOf,
  type Operation,
  operations,
  rowOf,
  type EndpointName,
  isSign,
  type Sign,
  signs,
} from "./tables.ts";
import { isPeriodKey, type PeriodWord, reachOf, shiftPeriod, wordFor, offsetHours } from "./calendar.ts";

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
  return [setKey(request), lastOf(request)].join("/");
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
export function setKey(request: ReadingRequest): string {
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
function requireLanguage(operation: Operation, language: Language): void {
  const available = languagesOf(operation);
  if (available.includes(language)) return;
  throw new WrongRequest(`${operation} is not available in ${language}. Choose ${available.join(", ")}`);
}

/** The name of the set that the request is of: the key up to the operation, or the whole key if there are several such sets. */
export function setName(request: ReadingRequest): string {
  const isOneOfSeveral = "sign1" in request || "person" in request || isFurtherDraw(request);
  return isOneOfSeveral ? requestKey(request) : setKey(request);
}

// The requests of one set, which is published only as a whole.
/** The requests of a set with a date; a pair or a person has none, and no list here. */
export function requestsOf(operation: Operation, language: Language, period: string): ReadingRequest[] {
  if (isOfFamily(operation, "horoscope")) return signs.map((sign) => ({ operation, language, period, sign }));
  return isOfCards(operation) ? [{ operation, language, period }] : [];
}

/** The request for the same sign in the period before. */
export function requestBefore(request: HoroscopeRequest): HoroscopeRequest {
  return { ...request, period: shiftPeriod(operations[request.operation].due, request.period, -1) };
}

// Form fields of a request in addition to `api_key`. They come from the operation's row, so a field that is not in the row can't be
// sent. service/service.ts sends them.
/** Personal data, which is only in the configuration and in the form fields. */
export interface Person {
  readonly fullName: string;
  /** `1990-07-05` */
  readonly birthDate: string;
}

/** Time of the call, time zone of its language, and the person of the request. */
interface RequestTime {
  readonly instant: Date;
  readonly zone: string;
  readonly person?: Person;
}

/** English has its own endpoint; every other language goes to the translator. */
export function selectEndpoint(request: Pick<ReadingRequest, "operation" | "language">): EndpointName {
  if (rowOf(request.operation).endpoint === "legacy") return "legacy";
  return request.language === "en" ? "english" : "translator";
}

/** The fields of a request. Throws WrongRequest, before any call, for a request that the interface does not allow. */
export function fieldsFor(request: ReadingRequest, at: RequestTime): [Field, string][] {
  requireLanguage(request.operation, request.language);
  const { required, optional } = rowOf(request.operation);
  const values = valuesOf(request, at);
  const fields: [Field, string][] = [];
  for (const field of [...required, ...optional]) {
    const value = values[field];
    if (value !== undefined) fields.push([field, value]);
    else if (required.includes(field)) throw new WrongRequest(`${request.operation} needs ${field}`);
  }
  return fields;
}

function valuesOf(request: ReadingRequest, at: RequestTime): Partial<Record<Field, string | undefined>> {
  const always = { lan: languageCode(request), tzone: String(offsetHours(at.zone, at.instant)) };
  if ("sign" in request) {
    const word = periodWord(request, at);
    return { ...always, sign: request.sign, h_day: word, week: word, month: word, year: word };
  }
  if ("sign1" in request) return { ...always, sign_1: request.sign1, sign_2: request.sign2 };
  if ("person" in request) {
    const { fullName, birthDate } = personOf(request, at);
    // Whole numbers: `07` would be text.
    const [year, month, day] = birthDate.split("-").map((part) => String(Number(part)));
    return { ...always, full_name: fullName, day, month, year };
  }
  const cards_count = upTo(5, "cards_count", request.cardsCount, request);
  return { ...always, cards_count, card_image: upTo(3, "card_image", request.cardImage, request) };
}

/** The service's code for the language. English is the default, so it is sent only if the field is required. */
function languageCode(request: ReadingRequest): string | undefined {
  const needed = request.language !== "en" || rowOf(request.operation).required.includes("lan");
  return needed ? wireOf(request.language) : undefined;
}

/** Computed at the time of the call, because a retry may come after the zone's midnight. */
function periodWord(request: HoroscopeRequest, at: RequestTime): PeriodWord {
  const { operation, period } = request;
  const kind = operations[operation].due;
  if (!isPeriodKey(kind, period)) throw new WrongRequest(`${operation}: "${period}" is not a ${kind} period`);
  const word = wordFor(kind, period, at.zone, at.instant);
  if (word !== undefined) return word;
  const { from, until } = reachOf(kind, period, at.zone);
  const when = at.instant < from ? "not yet" : "no longer";
  throw new OutOfReach(
    `${operation} for ${period} is ${when} in reach: in ${at.zone} it can be requested from ${from.toISOString()} ` +
      `to ${until.toISOString()}, and it is now ${at.instant.toISOString()}`,
  );
}

/** Throws for a number of cards that the operation does not have, instead of letting the service ignore it. */
function upTo(
  most: number,
  field: Field,
  value: number | undefined,
  { operation }: CardRequest,
): string | undefined {
  if (value === undefined) return undefined;
  const { required, optional } = rowOf(operation);
  if (![...required, ...optional].includes(field))
    throw new WrongRequest(`${operation} does not take ${field}`);
  if (Number.isInteger(value) && value >= 1 && value <= most) return String(value);
  throw new WrongRequest(`${operation}: ${field} must be a whole number from 1 to ${most}, not ${value}`);
}

/** Messages contain only the ID, so that no name or birth date is logged. */
function personOf(request: AnimalRequest, at: RequestTime): Person {
  const { person } = at;
  const which = `the person "${request.person}"`;
  if (person === undefined) throw new WrongRequest(`${which} is not in the configuration`);
  if (person.fullName.trim() === "") throw new WrongRequest(`${which} has no full name`);
  if (isPeriodKey("daily", person.birthDate)) return person;
  throw new WrongRequest(`${which} has an invalid birth date. Use a date such as 1990-07-05`);
}
