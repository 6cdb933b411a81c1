// Gates "empty", "short" and "long": is there a text, and is it of a length that a reading has?
import { languages } from "../languages.ts";
import { countLetters } from "../clean-text.ts";
import { type AnswerGate, refuse } from "./gate.ts";

/** A sentence worth printing has more letters than this; Han and Japanese say as much in a third. */
const fewestLetters = 25;
const fewestLettersDense = 8;
/** Far beyond anything a section needs; a page has a budget. */
const mostCharacters = 12_000;
const mostLineCharacters = 1_000;
/** Longer than any word of a language that puts blanks between words; punctuation ends a word too, so that a
 * Chinese text is called the wrong language and not a long word. */
const longestWord = 100;
const wordTooLong = new RegExp(`[^\\s\\p{Pd}\\p{Po}]{${longestWord + 1}}`, "u");

export const emptyGate: AnswerGate = ({ texts }) =>
  texts
    .filter(({ paragraphs }) => paragraphs.length === 0)
    .map(({ field }) => refuse("empty", `${field} is empty`));

export const shortGate: AnswerGate = ({ request, texts }) => {
  const fewest = writesWithoutBlanks(request.language) ? fewestLettersDense : fewestLetters;
  return texts.flatMap(({ field, kind, paragraphs }) => {
    if (kind !== "prose" || paragraphs.length === 0) return [];
    let letters = 0;
    for (const paragraph of paragraphs) {
      if (letters < fewest) letters += countLetters(paragraph, fewest);
    }
    return letters < fewest ? [refuse("short", `${field} has ${letters} letters, fewer than ${fewest}`)] : [];
  });
};

export const longGate: AnswerGate = ({ request, texts }) =>
  texts.flatMap(({ field, kind, paragraphs }) => {
    const most = kind === "line" ? mostLineCharacters : mostCharacters;
    const characters = paragraphs.reduce((sum, paragraph) => sum + paragraph.length, 0);
    if (characters > most)
      return [refuse("long", `${field} has ${characters} characters, more than ${most}`)];
    if (characters <= longestWord || writesWithoutBlanks(request.language)) return [];
    return paragraphs.some(hasLongWord)
      ? [refuse("long", `${field} has a word of more than ${longestWord} characters`)]
      : [];
  });

/** Jumps from blank to blank, and looks at each character only where there is no blank. */
function hasLongWord(text: string) {
  let start = 0;
  while (text.length - start > longestWord) {
    const blank = text.lastIndexOf(" ", start + longestWord);
    if (blank < start) return wordTooLong.test(text);
    start = blank + 1;
  }
  return false;
}

function writesWithoutBlanks(language: keyof typeof languages) {
  const { script } = languages[language];
  return script === "Han" || script === "Japanese";
}
