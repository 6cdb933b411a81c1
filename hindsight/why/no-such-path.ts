// The answer for a path that the published tree can't have, and for the path of a text that can't exist.
import type { Configuration } from "../../readings/configuration.schema.ts";
import { isLanguage, languageNames } from "../../readings/languages.ts";
import { isOperation, type Operation, operationNames } from "../../readings/operations.ts";
import {
  isPeriodKey,
  isPeriodKind,
  type PeriodKind,
  noPeriod,
  periodKinds,
  periodOf,
} from "../../readings/periods.ts";
import { isSign, signs } from "../../readings/signs.ts";
import { parseDate } from "../../readings/zones.ts";
import type { Absence } from "./answer.ts";
import { neverAsked } from "./never-asked.ts";

/** A word in a path that the tree does not know, and the words that it knows in that place. */
interface UnknownWord {
  readonly word: string;
  readonly as: "language" | "section" | "sign";
  readonly known: readonly string[];
}

/** Thrown for a path on which nothing is ever published. */
export class NoSuchPath extends Error {
  override readonly name = "NoSuchPath";
  readonly unknown: UnknownWord | undefined;
  readonly meant: string | undefined;
  constructor(message: string, more: { readonly unknown?: UnknownWord; readonly meant?: string } = {}) {
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
  const unknown = unknownIn(path);
  const where = path.startsWith("v1/") ? "/v1/{lang}/..." : "/{lang}/...";
  const seen = `${path} is no path that Almanac publishes, looked for under ${where}`;
  if (unknown === undefined) return new NoSuchPath(`${seen}: docs/consumers.md has all that there are`);
  return new NoSuchPath(`${seen}: "${unknown.word}" is no ${unknown.as}`, { unknown });
}

function unknownIn(path: string): UnknownWord | undefined {
  const words = path
    .replace(/^v1\//, "")
    .replace(/(?:\/index)?\.\w+$/, "")
    .split("/");
  const [language = "", section = "", ...rest] = words;
  if (!isLanguage(language)) return { word: language, as: "language", known: languageNames };
  if (!sections.includes(section)) return { word: section, as: "section", known: sections };
  if (!isPeriodKind(section) && section !== "embed" && section !== "archive") return undefined;
  const sign = rest.find((one) => /^[a-z]+$/.test(one) && one !== "latest" && one !== "feed");
  return sign === undefined || isSign(sign) ? undefined : { word: sign, as: "sign", known: signs };
}

/** The answer for a path of the right form on which no text can stand. Throws NoSuchPath where its date is not a date. */
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
  const kind: PeriodKind = isPeriodKind(section) ? section : section === "archive" ? "monthly" : "daily";
  if (key === undefined || isPeriodKey(kind, key)) return;
  // A day of the calendar is in one period of each kind.
  const meant = parseDate(key) === undefined ? {} : { meant: path.replace(key, periodOf(kind, key)) };
  throw new NoSuchPath(`${path}: ${noPeriod(kind, key)}`, meant);
}
