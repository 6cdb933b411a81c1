// Is a text plainly in a language, by its commonest words? It takes some microseconds where the detector takes a hundred,
// and says yes only where no other language is near. All else, such as two languages in one text, is left to the detector.
import type { Language } from "../languages.ts";
import { isLetter } from "../letter-counts.ts";
import { alphabets } from "./alphabets.ts";
import { commonWords } from "./common-words.ts";

/** A shorter text has too few words to be plain. */
const fewestCharacters = 120;
/** `a`, `e` and `o` are words in a hundred languages: a word weighs as much as it has letters, up to these. */
const mostWeight = 3;
/** How much the different words of the language have to weigh together; less where its letters tell it, too. */
const leastDifferent = 12;
const leastDifferentWithLetters = 8;
/** By this share of the text its words must weigh more than those of any other language. */
const leastLead = 0.08;
/** How much words that only other languages have may weigh, as a share of what the language's own words weigh. */
const mostForeign = 0.2;

interface WordLists {
  /** For each word the languages that have it, by their places among the lists. */
  readonly words: ReadonlyMap<string, readonly number[]>;
  readonly lists: number;
  readonly own: number;
  /** For each character of Unicode's first blocks: 1 for a letter of the language, 2 for one that tells it. */
  readonly letters: Uint8Array;
  /** This share of the text's weight must be words of the language. */
  readonly share: number;
  readonly leastDifferent: number;
}
const blocks = 0x700;

/** The words of a text, by weight. */
interface Weights {
  readonly all: number;
  /** Words that some language has in its list. */
  readonly listed: number;
  /** Words in no list, but with a letter that only the language asked for has. */
  readonly marked: number;
  /** The weight of each list's words. */
  readonly of: Uint32Array;
  /** The words of the own list, each once. */
  readonly different: ReadonlySet<string>;
}

export function isPlainlyIn(language: Language, text: string): boolean {
  const look = looks().get(language);
  if (look === undefined || text.length < fewestCharacters) return false;
  const lower = text.toLowerCase();
  const middle = lower.indexOf(" ", lower.length / 2);
  // A translation may stop in the middle: each half has to have words of its own, and no other language more of them.
  const first = weigh(look, lower.slice(0, middle));
  if (first === undefined || !leads(look, first, look.share / 2, 0)) return false;
  const second = weigh(look, lower.slice(middle));
  if (second === undefined || !leads(look, second, look.share / 2, 0)) return false;
  const whole = together(first, second);
  return leads(look, whole, look.share, leastLead) && isVaried(look, whole);
}

function leads({ own: place }: WordLists, { all, marked, of }: Weights, share: number, lead: number) {
  const own = (of[place] ?? 0) + marked;
  let best = 0;
  for (let other = 0; other < of.length; other += 1)
    if (other !== place) best = Math.max(best, of[other] ?? 0);
  return own >= share * all && own - best >= lead * all;
}

function isVaried(
  { own: place, leastDifferent: least }: WordLists,
  { listed, marked, of, different }: Weights,
) {
  const own = of[place] ?? 0;
  let sum = 0;
  for (const word of different) sum += weightOf(word);
  return sum >= least && listed - own <= mostForeign * (own + marked);
}

function together(one: Weights, other: Weights) {
  return {
    all: one.all + other.all,
    listed: one.listed + other.listed,
    marked: one.marked + other.marked,
    of: one.of.map((weight, place) => weight + (other.of[place] ?? 0)),
    different: one.different.union(other.different),
  };
}

/** Undefined where the text has a letter that the language does not have. */
function weigh({ words, lists, own, letters }: WordLists, text: string) {
  const of = new Uint32Array(lists);
  const different = new Set<string>();
  let [all, listed, marked] = [0, 0, 0];
  let [start, isMarked] = [0, false];
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 32;
    const letter = letters[code] ?? 0;
    if (letter === 2) isMarked = true;
    if (letter !== 0) continue;
    if (isLetter(code) || (code >= 0xd800 && code < 0xe000)) return undefined;
    if (at > start) {
      const word = text.slice(start, at);
      const weight = weightOf(word);
      const places = words.get(word);
      all += weight;
      if (places !== undefined) listed += weight;
      else if (isMarked) marked += weight;
      for (const place of places ?? []) {
        of[place] = (of[place] ?? 0) + weight;
        if (place === own) different.add(word);
      }
    }
    start = at + 1;
    isMarked = false;
  }
  return { all, listed, marked, of, different };
}

function weightOf(word: string) {
  return Math.min(word.length, mostWeight);
}

let made: ReadonlyMap<string, WordLists> | undefined;

/** Made when the first text comes, so that it costs the start of a worker nothing. */
function looks() {
  made ??= new Map(Object.values(commonWords).flatMap(looksOf));
  return made;
}

function looksOf(lists: Readonly<Record<string, string>>): [string, WordLists][] {
  const names = Object.keys(lists);
  const words = new Map<string, number[]>();
  for (const [place, list] of Object.values(lists).entries()) {
    for (const word of new Set(list.split(/\s+/))) words.set(word, [...(words.get(word) ?? []), place]);
  }
  return Object.entries(alphabets).flatMap(([language, { usual, telling, share }]) => {
    const own = names.indexOf(language);
    if (own < 0) return [];
    const letters = new Uint8Array(blocks);
    for (const letter of usual) letters[letter.charCodeAt(0)] = 1;
    for (const letter of telling) letters[letter.charCodeAt(0)] = 2;
    const least = telling === "" ? leastDifferent : leastDifferentWithLetters;
    return [[language, { words, lists: names.length, own, letters, share, leastDifferent: least }]];
  });
}
