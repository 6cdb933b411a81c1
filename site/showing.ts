// Which files show a text: from a request to its paths and, for whoever has only an address, back.
import { isLanguage, type Language } from "../readings/languages.ts";
import {
  familyOf,
  type HoroscopeOperation,
  isOperation,
  type Operation,
  operations,
  rowOf,
} from "../readings/operations.ts";
import { isPeriodKind, type PeriodKind } from "../readings/periods.ts";
import { type HoroscopeRequest, type ReadingRequest, requestOf } from "../readings/request.ts";
import { isSign } from "../readings/signs.ts";
import {
  cardDataPath,
  deckDataPath,
  deckPath,
  embedPath,
  feedPath,
  newsletterPath,
  operationPath,
  pairDataPath,
  pairPath,
  personPath,
  signDataPath,
  signFeedPath,
  signPath,
  signsDataPath,
} from "./paths.ts";

const feedFormats = ["json", "xml"] as const;
const letterFormats = ["html", "txt"] as const;

/** The text as data; a person's has none. */
export function dataPathOf(request: ReadingRequest): string | undefined {
  const { language, period } = request;
  if ("sign" in request)
    return signDataPath(language, operations[request.operation].due, period, request.sign);
  if ("sign1" in request) return pairDataPath(language, request.sign1, request.sign2);
  return "person" in request ? undefined : cardDataPath(language, request.operation, period);
}

/** A sheet that has a date as data: all twelve signs, or a card reading. */
export function sheetDataPath(language: Language, operation: Operation, period: string): string {
  const { due } = rowOf(operation);
  const isHoroscope = familyOf(operation) === "horoscope" && isPeriodKind(due);
  return isHoroscope ? signsDataPath(language, due, period) : cardDataPath(language, operation, period);
}

/** The files of this text alone, on which no other text can stand but, for a pair, that of another season. */
export function ownPaths(request: ReadingRequest): string[] {
  const { language, period } = request;
  const data = dataPathOf(request);
  const paths = data === undefined ? [] : [data];
  if ("sign" in request) {
    const kind = operations[request.operation].due;
    const letters =
      kind === "daily"
        ? letterFormats.map((format) => newsletterPath(language, period, format, request.sign))
        : [];
    return [...paths, signPath(language, kind, request.sign, period), ...letters];
  }
  if ("sign1" in request) return [...paths, pairPath(language, request.sign1, request.sign2)];
  return "person" in request ? [personPath(language, request.person)] : paths;
}

/** The feeds that a day's text is in as long as it is the current one. */
export function feedPaths({ language, sign }: HoroscopeRequest): string[] {
  return feedFormats.flatMap((format) => [feedPath(language, format), signFeedPath(language, sign, format)]);
}

/** The files that show it among others or, where it is the current one, until the next: pressed anew they show no more of it. */
export function passingPaths(request: ReadingRequest, isCurrent: boolean): string[] {
  const { language, operation, period } = request;
  if ("sign" in request) {
    const kind = operations[request.operation].due;
    const isDaily = kind === "daily";
    const letters = isDaily
      ? [...letterFormats, "json" as const].map((format) => newsletterPath(language, period, format))
      : [];
    const sheet = [signsDataPath(language, kind, period), ...letters];
    if (!isCurrent) return sheet;
    const feeds = isDaily ? feedPaths(request) : [];
    const cards = isDaily ? [embedPath(language, request.sign)] : [];
    return [
      ...sheet,
      ...cards,
      signsDataPath(language, kind, "latest"),
      signPath(language, kind, request.sign),
      ...feeds,
    ];
  }
  if ("sign1" in request || "person" in request) return [];
  const decks = [deckPath(language, operation), deckDataPath(language, operation)];
  if (!isCurrent) return decks;
  return [...decks, operationPath(language, operation), cardDataPath(language, operation, "latest")];
}

const isFeed = /(?:^|\/)feed\.(?:json|xml)$/;

type AtPeriod = (period: string) => ReadingRequest | undefined;

/** What stands on a path: a text, the current one of its kind, the one of its season, or twelve. */
export type Standing =
  | { readonly kind: "text"; readonly request: ReadingRequest }
  | {
      readonly kind: "current";
      readonly language: Language;
      readonly operation: Operation;
      readonly at: AtPeriod;
    }
  | { readonly kind: "pair"; readonly at: AtPeriod }
  | { readonly kind: "twelve"; readonly example: string };

/** Undefined for what shows no reading, or none that can be told from its path. */
export function standingOn(path: string): Standing | undefined {
  const letter = letterAt.exec(path);
  if (letter !== null) return letterOn(letter[1] ?? "", letter[2] ?? "", letter[3]);
  const isData = path.startsWith("v1/") && path.endsWith(".json");
  const words = (isData ? path.slice("v1/".length, -".json".length) : pageOf(path)).split("/");
  const [language = "", section = "", ...rest] = words;
  if (!isLanguage(language)) return undefined;
  if (section === "embed" && !isData) return horoscopeOn(language, "daily", rest.slice(0, 1), isData);
  if (isPeriodKind(section)) return horoscopeOn(language, section, rest, isData);
  const [name = "", ...more] = rest;
  if (more.length > 0) return undefined;
  if (section === "people" && !isData) {
    return textAt(`once/always/${language}/which-animal-are-you-reading/${name}`);
  }
  if (section === "love-compatibility") return pairOn(language, name);
  if (!isOperation(section)) return undefined;
  const cardAt = (period: string) => requestOf(`daily/${period}/${language}/${section}/reading`);
  if (isData && name !== "latest") return textAt(`daily/${name}/${language}/${section}/reading`);
  return cardAt("2026-01-01") === undefined || (!isData && name !== "")
    ? undefined
    : { kind: "current", at: cardAt, operation: section, language };
}

/** A page is its folder; a feed, which is beside one, is itself. */
function pageOf(path: string): string {
  if (path.endsWith("/index.html")) return path.slice(0, -"/index.html".length);
  return isFeed.test(path) ? path : "";
}

const letterAt = /^([a-z]+)\/newsletter\/([\d-]+)(?:\/([a-z]+)\.(?:html|txt)|\.(?:html|txt|json))$/;

/** A day's newsletter: of one sign, or of all. */
function letterOn(language: string, date: string, sign: string | undefined): Standing | undefined {
  const one = textAt(`daily/${date}/${language}/daily-horoscope/${sign ?? "aries"}`);
  if (one === undefined || sign !== undefined || !isLanguage(language)) return one;
  return { kind: "twelve", example: signDataPath(language, "daily", date, "aries") };
}

function horoscopeOn(
  language: Language,
  kind: PeriodKind,
  [one = "", other, ...more]: readonly string[],
  isData: boolean,
): Standing | undefined {
  if (more.length > 0) return undefined;
  const operation: HoroscopeOperation = `${kind}-horoscope`;
  const keyOf = (period: string, sign: string) => `${kind}/${period}/${language}/${operation}/${sign}`;
  if (isData) {
    if (other !== undefined) return textAt(keyOf(one, other));
    const example =
      one === "latest" ? signPath(language, kind, "aries") : signDataPath(language, kind, one, "aries");
    return { kind: "twelve", example };
  }
  if (!isSign(one)) return undefined;
  if (other !== undefined && !(kind === "daily" && isFeed.test(other))) return textAt(keyOf(other, one));
  return { kind: "current", at: (period) => requestOf(keyOf(period, one)), operation, language };
}

function pairOn(language: Language, pair: string): Standing | undefined {
  const at = (season: string) => requestOf(`seasonal/${season}/${language}/love-compatibility/${pair}`);
  return at("2026-Q1") === undefined ? undefined : { kind: "pair", at };
}

function textAt(key: string): Standing | undefined {
  const request = requestOf(key);
  return request === undefined ? undefined : { kind: "text", request };
}
