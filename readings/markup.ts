// Markup in a text: the patterns by which the gate "markup" finds it, and its removal. A reader sees a text without it, also where a
// person accepted the text, or the rule only warns. Every pattern is bounded, so that none takes long over whatever a body holds.

import { cleanLine } from "./clean-text.ts";

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
/** Of the rest, each round removes what either pattern finds first. */
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
