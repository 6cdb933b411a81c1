// Options that several commands share, read and refused in the same words.
import { userInfo } from "node:os";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { type Language, languageNames, namedLanguage } from "../../readings/languages.ts";
import { languagesOf, operationNames } from "../../readings/operations.ts";
import { paceBounds } from "../../readings/call-pace.ts";
import type { RunRequest } from "../../readings/run-messages.ts";
import { mapEndpoints } from "../../service/limits.ts";
import { isLoopback, pathAt } from "../../site/address.ts";
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
  /** The name that a word means unambiguously. */
  readonly understand: (word: string) => Name | undefined;
  /** Suggestion for an unknown word. */
  readonly guess: (word: string) => string | undefined;
}

/** Parses comma-separated names, ignoring case and duplicates. */
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

/** Calls a second, for every endpoint. */
export const rateIn = numberIn("--rate", paceBounds.ratePerSecond);

/** Calls in flight, for every endpoint. */
export const concurrencyIn = wholeIn("--concurrency", paceBounds.concurrency);

interface TypedPace {
  readonly rate?: number;
  readonly concurrency?: number;
}

/** Rate and concurrency for the sandbox. It answers at once, so `almanac local` need not be slow. */
export const sandboxPace: Required<TypedPace> = { rate: 300, concurrency: 32 };

export function paced(configuration: Configuration, { rate, concurrency }: TypedPace): Configuration {
  const { service } = configuration;
  return {
    ...configuration,
    service: {
      ...service,
      ratePerSecond: rate === undefined ? service.ratePerSecond : mapEndpoints(() => rate),
      concurrency: concurrency === undefined ? service.concurrency : mapEndpoints(() => concurrency),
    },
  };
}

export const portIn = wholeIn("--port", { least: 0, most: 65_535 });

class PortTaken extends Error {
  override readonly name = "PortTaken";

  constructor(port: number) {
    super(`something listens on port ${port} already: \`--port 0\` takes a free one`);
  }
}

/** Returns the started server. Throws PortTaken if another program uses the port. */
export async function onPort<Server>(port: number, start: () => Promise<Server>): Promise<Server> {
  try {
    return await start();
  } catch (error) {
    throw codeOf(error) === "EADDRINUSE" ? new PortTaken(port) : error;
  }
}

/** The system error code of the error or of its cause. */
function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  return "code" in error ? error.code : codeOf(error.cause);
}

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

/** Throws if a command is limited to something that the site does not have: it would silently do nothing. */
export function requirePart(
  { languages, operations }: Configuration,
  only: Pick<RunRequest, "languages" | "operations">,
): void {
  requireThere("languages", only.languages, languages);
  requireThere("operations", only.operations, operations);
  const wanted = only.languages ?? languages;
  const offered = (only.operations ?? operations).some((one) =>
    languagesOf(one).some((each) => wanted.includes(each)),
  );
  if (!offered) {
    throw new WrongUsage(
      `the service gives none of these operations in ${wanted.join(", ")}: \`almanac reading --list\` shows what it gives`,
    );
  }
}

function requireThere(option: string, only: readonly string[] | undefined, there: readonly string[]) {
  const missing = only?.find((one) => !there.includes(one));
  if (missing === undefined) return;
  throw new WrongUsage(`--${option}: this site has no ${missing}`, undefined, {
    allowed: `it has ${there.join(", ")} ("${option}" in almanac.config.ts)`,
  });
}

/** Two valid dates may still be an invalid range, for example one that begins after tomorrow. */
export async function wrongDates<Result>(planning: Promise<Result>): Promise<Result> {
  return wrongWhere(RangeError, planning, "--from and --to: ");
}

/** Turns errors of the given class into WrongUsage: some errors in a command line are only found during the work. */
export async function wrongWhere<Result>(
  kind: new (message: string) => Error,
  work: Promise<Result>,
  before = "",
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof kind ? new WrongUsage(before + error.message) : error;
  }
}

/**
 * Returns the path of a page copied from a browser: `/en/daily/leo/`, `en/daily/leo` and `https://almanac.example/en/daily/leo/?x` all
 * become `en/daily/leo/index.html`.
 */
export function pathIn(text: string, siteUrl: string): string {
  const site = new URL(siteUrl);
  const root = site.pathname.replace(/\/?$/, "/");
  const isAddress = /^https?:\/\//i.test(text);
  const url = URL.parse(isAddress ? text : text.replace(/^\/*/, "/"), site.origin);
  if (url === null) throw new WrongUsage(`"${text}" is neither a path nor an address`);
  // A local preview serves the same site without the site's path prefix.
  const isPreview = isAddress && url.origin !== site.origin && isLoopback(url.hostname);
  if (isAddress && !isPreview && (url.origin !== site.origin || !url.pathname.startsWith(root))) {
    throw new WrongUsage(`${text} is no address of this site, which is at ${siteUrl}`);
  }
  const from = isAddress && !isPreview ? root.length : 1;
  const path = decoded(url.pathname.slice(from), text);
  const isFile = path === "" || path.slice(path.lastIndexOf("/") + 1).includes(".");
  return pathAt(isFile || path.endsWith("/") ? path : `${path}/`);
}

function decoded(path: string, text: string) {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new WrongUsage(`"${text}" has a % that stands for nothing`);
  }
}

/** The person named with `--by`. Default: this machine's user. */
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
