// Options that several commands share, read and refused in the same words.
import { userInfo } from "node:os";
import type { Configuration } from "../../readings/configuration.schema.ts";
import {
  type Language,
  languageNames,
  namedLanguage,
  languagesOf,
  operationNames,
} from "../../readings/tables.ts";
import { paceBounds } from "../../readings/plan-order.ts";
import type { RunRequest } from "../../readings/run-messages.ts";
import { mapEndpoints } from "../../service/limits.ts";
import { isLoopback, pathAt, serverUrl, webUrl } from "../../site/address.ts";
import type { Attribution } from "../../vault/journal.ts";
import type { Environment } from "../../worker/settings/environment.ts";
import { nearestLanguage, nearestName } from "../../worker/settings/nearest-name.ts";
import { queues } from "../../workflows/names.ts";
import { WrongUsage } from "./errors.ts";

/** `hi`, and as well `HI`, `Hindi` or `हिन्दी`. */
export const languageIn: (text: string) => Language = oneOf("language", languageNames, "", {
  understand: namedLanguage,
  guess: nearestLanguage,
});

/** `en,hi` */
export const languagesIn: (text: string) => Language[] = listOf(languageIn);

/** `daily-horoscope,daily-tarot` */
export const operationsIn = listOf(oneOf("operation", operationNames));

/** `main,english` */
export const queuesIn = listOf(oneOf("queue", queues, "; omit `--queues` for all"));

interface OtherWords<Name> {
  /** The name that a word means unambiguously. */
  readonly understand: (word: string) => Name | undefined;
  /** Suggestion for an unknown word. */
  readonly guess: (word: string) => string | undefined;
}

/** Parses one of the names, ignoring case. */
export function oneOf<Name extends string>(
  noun: string,
  names: readonly Name[],
  otherwise = "",
  { understand, guess }: OtherWords<Name> = {
    understand: (word) => names.find((known) => known === word.toLowerCase()),
    guess: (word) => nearestName(word.toLowerCase(), names),
  },
): (text: string) => Name {
  return (word) => {
    const name = understand(word);
    if (name !== undefined) return name;
    const meant = guess(word);
    const allowed = meant === undefined ? `Choose ${names.join(", ")}${otherwise}` : undefined;
    throw new WrongUsage(`unknown ${noun} "${word}"`, meant, { allowed });
  };
}

/** Parses a comma-separated list, without duplicates. */
export function listOf<Item>(parse: (word: string) => Item): (text: string) => Item[] {
  return (text) => {
    const words = text.split(",").map((word) => word.trim());
    if (words.includes(""))
      throw new WrongUsage(`"${text}" contains an empty name. Separate names with single commas`);
    return [...new Set(words.map(parse))];
  };
}

/**
 * The languages that `almanac local` gathers first: the system's language and English, as far as the site has them; if it has neither, the site's first language. On an English system
 * that is only one language, which is done sooner than two. Empty if these are all the wanted languages: the night is then as fast.
 */
export function firstLanguages(wanted: readonly Language[], locale: string): readonly Language[] {
  const { language: own } = new Intl.Locale(locale);
  const readable = [...new Set([own, "en"])].flatMap((code) =>
    wanted.filter((language) => language === code),
  );
  const first = readable.length > 0 ? readable : wanted.slice(0, 1);
  return first.length < wanted.length ? first : [];
}

/** The locale from LC_ALL, LANG or the system's settings, as Node determines it. */
export function systemLocale(): string {
  return new Intl.DateTimeFormat().resolvedOptions().locale;
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

export function numberIn(option: string, { least, most }: Bounds): (text: string) => number {
  return (text) => {
    const number = text.trim() === "" ? Number.NaN : Number(text);
    if (number >= least && number <= most) return number;
    throw new WrongUsage(`${option} must be a number from ${least} to ${most}, not "${text}"`);
  };
}

export function wholeIn(option: string, { least, most }: Bounds): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new WrongUsage(`${option} must be a whole number from ${least} to ${most}, not "${text}"`);
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
    super(`port ${port} is in use. \`--port 0\` chooses a free one`);
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

export function requireOrder({ from, to }: { from?: string; to?: string }): void {
  if (from !== undefined && to !== undefined && to < from)
    throw new WrongUsage(`--from ${from} is after --to ${to}. Swap them`);
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
      `the service offers none of these operations in ${wanted.join(", ")}. \`almanac reading --list\` lists its operations`,
    );
  }
}

function requireThere(option: string, only: readonly string[] | undefined, there: readonly string[]) {
  const missing = only?.find((one) => !there.includes(one));
  if (missing === undefined) return;
  throw new WrongUsage(`${missing} is not in "${option}" of almanac.config.ts`, undefined, {
    allowed: `Choose ${there.join(", ")}`,
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
  if (url === null) throw new WrongUsage(`"${text}" is neither a path nor a URL`);
  // A local preview serves the same site without the site's path prefix.
  const isPreview = isAddress && url.origin !== site.origin && isLoopback(url.hostname);
  if (isAddress && !isPreview && (url.origin !== site.origin || !url.pathname.startsWith(root))) {
    throw new WrongUsage(
      `${text} is not a URL of this site. Its URLs begin with ${siteUrl}. Correct site.url, or pass the path only, such as /en/daily/leo/`,
    );
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
    throw new WrongUsage(`"${text}" contains an invalid percent encoding. Write % as %25`);
  }
}

/** The URL of a site, such as `https://almanac.example`. */
export function siteUrlIn(text: string): URL {
  const url = serverUrl(text);
  if (url !== undefined) return url;
  const meant = serverUrl(`https://${text.replace(/^http:\/\//i, "")}`);
  const isLikely = meant !== undefined && (meant.hostname.includes(".") || isLoopback(meant.hostname));
  const what = `"${text}" is not ${webUrl(text) === undefined ? "a URL" : "the https URL of a site"}`;
  if (isLikely) throw new WrongUsage(what, meant.href.replace(/\/$/, ""));
  throw new WrongUsage(what, undefined, {
    allowed:
      "Use https (http only on this machine), without user name, query or fragment, such as https://almanac.example",
  });
}

/** The name and the reason of a decision. */
export function attributionIn(
  { by, reason }: { readonly by?: string | undefined; readonly reason?: string | undefined },
  { operator }: Pick<Environment, "operator">,
  systemUser = () => userInfo().username,
): Attribution {
  const name = required(by ?? operator ?? nameFrom(systemUser), "--by is empty");
  return { by: name, reason: reason === undefined ? undefined : required(reason, "--reason is empty") };
}

export function required(text: string | undefined, otherwise: string): string {
  if (text !== undefined && text.trim() !== "") return text.trim();
  throw new WrongUsage(otherwise);
}

function nameFrom(systemUser: () => string) {
  try {
    return systemUser();
  } catch {
    throw new WrongUsage("this machine's user has no name. Set your name with --by or ALMANAC_OPERATOR");
  }
}
