// Options that several commands share, read and refused in the same words.
import { userInfo } from "node:os";
import { guessLanguage, languageNames } from "../../readings/languages.ts";
import { operationNames } from "../../readings/operations.ts";
import { paceBounds } from "../../readings/call-pace.ts";
import { parseDate } from "../../readings/zones.ts";
import { nearestName } from "../../worker/settings/nearest-name.ts";
import { queues } from "../../workflows/names.ts";
import { WrongUsage } from "./errors.ts";

/** `en,hi` */
export const languagesIn = namesIn("--languages", languageNames, guessLanguage);

/** `daily-horoscope,daily-tarot` */
export const operationsIn = namesIn("--operations", operationNames);

/** `main,english` */
export const queuesIn = namesIn("--queues", queues);

/** Names with commas between them; `guess` knows what is meant by others than a name that is near. */
function namesIn<Name extends string>(
  option: string,
  names: readonly Name[],
  guess?: (word: string) => Name | undefined,
): (text: string) => Name[] {
  return (text) =>
    wordsIn(text).map((word) => {
      const name = names.find((known) => known === word);
      if (name !== undefined) return name;
      const meant = guess?.(word) ?? nearestName(word, names);
      throw new WrongUsage(`${option}: "${word}" is none of ${names.join(", ")}`, meant);
    });
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

/** An instant such as `2026-11-21T03:05:00Z`, as a run carries it; without a zone it would depend on the machine. */
export function typedInstant(option: string, text: string): string {
  const date = new Date(text);
  const whole =
    /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text) && parseDate(text.slice(0, 10)) !== undefined;
  if (whole && !Number.isNaN(date.getTime())) return date.toISOString();
  throw new WrongUsage(`${option}: "${text}" is no instant such as 2026-11-21T03:05:00Z`);
}

export function instantIn(text: string): string {
  return typedInstant("--as-of", text);
}

/** A local date such as `2026-11-21`. */
export function typedDate(option: string): (text: string) => string {
  return (text) => {
    if (parseDate(text) !== undefined) return text;
    throw new WrongUsage(`${option}: "${text}" is no day of the calendar such as 2026-11-21`);
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
  if (words.every((word) => word !== "")) return [...new Set(words)];
  throw new WrongUsage(`"${text}": put commas between the names and none at the ends`);
}
