// A path that shows several texts or none: the paths under which more is known of each text, or why the path is not there.
import {
  publishedDates,
  publishedDocument,
  publishedSummary,
  pathsInGroup,
  publishedAmong,
} from "../publish/state/published-files.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import {
  type Language,
  languageNames,
  type CardOperation,
  type Operation,
  operationNames,
  signs,
} from "../readings/tables.ts";
import { isPeriodKey, noPeriod, periodOf, parseDate } from "../readings/calendar.ts";
import { requestOf, setKey } from "../readings/request.ts";
import { documents, type LanguageDocument } from "../site/data.schema.ts";
import type { ReceivedReading } from "../site/edition.ts";
import {
  groupNamed,
  operationAt,
  parsePath,
  pathOf,
  dataPathOfSet,
  shows,
  unknownWordIn,
} from "../site/paths.ts";
import { addressOf } from "../site/address.ts";
import { isFrom } from "../site/seen-cards.ts";
import { type Shows, tree, type TreePath } from "../site/tree.ts";
import { inParallel } from "../store/store.ts";
import { neverRequested } from "./why-absence.ts";
import type { Absence, NamedPath, ShownOn, WhySources } from "./why-answer.ts";

const several: ReadonlySet<Shows> = new Set(["edition", "pairs", "deck"]);
const withoutText: ReadonlySet<Shows> = new Set(["month", "list", "site", "picture", "own"]);

/** Undefined for a path that shows one text, or the twelve of a set. */
export function wordsForGathering({ row }: TreePath): ShownOn | undefined {
  const { shows: kind, about } = tree[row];
  if (several.has(kind)) return { kind: "several", words: about };
  return withoutText.has(kind) ? { kind: "none", words: `no text: ${about}` } : undefined;
}

/** The texts on a published path, each with its own path. */
export async function pathsGatheredOn(at: TreePath, look: WhySources): Promise<NamedPath[]> {
  const { published } = look;
  if (shows(at, "edition")) {
    const summary = await publishedSummary(published, at.language);
    return summary === undefined ? [] : editionParts(summary, look);
  }
  if (shows(at, "pairs")) {
    return partsIn(await pathsInGroup(published, groupNamed(at.language)), (page) =>
      page.row === "pairPage" ? `${page.sign1}-${page.sign2}` : undefined,
    );
  }
  if (shows(at, "deck")) {
    const { language, operation } = at;
    const data = pathOf({ row: "deckData", language, operation });
    const deck = await publishedDocument(published, data, documents.deck);
    const cards = deck?.cards.toSorted((one, other) => (one.last > other.last ? -1 : 1)) ?? [];
    const draws = await drawsOf(
      at,
      cards.map(({ last }) => last),
      look,
    );
    return cards.map((seen) => ({
      name: seen.card.name,
      path:
        draws.find(({ reading }) => isFrom(seen, reading))?.key ??
        pathOf({ row: "cardsData", language, operation, date: seen.last }),
    }));
  }
  if (shows(at, "month")) {
    return partsIn(await pathsInGroup(published, groupNamed(at.language, at.month)), (page) =>
      page.row === "datedPage" && page.sign === at.sign ? `${page.kind} ${page.sign} ${page.key}` : undefined,
    );
  }
  if (!shows(at, "site")) return [];
  const dates = await publishedDates(published);
  return [...dates].map(([language, date]) => ({
    name: `${language} ${date}`,
    path: pathOf({ row: "languageIndex", language }),
  }));
}

/** The further draws of these dates that the vault has. */
async function drawsOf(
  { language, operation }: { readonly language: Language; readonly operation: CardOperation },
  dates: readonly string[],
  look: WhySources,
): Promise<{ readonly key: string; readonly reading: ReceivedReading }[]> {
  const found = await inParallel(new Set(dates), async (date) => {
    const keys = await look.vault.held(`${setKey({ operation, language, period: date })}/draw-`);
    return look.read(keys.map(requestOf).filter((request) => request !== undefined));
  });
  return found.flat().map((reading) => ({ key: reading.response.key, reading }));
}

function partsIn(paths: readonly string[], nameOf: (at: TreePath) => string | undefined): NamedPath[] {
  return paths.flatMap((path) => {
    const at = parsePath(path);
    const name = at && nameOf(at);
    return name === undefined ? [] : [{ name, path }];
  });
}

async function editionParts({ language, newest }: LanguageDocument, look: WhySources) {
  const parts: NamedPath[] = [];
  for (const operation of operationNames) {
    const period = newest[operation];
    if (period === undefined) continue;
    const paths = await pathsOf(language, operation, period, look);
    parts.push(...paths.map((path) => ({ name: `${operation} ${period}`, path })));
  }
  return parts;
}

/** The paths that show the newest set of an operation. */
async function pathsOf(
  language: Language,
  operation: Operation,
  period: string,
  { published, configuration }: WhySources,
): Promise<string[]> {
  if (operation === "love-compatibility") return [pathOf({ row: "pairsPage", language })];
  const set = dataPathOfSet(language, operation, period);
  if (set !== undefined) return [set];
  return publishedAmong(
    published,
    configuration.people.map(({ id }) => pathOf({ row: "personPage", language, person: id })),
  );
}

/** Why such a path is not there. */
export async function gatheringAbsence(at: TreePath, look: WhySources): Promise<Absence> {
  const { configuration, state } = look;
  const never = "language" in at ? neverRequested(at.language, operationAt(at), configuration) : undefined;
  if (never !== undefined) return never;
  if (state !== undefined) return absenceOfKind(at);
  const next = "run `almanac local` or `almanac nightly`";
  return { kind: "waiting for the next publish", reason: "nothing is published yet", next };
}

function absenceOfKind(at: TreePath): Absence {
  if (shows(at, "picture")) {
    return {
      kind: "never due",
      reason: "no published text shows this picture",
      next: "to copy the cards' pictures, set `pictures.mirror` in almanac.config.ts",
    };
  }
  if (shows(at, "site") || shows(at, "own")) {
    return {
      kind: "waiting for the next publish",
      reason: "an older version of Almanac, without this file, published the current version",
      next: "the next publish adds it. To add it now: `almanac render`",
    };
  }
  const next = "`almanac status` shows the progress of its language";
  return { kind: "waiting for its set", reason: "no text that it would show is published", next };
}

// The answer for a path that the published tree can't have, and for the path of a text that can't exist.

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
  const shown = `"/${addressOf(path)}"`;
  const at = parsePath(path);
  if (at !== undefined && shows(at, "record")) {
    return new NoSuchPath(
      `${shown} is a record of the site, not a published path. \`almanac log\` lists its versions, and \`almanac verify\` checks them`,
    );
  }
  const unknown = unknownIn(path);
  if (unknown === undefined)
    return new NoSuchPath(`${shown} is not a published path. docs/published-tree.md lists all paths`);
  return new NoSuchPath(
    `${shown} is not a published path, because "${unknown.word}" is not a ${unknown.as}`,
    { unknown },
  );
}

function unknownIn(path: string): UnknownWord | undefined {
  const unknown = unknownWordIn(path);
  if (unknown === undefined) return undefined;
  const { word, slots, known } = unknown;
  if (slots.has("language")) return { word, as: "language", known: languageNames };
  if (slots.has("kind")) return { word, as: "section", known };
  return slots.has("sign") && !word.includes(".") ? { word, as: "sign", known: signs } : undefined;
}

/** A path of the right form on which no text can be. Throws where its date is none. */
export function whyNoText(at: TreePath, configuration: Configuration): Absence {
  if ("language" in at) {
    requireDate(at);
    const never = neverRequested(at.language, operationAt(at), configuration);
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
