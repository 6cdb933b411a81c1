// Language detection by groups of four bytes of a text's words. It is eld by Nito T.M. with its small database
// (`npm run ngrams`), held as bytes: eld's own objects take 45 MB and 0.2 s of CPU time in every thread that judges.
import database from "./ngrams.json" with { type: "json" };

export interface DetectedLanguage {
  /** eld's name for the language; empty if no group of the text is known. */
  readonly language: string;
  /** From 0 to 1, of each language that has a group of the text. */
  readonly scores: Readonly<Record<string, number>>;
}

const { languages, signs } = database;
/** Whatever is no letter of the first plane; an apostrophe within a word belongs to it. */
const separators = /[^[\p{L}&&[\0-\uFFFF]]]+(?<!['`’])/gv;
/** A text is read to the end of the word in which it has so many bytes, or to this many. */
const [enoughBytes, mostBytes] = [350, 380];
const longestWord = 70;
/** Offset that is left out of every score in the database. */
const leastScore = 53;
/** Scales the mean score of a group to a value between 0 and 1. */
const scale = 25;

export function detectLanguage(text: string): DetectedLanguage {
  const { places, scores } = groups();
  const sums = new Uint32Array(languages.length);
  const own = groupsOf(wordsOf(text));
  for (const group of own) {
    const place = places.get(group);
    if (place === undefined) continue;
    const end = place + 1 + 2 * (scores[place] ?? 0);
    for (let at = place + 1; at < end; at += 2) {
      const language = scores[at] ?? 0;
      sums[language] = (sums[language] ?? 0) + (scores[at + 1] ?? 0) + leastScore;
    }
  }
  const most = Math.max(...sums);
  const found: Record<string, number> = {};
  for (const [index, language] of languages.entries()) {
    const mean = (sums[index] ?? 0) / own.size;
    if (mean > 0) found[language] = mean / (mean + scale);
  }
  return { language: most > 0 ? (languages[sums.indexOf(most)] ?? "") : "", scores: found };
}

/** The words of a text in lower case, each byte of their UTF-8 as the sign that the database has for it. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let [word, bytes] = ["", 0];
  for (const character of text.replaceAll(separators, " ").trim().toLowerCase()) {
    if (character === " ") {
      words.push(word);
      word = "";
      if (bytes > enoughBytes) break;
      bytes += 1;
    } else {
      const written = signsOf(character.codePointAt(0) ?? 0);
      word += written;
      bytes += written.length;
    }
    if (bytes > mostBytes) break;
  }
  return [...words, word].filter((one) => one !== "");
}

function signsOf(code: number): string {
  if (code < 0x80) return String.fromCharCode(code);
  const last = signs[0x80 | (code & 0x3f)] ?? "";
  if (code < 0x800) return (signs[0xc0 | (code >> 6)] ?? "") + last;
  return (signs[0xe0 | (code >> 12)] ?? "") + (signs[0x80 | ((code >> 6) & 0x3f)] ?? "") + last;
}

/** A group begins every three bytes; a blank stands for where the word begins or ends. */
function groupsOf(words: readonly string[]): Set<string> {
  const own = new Set<string>();
  for (const word of words) {
    const length = Math.min(word.length, longestWord);
    let at = 0;
    for (; at + 4 < length; at += 3) own.add((at === 0 ? " " : "") + word.slice(at, at + 4));
    own.add(`${at === 0 ? " " : ""}${word.slice(Math.max(0, length - 4))} `);
  }
  return own;
}

interface Groups {
  /** Index in `scores` at which a group's entry begins. */
  readonly places: ReadonlyMap<string, number>;
  /** For each group the number of scores, then two bytes for each: language and score. */
  readonly scores: Uint8Array;
}

let made: Groups | undefined;

/** Made when the first text comes. */
function groups(): Groups {
  made ??= groupsFrom(database.ngrams);
  return made;
}

function groupsFrom(lines: string): Groups {
  const places = new Map<string, number>();
  const scores: number[] = [];
  for (const line of lines.split("\n")) {
    const [known = "", ...written] = line.split("\t");
    const numbers = known.split(" ").map(Number);
    for (const group of written) places.set(group, scores.length);
    scores.push(numbers.length / 2, ...numbers);
  }
  return { places, scores: Uint8Array.from(scores) };
}
