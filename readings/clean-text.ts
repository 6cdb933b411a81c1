// Text as received -> clean paragraphs. Everything that a reader could see goes through here once.
import type { Script } from "./tables.ts";

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

/** NFC, well-formed, one line, single spaces, trimmed; a lone surrogate becomes U+FFFD, which a rule refuses. */
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

// Markup in a text: the patterns by which the rule "markup" finds it, and its removal. A reader sees a text without it, also where a
// person accepted the text, or the rule only warns. Every pattern is bounded, so that no body takes long.
/** Tags, comments, entities, code fences, BBCode, links, headings and bold of Markdown, addresses that run code.
 * Two asterisks within a word stand for letters that someone was too polite to write. */
export const markup =
  /<\/?[a-z!?][^<>]{0,500}>|<(?:script|iframe|img|svg|style|a)\b|<!--|&(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});|```|\[\/?(?:b|i|u|url|img|code|color)(?:=[^\][]{0,200})?\]|\]\([^\s)]{2,500}(?:\)|\s+["'])|^\[[^\][]{1,60}\]: ?\S|^#{2,6} |\b(?:java|vb)script:[^\s]|\bdata:[a-z]{2,20}\/[a-z]|(?<![\p{L}\d*])\*\*[^\s*]/iu;

/** Tags in full-width signs; Chinese and Japanese put words between these, but none that are names of tags. */
export const wideMarkup =
  /[<＜﹤][/／]?(?:script|iframe|object|embed|img|svg|style|link|meta|form|input|video|audio|div|span|br|hr|font|center|table|[aｓ](?=[\s　][a-z])|ａ(?=[\s　])|ｓｃｒｉｐｔ|ｉｆｒａｍｅ|ｉｍｇ|ｓｖｇ|ｄｉｖ|ｓｐａｎ|ｂｒ)(?=[\s　/／>＞﹥=＝])|[<＜﹤][/／][a-zａ-ｚ]{1,10}[>＞﹥]/iu;

/** Elements whose content is no prose. */
const hiddenElement =
  /<(script|style|iframe|svg|noscript|template)\b[^<>]{0,500}>[^<]{0,5000}(?:<(?!\/\1)[^<]{0,5000}){0,50}<\/\1\s{0,20}>/giu;
const tag = /<\/?[a-z!?][^<>]{0,500}>/giu;
/** The words of a link or a picture of Markdown stay. */
const link = /!?\[([^\][]{0,200})\]\([^\s)]{0,500}(?:\s+["'][^"']{0,200}["'])?\)/gu;
/** Two asterisks within a word stand for letters. */
const bold = /(?<![\p{L}\d*])\*\*(?=[^\s*])|(?<=[^\s*])\*\*(?![\p{L}\d*])/gu;
const entity = /&(amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[0-9a-f]{1,6});/giu;
const entities = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);
/** Maximum number of rounds. Each removes tags and entities, or else the first match of either pattern. */
const mostRounds = 100;

/** The paragraphs without markup; those that had nothing else are left out. */
export function withoutMarkup(paragraphs: readonly string[]): string[] {
  return paragraphs.map(stripped).filter((paragraph) => paragraph !== "");
}

function stripped(paragraph: string): string {
  if (!markup.test(paragraph) && !wideMarkup.test(paragraph)) return paragraph;
  let text = paragraph;
  for (let round = 0; round < mostRounds; round += 1) {
    const before = text;
    text = cleanLine(
      text
        .replaceAll(hiddenElement, " ")
        .replaceAll(tag, " ")
        .replaceAll(link, "$1")
        .replaceAll(bold, "")
        .replaceAll(entity, (_, name: string) => characterOf(name.toLowerCase())),
    );
    if (text !== before) continue;
    const found = markup.exec(text)?.[0] ?? wideMarkup.exec(text)?.[0];
    if (found === undefined) return text;
    text = text.replaceAll(found, " ");
  }
  return cleanLine(text.replaceAll(/[^\p{L}\p{M}\p{N}.,!?'’ -]/gu, " "));
}

function characterOf(name: string): string {
  const known = entities.get(name);
  if (known !== undefined) return known;
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : " ";
}

// Classification of characters: letters, by script. The kind of each character is computed once and cached, because every
// character of a text is counted and a table lookup takes a tenth of a regular expression's time.
/** The first kind whose pattern matches counts. Japanese has two of them. Kana signs, such as ㋐, are not letters. */
const kinds = {
  Latin: /(?=\p{L})\p{Script=Latin}/u,
  Cyrillic: /(?=\p{L})\p{Script=Cyrillic}/u,
  Greek: /(?=\p{L})\p{Script=Greek}/u,
  Arabic: /(?=\p{L})\p{Script=Arabic}/u,
  Devanagari: /(?=\p{L})\p{Script=Devanagari}/u,
  Bengali: /(?=\p{L})\p{Script=Bengali}/u,
  Tamil: /(?=\p{L})\p{Script=Tamil}/u,
  Telugu: /(?=\p{L})\p{Script=Telugu}/u,
  Malayalam: /(?=\p{L})\p{Script=Malayalam}/u,
  Kannada: /(?=\p{L})\p{Script=Kannada}/u,
  Gujarati: /(?=\p{L})\p{Script=Gujarati}/u,
  Han: /(?=\p{L})\p{Script=Han}/u,
  kanaLetter: /(?=\p{L})[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  otherLetter: /\p{L}/u,
  kanaSign: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  anythingElse: /(?:)/u,
} as const;
type LetterKind = keyof typeof kinds;

const patterns = Object.values(kinds);
const numbers = new Map(Object.keys(kinds).map((kind, index) => [kind, index + 1]));
const lastLetter = numbers.get("otherLetter") ?? 0;

/** For each character the number of its kind, or 0 until it is needed. */
const known = new Uint8Array(0x1_0000);

function kindOfCharacter(code: number) {
  const character = String.fromCodePoint(code);
  const kind = patterns.findIndex((pattern) => pattern.test(character)) + 1;
  if (code < known.length) known[code] = kind;
  return kind;
}

export function isLetter(code: number): boolean {
  return (known[code] || kindOfCharacter(code)) <= lastLetter;
}

/** How many letters of each kind some texts have. */
export class LetterCounts {
  readonly #counts = new Uint32Array(patterns.length + 1);

  add(text: string): this {
    const counts = this.#counts;
    for (let at = 0; at < text.length; at += 1) {
      let code = text.charCodeAt(at);
      if (code >= 0xd800 && code < 0xdc00) {
        code = text.codePointAt(at) ?? code;
        if (code > 0xffff) at += 1;
      }
      const kind = known[code] || kindOfCharacter(code);
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return this;
  }

  plus(other: LetterCounts): void {
    for (let kind = 0; kind < this.#counts.length; kind += 1)
      this.#counts[kind] = (this.#counts[kind] ?? 0) + (other.#counts[kind] ?? 0);
  }

  get all(): number {
    let sum = 0;
    for (let kind = 1; kind <= lastLetter; kind += 1) sum += this.#counts[kind] ?? 0;
    return sum;
  }

  of(script: Script | "kana"): number {
    switch (script) {
      case "Japanese":
        return this.#of("Han") + this.#of("kanaLetter");
      case "kana":
        return this.#of("kanaLetter") + this.#of("kanaSign");
      default:
        return this.#of(script);
    }
  }

  #of(kind: LetterKind) {
    return this.#counts[numbers.get(kind) ?? 0] ?? 0;
  }
}
