// Wraps text to the terminal's width by the rules of its script: at blanks, or between words in Chinese and Japanese. Breaks
// within a word only if it is longer than a line, and never between a letter and its marks.

/** Two columns wide in a terminal: Han, kana, hangul, their punctuation and full-width forms, emoji. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;
const startsWide = new RegExp(`^(?:${wide.source})`, "u");
const endsWide = new RegExp(`(?:${wide.source})$`, "u");
/** Zero width: combining marks and invisible characters. */
const without = /[\p{Mn}\p{Me}\p{Cf}]/u;
/** No line of Chinese or Japanese begins with these, small kana and the long vowel among them, */
const closing =
  /^[\p{Pe}\p{Pf}\p{Po}\u30FC\u301C\uFF5E\u3005\u309D\u309E\u30FD\u30FEぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ]/u;
/** and none ends with these. */
const opening = /[\p{Ps}\p{Pi}]$/u;

export function columnsOf(text: string): number {
  let columns = 0;
  for (const letter of text) columns += without.test(letter) ? 0 : wide.test(letter) ? 2 : 1;
  return columns;
}

export interface Wrapping {
  /** BCP 47; it decides where words end in a script without blanks. */
  readonly language: string;
  readonly columns: number;
  readonly indent?: string;
}

export function wrap(text: string, { language, columns, indent = "" }: Wrapping): string[] {
  const room = Math.max(1, columns - columnsOf(indent));
  const lines: string[] = [];
  let line = "";
  for (const piece of piecesOf(text, language)) {
    const whole = line + piece;
    if (columnsOf(whole.trimEnd()) <= room) {
      line = whole;
      continue;
    }
    lines.push(line);
    const parts = splitTo(room, piece.trimStart());
    line = parts.pop() ?? "";
    lines.push(...parts);
  }
  lines.push(line);
  return lines
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => indent + one);
}

/** Unbreakable pieces, including the blanks after them. A line may break between any two. */
function piecesOf(text: string, language: string) {
  const pieces: string[] = [];
  for (const { segment } of segmenterOf(language, "word").segment(text)) {
    const last = pieces.at(-1);
    if (last === undefined || mayBreak(last, segment)) pieces.push(segment);
    else pieces[pieces.length - 1] = last + segment;
  }
  return pieces;
}

function mayBreak(before: string, after: string) {
  // Never break at a no-break space.
  if (/[^\S\u00A0\u202F]$/.test(before)) return !/^\s/.test(after);
  const meetsWide = endsWide.test(before) || startsWide.test(after);
  return meetsWide && !/^\s/.test(after) && !closing.test(after) && !opening.test(before);
}

/** Splits a word that is longer than a line, between grapheme clusters: letters with all their marks. */
function splitTo(room: number, piece: string) {
  if (columnsOf(piece.trimEnd()) <= room) return [piece];
  const parts: string[] = [];
  let part = "";
  for (const { segment } of segmenterOf("und", "grapheme").segment(piece)) {
    if (part !== "" && columnsOf(part + segment) > room) {
      parts.push(part);
      part = "";
    }
    part += segment;
  }
  return [...parts, part];
}

const segmenters = new Map<string, Intl.Segmenter>();

/** Created lazily: the first segmenter takes 10 ms, and most commands need none. */
function segmenterOf(language: string, granularity: "grapheme" | "word"): Intl.Segmenter {
  const name = `${language} ${granularity}`;
  const known = segmenters.get(name) ?? new Intl.Segmenter(language, { granularity });
  segmenters.set(name, known);
  return known;
}
