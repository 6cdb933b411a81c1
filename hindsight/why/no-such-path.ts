// The answer for a path that the published tree can't have, and for the path of a text that can't exist.
import type { Configuration } from "../../readings/configuration.schema.ts";
import { languageNames } from "../../readings/languages.ts";
import { isPeriodKey, noPeriod, periodOf } from "../../readings/periods.ts";
import { signs } from "../../readings/signs.ts";
import { parseDate } from "../../readings/zones.ts";
import { beginningOf, parsePath, pathOf, strayWordIn } from "../../site/paths.ts";
import { operationAt, shows } from "../../site/shown-texts.ts";
import type { TreePath } from "../../site/tree.ts";
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

export function noSuchPath(path: string): NoSuchPath {
  const at = parsePath(path);
  if (at !== undefined && shows(at, "record")) {
    return new NoSuchPath(
      `${path} is a record of the site itself and no path of its tree: \`almanac log\` shows its states, \`almanac verify\` checks them`,
    );
  }
  const unknown = unknownIn(path);
  const data = beginningOf("languageIndex");
  const where = path.startsWith(data) ? `/${data}{lang}/...` : "/{lang}/...";
  const seen = `${path} is no path that Almanac publishes, looked for under ${where}`;
  if (unknown === undefined) return new NoSuchPath(`${seen}: docs/consumers.md has all that there are`);
  return new NoSuchPath(`${seen}: "${unknown.word}" is no ${unknown.as}`, { unknown });
}

function unknownIn(path: string): UnknownWord | undefined {
  const stray = strayWordIn(path);
  if (stray === undefined) return undefined;
  const { word, slots, known } = stray;
  if (slots.has("language")) return { word, as: "language", known: languageNames };
  if (slots.has("kind")) return { word, as: "section", known };
  return slots.has("sign") && !word.includes(".") ? { word, as: "sign", known: signs } : undefined;
}

/** A path of the right form on which no text can be. Throws where its date is none. */
export function whyNoText(at: TreePath, configuration: Configuration): Absence {
  if ("language" in at) {
    requireDate(at);
    const never = neverAsked(at.language, operationAt(at), configuration);
    if (never !== undefined) return never;
  }
  throw noSuchPath(pathOf(at));
}

export function requireDate(at: TreePath): void {
  const path = pathOf(at);
  const kind = "kind" in at ? at.kind : "month" in at ? "monthly" : "daily";
  const key = "key" in at ? at.key : "date" in at ? at.date : "month" in at ? at.month : undefined;
  if (key === undefined || isPeriodKey(kind, key)) return;
  // A day of the calendar is in one period of each kind.
  const isDay = "key" in at && parseDate(key) !== undefined;
  const meant = isDay ? { meant: pathOf({ ...at, key: periodOf(kind, key) }) } : {};
  throw new NoSuchPath(`${path}: ${noPeriod(kind, key)}`, meant);
}
