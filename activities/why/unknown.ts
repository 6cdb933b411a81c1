// What is no path of the tree, or the path of a text that there can't be, in words that say what was looked for and where.
import type { Configuration } from "../../readings/configuration.schema.ts";
import { isLanguage, languageNames } from "../../readings/languages.ts";
import { isOperation, type Operation, operationNames } from "../../readings/operations.ts";
import { isPeriodKey, isPeriodKind, type PeriodKind, periodKinds, periodOf } from "../../readings/periods.ts";
import { signs } from "../../readings/signs.ts";
import { parseDate } from "../../readings/zones.ts";
import type { Absence } from "./answer.ts";
import { neverAsked } from "./never.ts";

/** Nothing is ever published there. `allowed` says what was looked for. */
export class NoSuchPath extends Error {
  override readonly name = "NoSuchPath";
  /** The word of the path that is none of ours, with those that could stand there. */
  readonly unknown: { readonly word: string; readonly known: readonly string[] } | undefined;
  readonly meant: string | undefined;
  constructor(message: string, more: { unknown?: NoSuchPath["unknown"]; meant?: string } = {}) {
    super(message);
    this.unknown = more.unknown;
    this.meant = more.meant;
  }
}

const records = /^v1\/(?:pointer\.json$|manifests\/|objects\/)/;
const sections = [
  ...periodKinds,
  ...operationNames,
  "archive",
  "embed",
  "newsletter",
  "decks",
  "people",
  "about",
  "index",
];

export function noSuchPath(path: string): NoSuchPath {
  if (records.test(path)) {
    return new NoSuchPath(
      `${path} is a record of the site itself and no path of its tree: \`almanac log\` shows its states, \`almanac verify\` checks them`,
    );
  }
  const words = path
    .replace(/^v1\//, "")
    .replace(/(?:\/index)?\.\w+$/, "")
    .split("/");
  const [language = "", section = ""] = words;
  const unknown = !isLanguage(language)
    ? { word: language, known: languageNames }
    : sections.includes(section)
      ? unknownSign(words)
      : { word: section, known: sections };
  const where = path.startsWith("v1/") ? "/v1/{lang}/..." : "/{lang}/...";
  const what =
    unknown === undefined
      ? ""
      : `: "${unknown.word}" is no ${unknown.known === signs ? "sign" : language === unknown.word ? "language" : "section"}`;
  return new NoSuchPath(`${path} is no path that Almanac publishes, looked for under ${where}${what}`, {
    unknown,
  });
}

function unknownSign([, section = "", ...rest]: readonly string[]): NoSuchPath["unknown"] {
  if (!isPeriodKind(section) && section !== "embed" && section !== "archive") return undefined;
  const word = rest.find((one) => /^[a-z]+$/.test(one) && one !== "latest" && one !== "feed");
  return word === undefined || signs.some((sign) => sign === word) ? undefined : { word, known: signs };
}

/** A path of the right form on which no text can stand. Throws where its date is none. */
export function whyNoText(path: string, configuration: Configuration): Absence {
  const [language = "", section = ""] = path.replace(/^v1\//, "").split("/");
  if (!isLanguage(language)) throw noSuchPath(path);
  requireDate(path, section);
  const never = neverAsked(language, operationIn(section), configuration);
  if (never !== undefined) return never;
  throw noSuchPath(path);
}

function operationIn(section: string): Operation | undefined {
  if (isPeriodKind(section)) return `${section}-horoscope`;
  if (section === "newsletter" || section === "embed") return "daily-horoscope";
  if (section === "people") return "which-animal-are-you-reading";
  return isOperation(section) ? section : undefined;
}

function requireDate(path: string, section: string): void {
  const key = /(?<=\/)\d{4}(?:-\d{2}){0,2}(?=[/.])/.exec(path)?.[0];
  const kind: PeriodKind = isPeriodKind(section) ? section : "daily";
  if (key === undefined || isPeriodKey(kind, key)) return;
  const date = parseDate(key);
  const meant = date === undefined ? undefined : path.replace(key, periodOf(kind, key));
  const what = `${path}: there is no ${kind} text of ${key}, which is ${wrongKey(kind, key, date !== undefined)}`;
  throw new NoSuchPath(what, meant === undefined ? {} : { meant });
}

function wrongKey(kind: PeriodKind, key: string, isDay: boolean): string {
  if (isDay) return kind === "weekly" ? "no Sunday, with which every week begins" : "a day";
  return /^\d{4}-\d{2}-\d{2}$/.test(key) ? "no day of the calendar" : `no key of a ${kind} text`;
}
