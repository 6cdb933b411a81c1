// From the words of a command line to one request. Words that make no sense are refused before any call.
import type { Person } from "../../readings/request-fields.ts";
import { type Language, namedLanguage } from "../../readings/languages.ts";
import {
  isOperation,
  languagesOf,
  type Operation,
  operationNames,
  operations,
} from "../../readings/operations.ts";
import { seasonOf } from "../../readings/periods.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { signsNamedIn } from "../../readings/sign-names.ts";
import { isSign, type Sign, signs } from "../../readings/signs.ts";
import { parseDate } from "../../readings/zones.ts";
import { nearestLanguage, nearestName } from "../../worker/settings/nearest-name.ts";
import { WrongUsage } from "../terminal/errors.ts";
import { type ReadingOptions, refuseStrays } from "./flags.ts";
import { periodIn } from "./period.ts";

/** Stands for the person of a one-off reading in keys and messages, where no name may be. */
const someone = "someone";

export function typedOperation(text: string): Operation {
  const name = text.toLowerCase();
  if (isOperation(name)) return name;
  const meant = operationNames.find((known) => known.includes(name)) ?? nearestName(name, operationNames);
  throw new WrongUsage(`there is no operation "${text}"`, meant, {
    allowed: "`almanac reading --list` shows all",
  });
}

export function typedLanguage(text: string, operation: Operation): Language {
  const available = languagesOf(operation);
  const allowed = `${operation} has ${available.join(", ")}`;
  const named = namedLanguage(text);
  if (named !== undefined && available.includes(named)) return named;
  const meant = named ?? nearestLanguage(text);
  if (meant === undefined) throw new WrongUsage(`there is no language "${text}"`, undefined, { allowed });
  if (!available.includes(meant)) {
    throw new WrongUsage(`${operation} is not available in ${meant} (${englishName(meant)})`, undefined, {
      allowed,
    });
  }
  const shown = `${meant}, ${englishName(meant)}`;
  throw new WrongUsage(`there is no language "${text}"`, meant, { shown, allowed });
}

/** The defaults of the command line: the date in the language's zone, the configured cards. */
interface RequestDefaults {
  readonly date: string;
  readonly cards?: { readonly count?: number; readonly image?: number };
}

/** The date says which day, week, month, year or season it is. */
export function requestFrom(
  operation: Operation,
  language: Language,
  options: ReadingOptions,
  { date, cards }: RequestDefaults,
) {
  refuseStrays(operation, options);
  const asked = (request: ReadingRequest, person?: Person) => ({ request, person });
  switch (operation) {
    case "daily-horoscope":
    case "weekly-horoscope":
    case "monthly-horoscope":
    case "yearly-horoscope": {
      const period = periodIn(operations[operation].due, options.period, date);
      return asked({ operation, language, period, sign: signIn("--sign", options.sign) });
    }
    case "love-compatibility": {
      const sign1 = signIn("--sign-1", options.sign1);
      return asked({
        operation,
        language,
        period: seasonOf(date),
        sign1,
        sign2: signIn("--sign-2", options.sign2),
      });
    }
    case "which-animal-are-you-reading":
      return asked({ operation, language, period: "always", person: someone }, personIn(options));
    default: {
      const { cards: cardsCount = cards?.count, cardImage = cards?.image } = options;
      return asked({ operation, language, period: date, cardsCount, cardImage });
    }
  }
}

function signIn(flag: string, text = ""): Sign {
  const name = text.toLowerCase();
  if (isSign(name)) return name;
  const [named, ...others] = signsNamedIn(text);
  const meant = others.length === 0 ? (named ?? nearestName(name, signs)) : undefined;
  throw new WrongUsage(`${flag} "${text}" is no sign`, meant, {
    allowed: `the signs are ${signs.join(", ")}`,
  });
}

/** An error leaves out the name and the birth date, which are nobody's business. */
function personIn({ fullName = "", born = "" }: ReadingOptions): Person {
  if (fullName.trim() === "") throw new WrongUsage("--full-name is empty");
  if (parseDate(born) === undefined)
    throw new WrongUsage("--born is no day of the calendar such as 1990-07-05");
  return { fullName, birthDate: born };
}

export function englishName(language: Language): string {
  return new Intl.DisplayNames("en", { type: "language" }).of(language) ?? language;
}
