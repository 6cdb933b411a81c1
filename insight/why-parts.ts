// Paths that show several texts or none: the paths that tell more, or why the path is not there. For a path that the published tree
// can't have, an error says which word is wrong.
import {
  publishedDates,
  publishedDocument,
  publishedSummary,
  pathsInGroup,
} from "../publish/state/published-files.ts";
import { type Language, operationNames } from "../readings/tables.ts";
import { isPeriodKey, noPeriod, periodOf, parseDate } from "../readings/calendar.ts";
import { requestOf, setKey } from "../readings/request.ts";
import { documents } from "../site/data.schema.ts";
import { groupAt, isRootFile, operationAt, parsePath, pathOf, shows, unknownWordIn } from "../site/paths.ts";
import { addressOf } from "../site/address.ts";
import { isFrom } from "../site/seen-cards.ts";
import { type PathShowing, type RowName, type Shows, tree, type TreePath } from "../site/tree.ts";
import { inParallel } from "../store/store.ts";
import { neverRequested } from "./why-absence.ts";
import { because, type Fact, type Reason, type WhySources } from "./why-facts.ts";

/** The texts on a published path, each with its own path. */
export async function partsOn(at: TreePath, look: WhySources): Promise<Fact[]> {
  const { published } = look;
  if (shows(at, "deck")) return cardsOn(at, look);
  if (shows(at, "site")) {
    const path = (language: Language) => pathOf({ row: "languageIndex", language });
    return [...(await publishedDates(published))].map(([one, date]) => partOf(`${one} ${date}`, path(one)));
  }
  const rows = rowsOn[tree[at.row].shows];
  if (rows === undefined || !("language" in at)) return [];
  const newest = (await publishedSummary(published, at.language))?.newest;
  const ofGroup = (await pathsInGroup(published, groupAt(at))).flatMap((path) => parsePath(path) ?? []);
  const isOther = (page: TreePath) => "sign" in at && "sign" in page && at.sign !== page.sign;
  const pages = ofGroup.filter((page) => rows.includes(page.row) && !isOther(page));
  return operationNames.flatMap((operation) => {
    const own = pages.filter((page) => operationAt(page) === operation);
    const periodOn = (page: TreePath) => ("key" in page ? page.key : newest?.[operation]) ?? "";
    return own.map((page) => partOf(`${operation} ${periodOn(page)}`.trim(), pathOf(page)));
  });
}

/** The parts of a page are the pages and files in these rows, of its language and month. */
const rowsOn: Partial<Record<Shows, readonly RowName[]>> = {
  edition: ["currentSigns", "currentCards", "pairsPage", "personPage"],
  pairs: ["pairPage"],
  month: ["datedPage"],
};

function partOf(name: string, is: string): Fact {
  return { about: "made of", is, name };
}

/** The cards of a deck: of a further draw the request key, of a day's own card the path of its data. */
async function cardsOn(at: PathShowing<"deck">, { published, vault, read }: WhySources): Promise<Fact[]> {
  const { language, operation } = at;
  const data = pathOf({ row: "deckData", language, operation });
  const deck = await publishedDocument(published, data, documents.deck);
  const cards = deck?.cards.toSorted((one, other) => (one.last > other.last ? -1 : 1)) ?? [];
  const draws = await inParallel(new Set(cards.map(({ last }) => last)), async (date) => {
    const keys = await vault.held(`${setKey({ operation, language, period: date })}/draw-`);
    return read(keys.map(requestOf).filter((request) => request !== undefined));
  });
  return cards.map((seen) => {
    const draw = draws.flat().find((stored) => isFrom(seen, stored));
    const day = pathOf({ row: "cardsData", language, operation, date: seen.last });
    return partOf(seen.card.name, draw === undefined ? day : draw.response.key);
  });
}

/** Why a path is not there that shows no text of its own. Throws for one on which there can be none. */
export function reasonWithoutText(at: TreePath, { configuration, state }: WhySources): Reason {
  const never = "language" in at ? neverRequested(at.language, operationAt(at), configuration) : undefined;
  if (never !== undefined) return never;
  if (isOfText(at)) throw noSuchPath(pathOf(at));
  if (state === undefined) {
    const next = "run `almanac local` or `almanac nightly`";
    return because("waiting for the next publish", "nothing is published yet", next);
  }
  if (shows(at, "picture")) {
    const next = "to copy the cards' pictures, set `pictures.mirror` in almanac.config.ts";
    return because("never due", "no published text shows this picture", next);
  }
  if (shows(at, "site") || shows(at, "own")) {
    const words = "an older version of Almanac, without this file, published the current version";
    const next = "the next publish adds it. To add it now: `almanac render`";
    return because("waiting for the next publish", words, next);
  }
  const next = "`almanac status` shows the progress of its language";
  return because("waiting for its set", "no text that it would show is published", next);
}

/** Whether the path shows one text, or the twelve of a set. */
export function isOfText(at: TreePath): boolean {
  const ways = ["text", "twelve", "current text", "current twelve", "pair"] as const;
  return ways.some((way) => shows(at, way));
}

interface Guess {
  /** The path that was probably meant. */
  readonly meant?: string;
  /** A word in the path that the tree does not know, and the words that it knows in that place. */
  readonly word?: string;
  readonly as?: "language" | "section" | "sign";
  readonly known?: readonly string[];
}

/** Thrown for a path on which nothing is ever published. */
export class NoSuchPath extends Error {
  override readonly name = "NoSuchPath";
  readonly guess: Guess;
  constructor(message: string, guess: Guess = {}) {
    super(message);
    this.guess = guess;
  }
}

/** The values of a path that is not published but can be. Throws for one that can't, or has a date that does not exist. */
export function requirePath(path: string): TreePath {
  const at = parsePath(path);
  if (at !== undefined && shows(at, "record")) {
    throw new NoSuchPath(
      `"/${addressOf(path)}" is a record of the site, not a published path. \`almanac log\` lists its versions, and \`almanac verify\` checks them`,
    );
  }
  if (at === undefined || isRootFile(at)) throw noSuchPath(path);
  const kind = "kind" in at ? at.kind : "month" in at ? "monthly" : "daily";
  const key = "key" in at ? at.key : "date" in at ? at.date : "month" in at ? at.month : undefined;
  if (key === undefined || isPeriodKey(kind, key)) return at;
  // A day of the calendar is in one period of each kind.
  const isDay = "key" in at && parseDate(key) !== undefined;
  const meant = isDay ? { meant: pathOf({ ...at, key: periodOf(kind, key) }) } : {};
  throw new NoSuchPath(`${path}: ${noPeriod(kind, key)}`, meant);
}

function noSuchPath(path: string): NoSuchPath {
  const shown = `"/${addressOf(path)}" is not a published path`;
  const { word = "", slots, known } = unknownWordIn(path) ?? {};
  const slot = (["language", "kind", "sign"] as const).find((one) => slots?.has(one));
  if (slot === undefined || (slot === "sign" && word.includes(".")))
    return new NoSuchPath(`${shown}. docs/published-tree.md lists all paths`);
  const as = slot === "kind" ? "section" : slot;
  return new NoSuchPath(`${shown}, because "${word}" is not a ${as}`, { word, as, known });
}
