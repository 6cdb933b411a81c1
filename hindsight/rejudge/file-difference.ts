// What differs between two versions of a published file, in lines that a person can read: tags and fields on lines of their
// own, and of a long line what is around the first letter that differs.

export interface Difference {
  readonly path: string;
  readonly reason: "new" | "changed" | "gone";
  /** `-` was there, `+` is there instead. */
  readonly lines: readonly string[];
  /** Lines that differ and are not shown. */
  readonly more: number;
}

const mostLines = 6;
/** Where more than so many are left between the first and the last that differ, they are held against each other in order. */
const mostCompared = 400;
const shownBefore = 40;
const shownLetters = 150;

export function differenceOf(
  before: string,
  after: string,
  path: string,
): Pick<Difference, "lines" | "more"> {
  const changed = changedLines(linesOf(before, path), linesOf(after, path));
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
  readonly was?: string | undefined;
  readonly is?: string | undefined;
}

/** Lines that went and came at the same place stand side by side. */
function changedLines(before: readonly string[], after: readonly string[]): ChangedLine[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore -= 1;
    endAfter -= 1;
  }
  const [were, are] = [before.slice(start, endBefore), after.slice(start, endAfter)];
  const pairs: ChangedLine[] = [];
  for (const { gone, came } of gaps(were, are)) {
    for (let at = 0; at < Math.max(gone.length, came.length); at += 1)
      if (gone[at] !== came[at]) pairs.push({ was: gone[at], is: came[at] });
  }
  return pairs;
}

interface Gap {
  readonly gone: string[];
  readonly came: string[];
}

/** Between the lines that both have, in the longest such row. */
function gaps(were: readonly string[], are: readonly string[]): Gap[] {
  if (were.length > mostCompared || are.length > mostCompared) return [{ gone: [...were], came: [...are] }];
  const row = rowLengths(were, are);
  const found: Gap[] = [];
  let gap: Gap = { gone: [], came: [] };
  let [one, other] = [0, 0];
  while (one < were.length || other < are.length) {
    const [was, is] = [were[one], are[other]];
    if (was !== undefined && was === is) {
      found.push(gap);
      gap = { gone: [], came: [] };
      one += 1;
      other += 1;
    } else if (was !== undefined && (is === undefined || row(one + 1, other) >= row(one, other + 1))) {
      gap.gone.push(was);
      one += 1;
    } else if (is !== undefined) {
      gap.came.push(is);
      other += 1;
    }
  }
  return [...found, gap];
}

/** How many lines both have in common from these places on. */
function rowLengths(were: readonly string[], are: readonly string[]): (one: number, other: number) => number {
  const width = are.length + 1;
  const lengths = new Uint16Array((were.length + 1) * width);
  for (let one = were.length - 1; one >= 0; one -= 1) {
    for (let other = are.length - 1; other >= 0; other -= 1) {
      lengths[one * width + other] =
        were[one] === are[other]
          ? (lengths[(one + 1) * width + other + 1] ?? 0) + 1
          : Math.max(lengths[(one + 1) * width + other] ?? 0, lengths[one * width + other + 1] ?? 0);
    }
  }
  return (one, other) => lengths[one * width + other] ?? 0;
}

function linesOf(text: string, path: string): string[] {
  const broken = path.endsWith(".json") ? fieldsOf(text) : text.replaceAll("><", ">\n<");
  return broken.split("\n").map((line) => line.trim());
}

function fieldsOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function cut(line: string, from: number): string {
  const [start, end] = [from > 0 ? "…" : "", line.length > from + shownLetters ? "…" : ""];
  return `${start}${line.slice(from, from + shownLetters)}${end}`.toWellFormed();
}
