// The beginning of a longer text, for lists and descriptions.
import { type Language, languages, type Script } from "../readings/languages.ts";
import type { HoroscopeReading } from "../readings/reading.schema.ts";

const sentenceEnd = /[.!?。！？।؟…]["'”’»」』)]*(?=\s|$|[\u3000-\u9fff])/gu;

/** Scripts in which a letter says about as much as two or three of others. */
const dense = new Set<Script>(["Han", "Japanese"]);

/** Joins paragraphs into one line. */
export function inOneLine(language: Language, paragraphs: readonly string[]): string {
  return paragraphs.join(dense.has(languages[language].script) ? "" : " ");
}

/** The beginning of a horoscope. */
export function openingOf({ language, sections }: HoroscopeReading, letters: number): string {
  return opening(language, sections.personal.join(" "), letters);
}

/** The whole sentences that fit into so many characters, else the words that do, with an ellipsis. */
export function opening(language: Language, whole: string, letters: number): string {
  const text = whole.trim();
  const most = dense.has(languages[language].script) ? Math.floor(letters / 2) : letters;
  if (text.length <= most) return text;
  const part = text.slice(0, most + 1);
  let end = 0;
  for (const found of part.matchAll(sentenceEnd)) {
    const after = found.index + found[0].length;
    if (after <= most) end = after;
  }
  if (end >= most / 3) return text.slice(0, end);
  const blank = part.lastIndexOf(" ");
  const cut = blank >= most / 2 ? part.slice(0, blank) : part.slice(0, most);
  return `${cut.toWellFormed().replace(/[\s,;:،、，；：\uFFFD]+$/u, "")}…`;
}
