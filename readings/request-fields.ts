// The form fields of a request beyond `api_key`. They are walked from the operation's row, so that no field
// which the row lacks can be sent; service/service.ts sends them.
import type { ServiceAddress } from "./service-addresses.ts";
import { wireOf } from "./languages.ts";
import { type Field, operations, rowOf } from "./operations.ts";
import { isPeriodKey, type PeriodWord, reachOf, wordFor } from "./periods.ts";
import {
  type AnimalRequest,
  type CardRequest,
  type HoroscopeRequest,
  OutOfReach,
  type ReadingRequest,
  requireLanguage,
  WrongRequest,
} from "./request.ts";
import { offsetHours } from "./zones.ts";

/** Stands in the configuration and in the form fields, nowhere else. */
export interface Person {
  readonly fullName: string;
  /** `1990-07-05` */
  readonly birthDate: string;
}

/** The moment of the call and where it is asked for. */
export interface AskedAt {
  readonly instant: Date;
  readonly zone: string;
  readonly person?: Person;
}

/** English goes to its own address without a detour, every other language to the translator. */
export function serviceAddressOf(request: Pick<ReadingRequest, "operation" | "language">): ServiceAddress {
  if (rowOf(request.operation).address === "legacy") return "legacy";
  return request.language === "en" ? "english" : "translator";
}

/** Refuses, before any call, what the interface does not allow. */
export function fieldsFor(request: ReadingRequest, at: AskedAt): [Field, string][] {
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

function valuesOf(request: ReadingRequest, at: AskedAt): Partial<Record<Field, string | undefined>> {
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

/** The service's own code; English is the default, said only where the field is required. */
function languageCode(request: ReadingRequest): string | undefined {
  const needed = request.language !== "en" || rowOf(request.operation).required.includes("lan");
  return needed ? wireOf(request.language) : undefined;
}

/** Worked out at the moment of the call, because a retry may come after the zone's midnight. */
function periodWord(request: HoroscopeRequest, at: AskedAt): PeriodWord {
  const { operation, period } = request;
  const kind = operations[operation].due;
  if (!isPeriodKey(kind, period)) throw new WrongRequest(`${operation}: "${period}" is no ${kind} period`);
  const word = wordFor(kind, period, at.zone, at.instant);
  if (word !== undefined) return word;
  const { from, until } = reachOf(kind, period, at.zone);
  const when = at.instant < from ? "not yet" : "no longer";
  throw new OutOfReach(
    `${operation} for ${period} is ${when} in reach: in ${at.zone} it can be asked from ${from.toISOString()} ` +
      `until ${until.toISOString()}, and this is ${at.instant.toISOString()}`,
  );
}

/** Asked for three cards, nobody wants to find out from the answer that there is only ever one. */
function upTo(
  most: number,
  field: Field,
  value: number | undefined,
  { operation }: CardRequest,
): string | undefined {
  if (value === undefined) return undefined;
  const { required, optional } = rowOf(operation);
  if (![...required, ...optional].includes(field)) throw new WrongRequest(`${operation} takes no ${field}`);
  if (Number.isInteger(value) && value >= 1 && value <= most) return String(value);
  throw new WrongRequest(`${operation}: ${field} is a whole number from 1 to ${most}, not ${value}`);
}

/** Messages name the id alone: a name or a birth date stands in no log. */
function personOf(request: AnimalRequest, at: AskedAt): Person {
  const { person } = at;
  const which = `the person "${request.person}"`;
  if (person === undefined) throw new WrongRequest(`${which} is not in the configuration`);
  if (person.fullName.trim() === "") throw new WrongRequest(`${which} has no full name`);
  if (isPeriodKey("daily", person.birthDate)) return person;
  throw new WrongRequest(`${which} has a birth date that is no day of the calendar such as 1990-07-05`);
}
