// Parses the arguments of `almanac reading` into one request. Invalid arguments are refused before any call.
import {
  type Language,
  isOfFamily,
  languagesOf,
  type Operation,
  operations,
  rowOf,
  type Sign,
  signs,
} from "../../readings/tables.ts";
import {
  isPeriodKey,
  type PeriodKind,
  periodOf,
  periodWords,
  seasonOf,
  shiftPeriod,
  parseDate,
} from "../../readings/calendar.ts";
import type { Person, ReadingRequest } from "../../readings/request.ts";
import { signsNamedIn } from "../../readings/sign-names.ts";
import { nearestName } from "../../worker/settings/nearest-name.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { oneOf } from "../terminal/options.ts";

/** The options of `almanac reading` that go into the request. */
export interface ReadingOptions {
  readonly sign?: readonly Sign[] | undefined;
  readonly fullName?: string | undefined;
  readonly born?: string | undefined;
  readonly period?: string | undefined;
  readonly cards?: number | undefined;
  readonly cardImage?: number | undefined;
}

/** Each option with the form field that it fills: an operation takes it if its row has the field. */
const flags = [
  { name: "sign", flag: "--sign", field: "sign", value: "<sign>" },
  { name: "sign", flag: "--sign", field: "sign_1", value: "<sign>,<sign>" },
  { name: "fullName", flag: "--full-name", field: "full_name", value: "<name>" },
  { name: "born", flag: "--born", field: "day", value: "<date>" },
  { name: "period", flag: "--period", field: "tzone", value: "<period>" },
  { name: "cards", flag: "--cards", field: "cards_count", value: "1-5" },
  { name: "cardImage", flag: "--card-image", field: "card_image", value: "1-3" },
] as const;

/** The options that an operation takes; without a period it is today's or the current one. */
export function flagsOf(operation: Operation) {
  const { required, optional } = rowOf(operation);
  const periods = isOfFamily(operation, "horoscope") ? periodWords(operations[operation].due) : [];
  return flags
    .filter(({ field }) => required.includes(field) || optional.includes(field))
    .map(({ name, flag, field, value }) => ({
      name,
      flag,
      value: name === "period" ? periods.join("|") : value,
      required: name !== "period" && required.includes(field),
    }));
}

/** `leo`, or `leo,aries` for a pair. */
export function signsIn(text: string): Sign[] {
  return text.split(",").map((word) => signIn(word.trim()));
}

const signIn = oneOf("sign", signs, "", {
  understand: (word) => signs.find((known) => known === word.toLowerCase()),
  guess: (word) => {
    const named = [...signsNamedIn(word)];
    return named.length === 1 ? named[0] : nearestName(word.toLowerCase(), signs);
  },
});

/** The defaults of the command line: the date in the language's zone, the configured cards. */
interface RequestDefaults {
  readonly date: string;
  readonly cards?: { readonly count?: number; readonly image?: number };
}

/** The request, and its person, whose name and birth date are no part of it. */
export function requestFrom(
  operation: Operation,
  language: Language,
  options: ReadingOptions,
  { date, cards }: RequestDefaults,
): { readonly request: ReadingRequest; readonly person?: Person } {
  requireFlags(operation, language, options);
  const [sign1, sign2, ...others] = options.sign ?? [];
  if (isOfFamily(operation, "horoscope")) {
    if (sign1 === undefined || sign2 !== undefined) throw new WrongUsage(`${operation} needs one sign`);
    const period = periodIn(operations[operation].due, options.period, date);
    return { request: { operation, language, period, sign: sign1 } };
  }
  if (isOfFamily(operation, "pair")) {
    if (sign1 === undefined || sign2 === undefined || others.length > 0)
      throw new WrongUsage(`${operation} needs two signs, such as --sign leo,aries`);
    return { request: { operation, language, period: seasonOf(date), sign1, sign2 } };
  }
  if (isOfFamily(operation, "animal")) {
    // Placeholder for the person: keys and messages must not contain a name.
    const request: ReadingRequest = { operation, language, period: "always", person: "someone" };
    return { request, person: personNamed(options) };
  }
  const { cards: cardsCount = cards?.count, cardImage = cards?.image } = options;
  return { request: { operation, language, period: date, cardsCount, cardImage } };
}

/** Throws for an option that the operation does not take, because a sign's tarot is not just any card, and for a missing one. */
function requireFlags(operation: Operation, language: Language, options: ReadingOptions) {
  const available = languagesOf(operation);
  if (!available.includes(language)) {
    const allowed = `${operation} is available in ${available.join(", ")}`;
    const what = `${operation} is not available in ${language} (${englishName(language)})`;
    throw new WrongUsage(what, undefined, { allowed });
  }
  const taken = flagsOf(operation);
  const extra = flags.find(
    ({ name }) => options[name] !== undefined && !taken.some((own) => own.name === name),
  );
  if (extra !== undefined) {
    const allowed = `It takes ${["--language", ...taken.map(({ flag }) => flag)].join(", ")}`;
    throw new WrongUsage(`${operation} does not take ${extra.flag}`, undefined, { allowed });
  }
  const missing = taken.filter(({ name, required }) => required && options[name] === undefined);
  if (missing.length === 0) return;
  const allowed = missing.some(({ name }) => name === "sign") ? `Choose ${signs.join(", ")}` : undefined;
  const words = missing.map(({ flag, value }) => `${flag} ${value}`).join(" and ");
  throw new WrongUsage(`${operation} needs ${words}`, undefined, { allowed });
}

/** The key of a period, from a word such as `tomorrow` or from the key itself; `date` is today's in the language's zone. */
function periodIn(kind: PeriodKind, text: string | undefined, date: string): string {
  const current = periodOf(kind, date);
  if (text === undefined) return current;
  if (isPeriodKey(kind, text)) return text;
  const words = periodWords(kind);
  const place = words.indexOf(text.toLowerCase());
  if (place >= 0) return shiftPeriod(kind, current, place - 1);
  throw new WrongUsage(`--period "${text}" is not a ${kind} period`, undefined, {
    allowed: `Choose ${words.join(", ")}, or a period such as ${current}`,
  });
}

/** Parses the person. Errors quote neither the name nor the birth date, because they are private. */
function personNamed({ fullName = "", born = "" }: ReadingOptions): Person {
  if (fullName.trim() === "") throw new WrongUsage("--full-name is empty");
  if (parseDate(born) === undefined) throw new WrongUsage("--born is not a date such as 1990-07-05");
  return { fullName, birthDate: born };
}

export function englishName(language: Language): string {
  return new Intl.DisplayNames("en", { type: "language" }).of(language) ?? language;
}
