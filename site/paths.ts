// Builds paths from rows of the table of the published tree, and parses paths back: code that makes a path by hand links to
// nothing, and code that takes one apart by hand finds files that nobody publishes.
import type { Language } from "../readings/languages.ts";
import { type RowName, slots as allSlots, tree, type TreePath } from "./tree.ts";

/** A piece of a row's path, or of a word of it: a slot with the text before it. */
interface Piece {
  readonly text: string;
  readonly slot: string | undefined;
}

function piecesOf(template: string): Piece[] {
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

function takes(slot: string, value: string | undefined): boolean {
  const domain = domains.get(slot);
  if (value === undefined || domain === undefined) return false;
  return domain instanceof RegExp ? domain.test(value) : domain.includes(value);
}

/** A fork in the tree of paths: the next word is one that the table lists, or one of a form. */
interface Fork {
  readonly words: ReadonlyMap<string, readonly Branch[]>;
  readonly forms: readonly Formed[];
  /** The row of a path that ends here. */
  readonly row: RowName | undefined;
}
interface Branch {
  /** The values of the word's slots. */
  readonly values: readonly Value[];
  readonly to: Fork;
}
type Value = readonly [slot: string, value: string];
interface Formed {
  readonly form: RegExp;
  /** The slots that the form's groups fill. */
  readonly slots: readonly string[];
  readonly to: Fork;
}

interface Rest {
  readonly row: RowName;
  readonly words: readonly string[];
}

const root = forkOf(rowNames.map((row) => ({ row, words: tree[row].path.split("/") })));

function forkOf(rests: readonly Rest[]): Fork {
  const words = new Map<string, Branch[]>();
  const forms: Formed[] = [];
  for (const [word, own] of Map.groupBy(rests, (rest) => rest.words[0])) {
    if (word === undefined) continue;
    const to = forkOf(own.map((rest) => ({ row: rest.row, words: rest.words.slice(1) })));
    const parts = piecesOf(word);
    const slots = parts.flatMap(({ slot }) => slot ?? []);
    if (slots.some((slot) => domains.get(slot) instanceof RegExp))
      forms.push({ form: formOf(parts), slots, to });
    else
      for (const [text, values] of wordsOf(parts))
        words.set(text, [...(words.get(text) ?? []), { values, to }]);
  }
  return { words, forms, row: rests.find((rest) => rest.words.length === 0)?.row };
}

/** Every word that has this form, with the values of its slots. */
function wordsOf([first, ...rest]: readonly Piece[]): [word: string, values: Value[]][] {
  if (first === undefined) return [["", []]];
  const { text, slot } = first;
  const after = wordsOf(rest);
  if (slot === undefined) return after.map(([word, values]) => [text + word, values]);
  return listOf(slot).flatMap((value) =>
    after.map(([word, values]): [string, Value[]] => [text + value + word, [[slot, value], ...values]]),
  );
}

function formOf(parts: readonly Piece[]): RegExp {
  const sources = parts.map(({ text, slot }) => {
    const domain = domains.get(slot ?? "");
    const source = domain instanceof RegExp ? domain.source.slice(1, -1) : domain?.join("|");
    return text.replaceAll(".", String.raw`\.`) + (slot === undefined ? "" : `(${source})`);
  });
  return new RegExp(`^${sources.join("")}$`);
}

function listOf(slot: string): readonly string[] {
  const domain = domains.get(slot);
  return domain instanceof RegExp || domain === undefined ? [] : domain;
}

/** Whether a path is of the published tree. Any other file in a store, such as a favicon of somebody's own, is never touched. */
export function isOwnPath(path: string): boolean {
  const at = parsePath(path);
  return at !== undefined && tree[at.row].shows !== "record";
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
  const found = readFrom(root, path.split("/"), 0);
  return found !== undefined && isRead(found) ? found : undefined;
}

/** The forks have let through only values that the slots take. */
function isRead(found: Readonly<Record<string, string>>): found is TreePath {
  return isRowName(found.row);
}

function readFrom(
  { words, forms, row }: Fork,
  path: readonly string[],
  depth: number,
): Record<string, string> | undefined {
  const word = path[depth];
  if (word === undefined) return row === undefined ? undefined : { row };
  for (const { values, to } of words.get(word) ?? []) {
    const found = readFrom(to, path, depth + 1);
    if (found === undefined) continue;
    for (const [slot, value] of values) found[slot] = value;
    return found;
  }
  for (const { form, slots, to } of forms) {
    const match = form.exec(word);
    const found = match === null ? undefined : readFrom(to, path, depth + 1);
    if (found === undefined) continue;
    for (const [index, slot] of slots.entries()) found[slot] = match?.[index + 1] ?? "";
    return found;
  }
  return undefined;
}

/** The first word of a path from which no path of the tree goes on, and the words from which one does. */
export interface StrayWord {
  readonly word: string;
  /** The slots that can stand there beside the table's own words. */
  readonly slots: ReadonlySet<string>;
  readonly known: readonly string[];
}

export function strayWordIn(path: string): StrayWord | undefined {
  let forks: readonly Fork[] = [root];
  for (const word of path.split("/")) {
    const next = forks.flatMap(({ words, forms }) => [
      ...(words.get(word) ?? []),
      ...forms.filter(({ form }) => form.test(word)),
    ]);
    if (next.length === 0) {
      const branches = forks.flatMap(({ words }) => [...words.values()].flat());
      const slots = new Set(branches.flatMap(({ values }) => values.map(([slot]) => slot)));
      const folders = forks.flatMap(({ words }) => [...words.keys()].filter((one) => !one.includes(".")));
      return { word, slots, known: folders };
    }
    forks = next.map(({ to }) => to);
  }
  return undefined;
}
