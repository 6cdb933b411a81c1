// Parses the arguments of `almanac reading` into one request. Invalid arguments are refused before any call.
import {
  type Language,
  namedLanguage,
  isOfFamily,
  isOperation,
  languagesOf,
  type Operation,
  operationNames,
  operations,
  rowOf,
  isSign,
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
import { nearestLanguage, nearestName } from "../../worker/settings/nearest-name.ts";
import { WrongUsage } from "../terminal/errors.ts";

/** The options of `almanac reading` that go into the request. */
export interface ReadingOptions {
  readonly language?: string | undefined;
  readonly sign?: string | undefined;
  readonly sign1?: string | undefined;
  readonly sign2?: string | undefined;
  readonly fullName?: string | undefined;
  readonly born?: string | undefined;
  readonly period?: string | undefined;
  readonly cards?: number | undefined;
  readonly cardImage?: number | undefined;
}

/** Each option with the form field that it fills: an operation takes it if its row has the field. */
const flags = [
  { name: "sign", flag: "--sign", field: "sign", value: "<sign>" },
  { name: "sign1", flag: "--sign-1", field: "sign_1", value: "<sign>" },
  { name: "sign2", flag: "--sign-2", field: "sign_2", value: "<sign>" },
  { name: "fullName", flag: "--full-name", field: "full_name", value: "<name>" },
  { name: "born", flag: "--born", field: "day", value: "<date>" },
  { name: "period", flag: "--period", field: "tzone", value: "<period>" },
  { name: "cards", flag: "--cards", field: "cards_count", value: "1-5" },
  { name: "cardImage", flag: "--card-image", field: "card_image", value: "1-3" },
] as const;

/** The options that an operation takes; without a period it is today's or the current one. */
export function flagsOf(operation: Operation) {
  const { required, optional } = rowOf(operation);
  return flags
    .filter(({ field }) => required.includes(field) || optional.includes(field))
    .map(({ name, flag, field, value }) => ({
      name,
      flag,
      value,
      required: name !== "period" && required.includes(field),
    }));
}

export function typedOperation(text: string): Operation {
  const name = text.toLowerCase();
  if (isOperation(name)) return name;
  const meant = operationNames.find((known) => known.includes(name)) ?? nearestName(name, operationNames);
  throw new WrongUsage(`unknown operation "${text}"`, meant, {
    allowed: "`almanac reading --list` lists all operations",
  });
}

export function typedLanguage(text: string, operation: Operation): Language {
  const available = languagesOf(operation);
  const allowed = `${operation} is available in ${available.join(", ")}`;
  const named = namedLanguage(text);
  if (named !== undefined && available.includes(named)) return named;
  const meant = named ?? nearestLanguage(text);
  if (meant === undefined) throw new WrongUsage(`unknown language "${text}"`, undefined, { allowed });
  const shown = `${meant}, ${englishName(meant)}`;
  if (available.includes(meant))
    throw new WrongUsage(`unknown language "${text}"`, meant, { shown, allowed });
  throw new WrongUsage(`${operation} is not available in ${meant} (${englishName(meant)})`, undefined, {
    allowed,
  });
}

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
  requireFlags(operation, options);
  if (isOfFamily(operation, "horoscope")) {
    const period = periodIn(operations[operation].due, options.period, date);
    return { request: { operation, language, period, sign: signIn("--sign", options.sign) } };
  }
  if (isOfFamily(operation, "pair")) {
    const sign1 = signIn("--sign-1", options.sign1);
    const sign2 = signIn("--sign-2", options.sign2);
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
function requireFlags(operation: Operation, options: ReadingOptions) {
  const taken = flagsOf(operation);
  const extra = flags.find(
    ({ name }) => options[name] !== undefined && !taken.some((own) => own.name === name),
  );
  if (extra !== undefined) {
    const allowed = ["--language", ...taken.map(({ flag }) => flag)].join(", ");
    throw new WrongUsage(`${operation} does not take ${extra.flag}`, undefined, {
      allowed: `It takes ${allowed}`,
    });
  }
  const missing = taken.filter(({ name, required }) => required && options[name] === undefined);
  if (missing.length === 0) return;
  const allowed = missing.some(({ value }) => value === "<sign>") ? `Choose ${signs.join(", ")}` : undefined;
  throw new WrongUsage(`${operation} needs ${missing.map(({ flag }) => flag).join(" and ")}`, undefined, {
    allowed,
  });
}

const periodExamples: Record<PeriodKind, string> = {
  daily: "a day such as 2026-11-21",
  weekly: "the first day of a week, a Sunday, such as 2026-11-15",
  monthly: "a month such as 2026-11",
  yearly: "a year such as 2026",
};

/** The key of a period, from a word such as `tomorrow` or from the key itself; `date` is today's in the language's zone. */
function periodIn(kind: PeriodKind, text: string | undefined, date: string): string {
  const current = periodOf(kind, date);
  if (text === undefined) return current;
  if (isPeriodKey(kind, text)) return text;
  const words = periodWords(kind);
  const place = words.indexOf(text.toLowerCase());
  if (place >= 0) return shiftPeriod(kind, current, place - 1);
  throw new WrongUsage(`--period "${text}" is not a ${kind} period`, undefined, {
    allowed: `Choose ${words.join(", ")}, or ${periodExamples[kind]}`,
  });
}

function signIn(flag: string, text = ""): Sign {
  const name = text.toLowerCase();
  if (isSign(name)) return name;
  const [named, ...others] = signsNamedIn(text);
  const meant = others.length === 0 ? (named ?? nearestName(name, signs)) : undefined;
  throw new WrongUsage(`${flag} "${text}" is not a sign`, meant, {
    allowed: `Choose ${signs.join(", ")}`,
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
