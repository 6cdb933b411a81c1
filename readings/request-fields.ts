// The form fields of a request beyond `api_key`. They are walked from the operation's row, so that no field
// which the row lacks can be sent; service/service.ts sends them.
import type { ServiceAddress } from "./service-addresses.ts";
import { languages } from "./languages.ts";
import { type Field, operations, rowOf } from "./operations.ts";
import { isPeriodKey, type PeriodWord, reachOf, wordFor } from "./periods.ts";
import {
  type AnimalRequest,
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
  readonly person?: Person | undefined;
}

/** English goes to its own address without a detour, every other language to the translator. */
export function addressOf(request: Pick<ReadingRequest, "operation" | "language">): ServiceAddress {
  if (rowOf(request.operation).address === "legacy") return "legacy";
  return request.language === "en" ? "english" : "translator";
}

/** Refuses, before any call, what the interface does not allow. */
export function fieldsFor(request: ReadingRequest, at: AskedAt): [Field, string][] {
  requireLanguage(request.operation, request.language);
  const { required, optional } = rowOf(request.operation);
  refuseStrays(request, [...required, ...optional]);
  const fields: [Field, string][] = [];
  for (const field of [...required, ...optional]) {
    const value = valueOf(field, request, at);
    if (value !== undefined) fields.push([field, value]);
    else if (required.includes(field)) throw new WrongRequest(`${request.operation} needs ${field}`);
  }
  return fields;
}

/** Asked for three cards, nobody wants to find out from the answer that there is only ever one. */
function refuseStrays(request: ReadingRequest, fields: readonly Field[]): void {
  for (const [field, value] of [
    ["cards_count", cardsCountOf(request)],
    ["card_image", cardImageOf(request)],
  ] as const) {
    if (value !== undefined && !fields.includes(field)) {
      throw new WrongRequest(`${request.operation} takes no ${field}`);
    }
  }
}

function valueOf(field: Field, request: ReadingRequest, at: AskedAt): string | undefined {
  switch (field) {
    case "lan":
      return languageCode(request);
    case "sign":
      return "sign" in request ? request.sign : undefined;
    case "sign_1":
      return "sign1" in request ? request.sign1 : undefined;
    case "sign_2":
      return "sign2" in request ? request.sign2 : undefined;
    case "h_day":
    case "week":
      return "sign" in request ? periodWord(request, at) : undefined;
    case "tzone":
      return String(offsetHours(at.zone, at.instant));
    case "cards_count":
      return upTo(5, field, cardsCountOf(request), request);
    case "card_image":
      return upTo(3, field, cardImageOf(request), request);
    case "full_name":
      return "person" in request ? personOf(request, at).fullName : undefined;
    case "day":
      return "person" in request ? birthPart(request, at, 2) : undefined;
    case "month":
      if ("person" in request) return birthPart(request, at, 1);
      return "sign" in request ? periodWord(request, at) : undefined;
    case "year":
      if ("person" in request) return birthPart(request, at, 0);
      return "sign" in request ? periodWord(request, at) : undefined;
  }
}

/** The service's own code; English is the default, said only where the field is required. */
function languageCode(request: ReadingRequest): string | undefined {
  const needed = request.language !== "en" || rowOf(request.operation).required.includes("lan");
  return needed ? languages[request.language].wire : undefined;
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

function cardsCountOf(request: ReadingRequest): number | undefined {
  return "cardsCount" in request ? request.cardsCount : undefined;
}

function cardImageOf(request: ReadingRequest): number | undefined {
  return "cardImage" in request ? request.cardImage : undefined;
}

function upTo(
  most: number,
  field: Field,
  value: number | undefined,
  request: ReadingRequest,
): string | undefined {
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && value >= 1 && value <= most) return String(value);
  throw new WrongRequest(`${request.operation}: ${field} is a whole number from 1 to ${most}, not ${value}`);
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

/** Year, month and day as whole numbers: `07` would be text. */
function birthPart(request: AnimalRequest, at: AskedAt, index: 0 | 1 | 2): string {
  return String(Number(personOf(request, at).birthDate.split("-")[index]));
}
