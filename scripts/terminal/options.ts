// Options that several commands share, read and refused in the same words.
import { userInfo } from "node:os";
import { type Language, languageNames, namedLanguage } from "../../readings/languages.ts";
import { operationNames } from "../../readings/operations.ts";
import { paceBounds } from "../../readings/call-pace.ts";
import { nearestLanguage, nearestName } from "../../worker/settings/nearest-name.ts";
import { queues } from "../../workflows/names.ts";
import { WrongUsage } from "./errors.ts";

/** `en,hi`, and as well `EN,Hindi` or `English,हिन्दी`. */
export const languagesIn: (text: string) => Language[] = namesIn("--languages", languageNames, {
  understand: namedLanguage,
  guess: nearestLanguage,
});

/** `daily-horoscope,daily-tarot` */
export const operationsIn = namesIn("--operations", operationNames);

/** `main,english` */
export const queuesIn = namesIn("--queues", queues);

interface OtherWords<Name> {
  /** The name that a word stands for without a doubt. */
  readonly understand: (word: string) => Name | undefined;
  /** What is meant by a word, at a guess. */
  readonly guess: (word: string) => string | undefined;
}

/** Names with commas between them, in any case; a name that was typed twice counts once. */
function namesIn<Name extends string>(
  option: string,
  names: readonly Name[],
  { understand, guess }: OtherWords<Name> = {
    understand: (word) => names.find((known) => known === word.toLowerCase()),
    guess: (word) => nearestName(word.toLowerCase(), names),
  },
): (text: string) => Name[] {
  return (text) => {
    const found = wordsIn(text).map((word) => {
      const name = understand(word);
      if (name !== undefined) return name;
      throw new WrongUsage(`${option}: "${word}" is none of ${names.join(", ")}`, guess(word));
    });
    return [...new Set(found)];
  };
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

export function numberIn(option: string, { least, most }: Bounds): (text: string) => number {
  return (text) => {
    const number = text.trim() === "" ? Number.NaN : Number(text);
    if (number >= least && number <= most) return number;
    throw new WrongUsage(`${option} takes a number from ${least} to ${most}, not "${text}"`);
  };
}

export function wholeIn(option: string, { least, most }: Bounds): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new WrongUsage(`${option} takes a whole number from ${least} to ${most}, not "${text}"`);
  };
}

/** Calls a second, for every address. */
export const rateIn = numberIn("--rate", paceBounds.ratePerSecond);

/** Calls in flight, for every address. */
export const concurrencyIn = wholeIn("--concurrency", paceBounds.concurrency);

export const portIn = wholeIn("--port", { least: 0, most: 65_535 });

export function oneOf<Name extends string>(option: string, names: readonly Name[]): (text: string) => Name {
  return (text) => {
    const name = names.find((known) => known === text.toLowerCase());
    if (name !== undefined) return name;
    const meant = nearestName(text.toLowerCase(), names);
    throw new WrongUsage(`${option} "${text}" is not there`, meant, {
      allowed: `it takes ${names.join(", ")}`,
    });
  };
}

export function requireOrder({ from, to }: { from?: string; to?: string }): void {
  if (from !== undefined && to !== undefined && to < from)
    throw new WrongUsage(`--from ${from} comes after --to ${to}`);
}

/** Who says so: the user of this machine unless said. */
export function personIn(by: string | undefined): string {
  return required(by ?? user(), "--by is empty");
}

export function required(text: string | undefined, otherwise: string): string {
  if (text !== undefined && text.trim() !== "") return text.trim();
  throw new WrongUsage(otherwise);
}

function user() {
  try {
    return userInfo().username;
  } catch {
    throw new WrongUsage("this machine has no name for its user: say who it is with --by");
  }
}

function wordsIn(text: string) {
  const words = text.split(",").map((word) => word.trim());
  if (words.every((word) => word !== "")) return words;
  throw new WrongUsage(`"${text}": put commas between the names and none at the ends`);
}
