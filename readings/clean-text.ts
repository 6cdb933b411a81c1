// Text as received -> clean paragraphs. Everything that a reader could see goes through here once.
import { isLetter } from "./letter-counts.ts";

/** Controls that are no white space, bidirectional overrides and isolates, byte order marks, tag and other
 * invisible format characters; not the joiners (U+200C, U+200D), which Indic scripts need, nor the plain marks
 * U+200E and U+200F. */
const unwanted =
  // oxlint-disable-next-line no-misleading-character-class -- the class lists single code points
  /[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;
const anyUnwanted = new RegExp(unwanted.source, "u");
/** The pattern takes no blanks around a line break: it would search a long run of them again from each of its places. */
const lineBreaks = /[\r\n\u0085\u2028\u2029]+/;
const oddBlanks = /[^\S ]| {2}/;
/** A text without any of these needs no cleaning, unless two blanks follow each other. */
const beyondAscii = /[^\r\n -~]/;
const twoBlanks = /[ \t]{2}/;

/** NFC, well-formed, one line, single spaces, trimmed; a lone surrogate becomes U+FFFD, which a gate refuses. */
export function cleanLine(text: string): string {
  return cleanParagraphs(text).join(" ");
}

/** The paragraphs of a text: split at line breaks, cleaned, the empty ones left out. */
export function cleanParagraphs(text: string): string[] {
  const clean = !beyondAscii.test(text) && !twoBlanks.test(text);
  const paragraphs: string[] = [];
  for (const part of text.split(lineBreaks)) {
    const paragraph = clean ? part.trim() : cleanPart(part);
    if (paragraph !== "") paragraphs.push(paragraph);
  }
  return paragraphs;
}

function cleanPart(part: string) {
  const wellFormed = part.toWellFormed();
  const visible = anyUnwanted.test(wellFormed) ? wellFormed.replaceAll(unwanted, "") : wellFormed;
  const composed = visible.normalize("NFC");
  return (oddBlanks.test(composed) ? composed.replaceAll(/\s+/g, " ") : composed).trim();
}

/** Whether a text has no character that markup, placeholders, escapes or broken characters are made of. */
export function isPlain(text: string): boolean {
  return !/[<&`[\]#*{}%$\\:Ãâ\uE000-\uF8FF\uFFFD-\uFFFF\uDB80-\uDBFF]/.test(text);
}

/** Whether a text has no full-width form, no ideographic full stop, no joiner, mark of direction, selector or filler. */
export function isUndisguised(text: string): boolean {
  // oxlint-disable-next-line no-misleading-character-class -- the class lists single code units
  return !/[\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200C-\u200F\u2024\u2800\u3002\u3164\uFE00-\uFE0F\uFE52\uFE64\uFE65\uFF01-\uFF5E\uFF61\uFFA0\uD82F\uD834\uDB40]/.test(
    text,
  );
}

/** How long a text is, in letters, so that it means the same in every script; stops counting at `limit`. */
export function countLetters(text: string, limit = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (let at = 0; at < text.length && count < limit; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at += 1;
    if (isLetter(code)) count += 1;
  }
  return count;
}

/** Every decimal digit of every script as 0-9, for reading numbers and dates that were translated. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    if (code < 128) return digit;
    // The digits of a script stand in a row of ten that begins with its zero: count back to it.
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
    return String(value % 10);
  });
}
