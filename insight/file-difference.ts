// The differences between two versions of a published file, in lines that a person can read: tags and fields on lines of their
// own, and of a long line the part around the first letter that differs.
import { diff } from "node:util";

export interface FileDifference {
  readonly path: string;
  readonly reason: "new" | "changed" | "gone";
  /** Lines with `-` were removed, lines with `+` were added. */
  readonly lines: readonly string[];
  /** The number of differing lines that are not shown. */
  readonly more: number;
}

const mostLines = 6;
/** With more lines than this between the first and the last difference, lines are compared in order. */
const mostCompared = 400;
const shownBefore = 40;
const shownLetters = 150;

export function differenceOf(before: string, after: string, path: string) {
  const changed = changedLines(readableLinesOf(before, path), readableLinesOf(after, path));
  const lines: string[] = [];
  for (const [index, { was, is }] of changed.entries()) {
    if (index * 2 >= mostLines) return { lines, more: changed.length - index };
    const from = Math.max(0, firstDifference(was ?? "", is ?? "") - shownBefore);
    if (was !== undefined) lines.push(`- ${cut(was, from)}`);
    if (is !== undefined) lines.push(`+ ${cut(is, from)}`);
  }
  return { lines, more: 0 };
}

interface ChangedLine {
  readonly was?: string;
  readonly is?: string;
}

/** Puts removed and added lines of the same position side by side. */
function changedLines(before: readonly string[], after: readonly string[]) {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore -= 1;
    endAfter -= 1;
  }
  const [were, are] = [before.slice(start, endBefore), after.slice(start, endAfter)];
  if (were.length === 0 || Math.max(were.length, are.length) > mostCompared) return sideBySide(were, are);
  const pairs: ChangedLine[] = [];
  let [gone, came]: [string[], string[]] = [[], []];
  for (const [side, line] of diff(were, are)) {
    if (side === 1) gone.push(line);
    else if (side === -1) came.push(line);
    else {
      pairs.push(...sideBySide(gone, came));
      [gone, came] = [[], []];
    }
  }
  return [...pairs, ...sideBySide(gone, came)];
}

function sideBySide(gone: readonly string[], came: readonly string[]) {
  const longer = gone.length > came.length ? gone : came;
  return longer.map((_, at) => ({ was: gone[at], is: came[at] })).filter(({ was, is }) => was !== is);
}

function readableLinesOf(text: string, path: string) {
  const broken = path.endsWith(".json") ? fieldsOf(text) : text.replaceAll("><", ">\n<");
  return broken.split("\n").map((line) => line.trim());
}

function fieldsOf(text: string) {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

function firstDifference(one: string, other: string) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function cut(line: string, from: number) {
  const [start, end] = [from > 0 ? "…" : "", line.length > from + shownLetters ? "…" : ""];
  return `${start}${line.slice(from, from + shownLetters)}${end}`.toWellFormed();
}
