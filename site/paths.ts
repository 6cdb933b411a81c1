// Builds paths from rows of the table of the published tree, and parses paths back. Paths built by hand would link to nothing, and
// paths parsed by hand would match files that nobody publishes.
import {
  type Language,
  isOfCards,
  languagesOf,
  type Operation,
  operations,
  rowOf,
  signs,
} from "../readings/tables.ts";
import { isPeriodKind } from "../readings/calendar.ts";
import { type HoroscopeRequest, isFurtherDraw, type ReadingRequest, requestOf } from "../readings/request.ts";
import {
  type PathShowing,
  type RootFilePath,
  type RowName,
  type Shows,
  slots as allSlots,
  tree,
  type TreePath,
} from "./tree.ts";

/** A piece of a row's path, or of a word of it: a slot with the text before it. */
interface PathPiece {
  readonly text: string;
  readonly slot: string | undefined;
}

function piecesOf(template: string): PathPiece[] {
  const parts = template.split(/\{(\w+)\}/);
  return parts.flatMap((text, index) => (index % 2 === 0 ? [{ text, slot: parts[index + 1] }] : []));
}

export const rowNames = Object.keys(tree).filter(isRowName);
const pieces = new Map(rowNames.map((row) => [row, piecesOf(tree[row].path)]));

function isRowName(text: string | undefined): text is RowName {
  return text !== undefined && Object.hasOwn(tree, text);
}

export function pathOf(at: TreePath): string {
  const values: Readonly<Record<string, string>> = at;
  let path = "";
  for (const { text, slot } of pieces.get(at.row) ?? []) {
    path += text;
    if (slot !== undefined) path += values[slot];
  }
  return path;
}

/** The paths that are the same in every site. */
export const fixedPaths = rowNames.map((row) => tree[row].path).filter((path) => !path.includes("{"));

const domains = new Map<string, RegExp | readonly string[]>(Object.entries(allSlots));

/** Whether each slot of its row has a value that it takes: a period or an id that was not checked can't lead out of the tree. */
export function isTreePath(found: Readonly<Record<string, string>>): found is TreePath {
  const own = isRowName(found.row) ? pieces.get(found.row) : undefined;
  return own?.every(({ slot }) => slot === undefined || takes(slot, found[slot])) === true;
}

function takes(slot: string, value: string | undefined) {
  const domain = domains.get(slot);
  if (value === undefined || domain === undefined) return false;
  return domain instanceof RegExp ? domain.test(value) : domain.includes(value);
}

/** A row's path, or a word of it, as a regular expression whose groups are the values of its slots. */
function formOf(template: string): RegExp {
  const sources = piecesOf(template).map(({ text, slot }) => {
    const domain = domains.get(slot ?? "");
    const source = domain instanceof RegExp ? domain.source.slice(1, -1) : domain?.join("|");
    return text.replaceAll(".", String.raw`\.`) + (source === undefined ? "" : `(${source})`);
  });
  return new RegExp(`^${sources.join("")}$`);
}

/** The number of folders in a path: few rows have the same. */
function depthOf(path: string) {
  let depth = 0;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) depth += 1;
  return depth;
}

const rowsByDepth = Map.groupBy(
  rowNames.map((row) => {
    const { path } = tree[row];
    return { row, path, form: formOf(path), slots: piecesOf(path).flatMap(({ slot }) => slot ?? []) };
  }),
  ({ path }) => depthOf(path),
);

/**
 * Whether a path belongs to the published tree. Any other file in a store is never touched, such as the owner's favicon, or a file
 * at the root that no state has.
 */
export function isOwnPath(path: string): boolean {
  const at = parsePath(path);
  return at !== undefined && tree[at.row].shows !== "record" && !isRootFile(at);
}

/** Whether the path is of a file in `theme/root/`. */
export function isRootFile(at: TreePath): at is RootFilePath {
  return at.row === "rootFile" || at.row === "wellKnownFile";
}

/**
 * The group of a path: `en/current`, `en/2026-11` for dated files of that month (a year counts as its January), and `shared` for
 * files without a language.
 */
export function groupAt(at: TreePath): string {
  if (!("language" in at)) return "shared";
  const date = "key" in at ? at.key : "date" in at ? at.date : "month" in at ? at.month : undefined;
  return groupNamed(at.language, date === undefined ? undefined : `${date}-01`.slice(0, "2026-11".length));
}

/** The name of the group of a language's current files or, with a month, of the files that are dated in it. */
export function groupNamed(language: Language, month = "current"): string {
  return `${language}/${month}`;
}

/** The common prefix of all paths of a row, for listing them in a store. */
export function beginningOf(row: RowName): string {
  return pieces.get(row)?.[0]?.text ?? "";
}

/** The row of a path with its values; undefined for a path that is not of the tree. */
export function parsePath(path: string): TreePath | undefined {
  for (const { row, form, slots } of rowsByDepth.get(depthOf(path)) ?? []) {
    const match = form.exec(path);
    if (match === null) continue;
    const found: Record<string, string> = { row };
    for (const [index, slot] of slots.entries()) found[slot] = match[index + 1] ?? "";
    return isRead(found) ? found : undefined;
  }
  return undefined;
}

/** The expression has matched, so all slots have valid values. */
function isRead(found: Readonly<Record<string, string>>): found is TreePath {
  return isRowName(found.row);
}

/** The first word of a path that no path of the tree has there, with the slots and the words that are possible in its place. */
export function unknownWordIn(path: string) {
  let rows = rowNames.map((row) => tree[row].path.split("/"));
  for (const [depth, word] of path.split("/").entries()) {
    const next = rows.filter((words) => formOf(words[depth] ?? "").test(word));
    if (next.length === 0) {
      const there = new Set(rows.flatMap((words) => words[depth] ?? []));
      const slots = new Set([...there].flatMap((one) => piecesOf(one).flatMap(({ slot }) => slot ?? [])));
      const values = [...slots].map((slot) => domains.get(slot)).filter((domain) => Array.isArray(domain));
      return { word, slots, known: [...values.flat(), ...there].filter((one) => /^[\w-]+$/.test(one)) };
    }
    rows = next;
  }
  return undefined;
}

// The text that a path shows, by its row, and all paths that show a request's text.
type AtPeriod = (period: string) => ReadingRequest | undefined;

/** One text or, of the twelve of a set, that of a sign, which represents all. */
export type ShownText = { readonly isAll: boolean } & (
  | { readonly kind: "text"; readonly request: ReadingRequest }
  /** The newest text of its operation; for a pair, the text of the season that its file names. */
  | {
      readonly kind: "current";
      readonly language: Language;
      readonly operation: Operation;
      readonly at: AtPeriod;
    }
  | { readonly kind: "pair"; readonly data: TreePath; readonly at: AtPeriod }
);

export function shows<Kind extends Shows>(at: TreePath, kind: Kind): at is PathShowing<Kind> {
  return tree[at.row].shows === kind;
}

/** The text on a path; undefined where it shows several texts or none, or its date does not exist. */
export function textAt(at: TreePath): ShownText | undefined {
  const operation = operationAt(at);
  if (!("language" in at) || operation === undefined) return undefined;
  const { language } = at;
  if (!languagesOf(operation).includes(language)) return undefined;
  const last =
    "sign" in at
      ? at.sign
      : "sign1" in at
        ? `${at.sign1}-${at.sign2}`
        : "person" in at
          ? at.person
          : undefined;
  const usual = isOfCards(operation) ? "reading" : "aries";
  const requestIn = (period: string) =>
    requestOf(`${rowOf(operation).due}/${period}/${language}/${operation}/${last ?? usual}`);
  switch (tree[at.row].shows) {
    case "text":
    case "twelve": {
      const request = requestIn("key" in at ? at.key : "date" in at ? at.date : "always");
      return request && { kind: "text", request, isAll: shows(at, "twelve") };
    }
    case "current text":
    case "current twelve":
      return { kind: "current", language, operation, at: requestIn, isAll: shows(at, "current twelve") };
    case "pair":
      return shows(at, "pair")
        ? { kind: "pair", data: { ...at, row: "pairData" }, at: requestIn, isAll: false }
        : undefined;
    default:
      return undefined;
  }
}

export function textOnPath(path: string): ShownText | undefined {
  const at = parsePath(path);
  return at && textAt(at);
}

/** The operation whose texts are on a path. */
export function operationAt(at: TreePath): Operation | undefined {
  if ("kind" in at) return `${at.kind}-horoscope`;
  return "operation" in at ? at.operation : tree[at.row].of;
}

/** The paths of all rows that show a request in one of these ways. */
function pathsShowing(request: ReadingRequest, ways: readonly Shows[]): TreePath[] {
  const { language, operation, period } = request;
  const values: Readonly<Record<string, string>> =
    "sign" in request
      ? { language, sign: request.sign, kind: operations[request.operation].due, key: period, date: period }
      : "sign1" in request
        ? { language, sign1: request.sign1, sign2: request.sign2 }
        : "person" in request
          ? { language, person: request.person }
          : { language, operation, date: period };
  return rowNames.flatMap((row) => {
    // A further draw is only in its deck, and never the day's card.
    const isOther =
      (tree[row].of !== undefined && tree[row].of !== operation) ||
      (isFurtherDraw(request) && tree[row].shows !== "deck");
    if (isOther || !ways.includes(tree[row].shows)) return [];
    const at: Readonly<Record<string, string>> = { row, ...values };
    return isTreePath(at) ? [at] : [];
  });
}

/** Each language has these paths as soon as it has any. */
const alwaysThere = ["frontPage", "cardsPage", "archiveStart", "followPage", "aboutPage"] as const;

/** The paths of the listed pages of a language of which these are the current requests. */
export function currentPagesOf(language: Language, requests: readonly ReadingRequest[]): string[] {
  if (requests.length === 0) return [];
  const ways = ["text", "pair", "pairs", "deck", "current text"] as const;
  const shown = requests
    .flatMap((request) => pathsShowing(request, ways))
    .filter(({ row }) => row !== "drawPage"); // comes when a deck is known well enough
  const isOfPairs = requests.some((request) => "sign1" in request);
  const choosing = isOfPairs ? signs.map((sign) => ({ row: "partnerPage", language, sign }) as const) : [];
  const pages: TreePath[] = [...alwaysThere.map((row) => ({ row, language })), ...choosing, ...shown];
  return [
    ...new Set(pages.filter(({ row }) => tree[row].isListed && tree[row].stage !== "dated").map(pathOf)),
  ];
}

/** The paths that show only this text. Only a pair's path can show another text, that of another season. */
export function ownPaths(request: ReadingRequest): string[] {
  return pathsShowing(request, ["text", "pair"]).map(pathOf);
}

/** The paths that show the text among others or, if it is the current one, until the next one: rendered again, they lose it. */
export function passingPaths(request: ReadingRequest, isCurrent: boolean): string[] {
  const current = isCurrent ? (["current text", "current twelve"] as const) : [];
  return pathsShowing(request, ["twelve", "deck", ...current]).map(pathOf);
}

/** The feeds that have a day's text as long as it is the current one. */
export function feedPaths(request: HoroscopeRequest): string[] {
  const current = pathsShowing(request, ["current text", "current twelve"]);
  return current.filter(({ row }) => tree[row].isFeed).map(pathOf);
}

/** The path of the text's data; a person's text has none. */
export function dataPathOf(request: ReadingRequest): string | undefined {
  const data = pathsShowing(request, ["text", "pair"]).find(({ row }) => tree[row].schemas !== undefined);
  return data && pathOf(data);
}

/** The data path of a dated set: all twelve signs, or a card reading. */
export function dataPathOfSet(language: Language, operation: Operation, period: string): string | undefined {
  const { due } = rowOf(operation);
  if (isOfCards(operation)) return pathOf({ row: "cardsData", language, operation, date: period });
  return isPeriodKind(due) ? pathOf({ row: "signsData", language, kind: due, key: period }) : undefined;
}
