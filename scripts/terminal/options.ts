// Options that several commands share, read and refused in the same words.
import { userInfo } from "node:os";
import { guessLanguage, isLanguage, type Language, languageNames } from "../../readings/languages.ts";
import { isOperation, type Operation, operationNames } from "../../readings/operations.ts";
import { paceBounds } from "../../readings/call-pace.ts";
import { parseDate } from "../../readings/zones.ts";
import { nearestName } from "../../worker/settings/nearest-name.ts";
import { type Queue, queues } from "../../workflows/names.ts";
import { WrongUsage } from "./errors.ts";

/** `en,hi` */
export function languagesIn(text: string): Language[] {
  return wordsIn(text).map((word) => {
    if (isLanguage(word)) return word;
    const meant = guessLanguage(word) ?? nearestName(word, languageNames);
    throw new WrongUsage(`--languages: "${word}" is none of ${languageNames.join(", ")}`, meant);
  });
}

/** `daily-horoscope,daily-tarot` */
export function operationsIn(text: string): Operation[] {
  return wordsIn(text).map((word) => {
    if (isOperation(word)) return word;
    throw new WrongUsage(
      `--operations: "${word}" is none of ${operationNames.join(", ")}`,
      nearestName(word, operationNames),
    );
  });
}

/** `main,english` */
export function queuesIn(text: string): Queue[] {
  return wordsIn(text).map((word) => {
    const queue = queues.find((known) => known === word);
    if (queue !== undefined) return queue;
    throw new WrongUsage(`--queues: "${word}" is none of ${queues.join(", ")}`, nearestName(word, queues));
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

/** Calls a second, for every address. */
export const rateIn = numberIn("--rate", paceBounds.ratePerSecond);

/** Calls in flight, for every address. */
export function concurrencyIn(text: string): number | undefined {
  return wholeNumber("--concurrency", text, paceBounds.concurrency);
}

export function portIn(text: string): number | undefined {
  return wholeNumber("--port", text, { least: 0, most: 65_535 });
}

export function wholeNumber(
  option: string,
  text: string | undefined,
  { least, most }: Bounds,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new WrongUsage(`${option} takes a whole number from ${least} to ${most}, not "${text}"`);
}

export function oneOf<Name extends string>(
  option: string,
  text: string | undefined,
  names: readonly Name[],
): Name | undefined {
  if (text === undefined) return undefined;
  const name = names.find((known) => known === text.toLowerCase());
  if (name !== undefined) return name;
  const meant = nearestName(text.toLowerCase(), names);
  throw new WrongUsage(`${option} "${text}" is not there`, meant, {
    allowed: `it takes ${names.join(", ")}`,
  });
}

/** An instant such as `2026-11-21T03:05:00Z`, as a run carries it; without a zone it would depend on the machine. */
export function instantIn(text: string): string {
  const date = new Date(text);
  const whole =
    /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text) && parseDate(text.slice(0, 10)) !== undefined;
  if (whole && !Number.isNaN(date.getTime())) return date.toISOString();
  throw new WrongUsage(`--as-of: "${text}" is no instant such as 2026-11-21T03:05:00Z`);
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

function user(): string {
  try {
    return userInfo().username;
  } catch {
    throw new WrongUsage("this machine has no name for its user: say who it is with --by");
  }
}

function wordsIn(text: string): string[] {
  const words = text.split(",").map((word) => word.trim());
  if (words.every((word) => word !== "")) return [...new Set(words)];
  throw new WrongUsage(`"${text}": put commas between the names and none at the ends`);
}
