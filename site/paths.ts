// Builds paths from rows of the table of the published tree, and parses paths back: code that makes a path by hand links to
// nothing, and code that takes one apart by hand finds files that nobody publishes.
import type { Language } from "../readings/languages.ts";
import { type RootFilePath, type RowName, slots as allSlots, tree, type TreePath } from "./tree.ts";

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

/** The number of folders that a path lies in: few rows have the same. */
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
 * Whether a path is of the published tree. Any other file in a store is never touched, such as a favicon of somebody's own, or a
 * file at the root that no state has.
 */
export function isOwnPath(path: string): boolean {
  const at = parsePath(path);
  return at !== undefined && tree[at.row].shows !== "record" && !isRootFile(at);
}

/** Whether the path is of a file in `theme/root/`. */
export function isRootFile(at: TreePath): at is RootFilePath {
  return at.row === "rootFile" || at.row === "wellKnownFile";
}

/** `en/current`, `en/2026-11` for what has a date in that month, a year counting as its January, and `shared` for what is of no language. */
export function groupAt(at: TreePath): string {
  if (!("language" in at)) return "shared";
  const date = "key" in at ? at.key : "date" in at ? at.date : "month" in at ? at.month : undefined;
  return groupNamed(at.language, date === undefined ? undefined : `${date}-01`.slice(0, "2026-11".length));
}

/** The name of the group of a language's current files or, with a month, of the files that are dated in it. */
export function groupNamed(language: Language, month = "current"): string {
  return `${language}/${month}`;
}

/** The beginning of all paths of a row, to list them in a store. */
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

/** The form has let through only values that the slots take. */
function isRead(found: Readonly<Record<string, string>>): found is TreePath {
  return isRowName(found.row);
}

/** The first word of a path with which no path of the tree goes on. */
export interface StrayWord {
  readonly word: string;
  /** The slots that can stand there instead. */
  readonly slots: ReadonlySet<string>;
  /** The words that can: of the table, and the values of those slots. */
  readonly known: readonly string[];
}

export function strayWordIn(path: string): StrayWord | undefined {
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
