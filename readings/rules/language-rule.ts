// Rule "language": is the text in the requested language? First its script, which costs little and settles most;
// then, for scripts that several languages share, its commonest words, and where these leave a doubt the detector. Short
// texts say too little and are passed over.
import type { SeenText } from "../collector.ts";
import { countLetters, isLetter, LetterCounts } from "../clean-text.ts";
import { type Language, languages, type Script } from "../tables.ts";
import { alphabets, commonWords } from "./common-words.ts";
import { type Rule, refuse } from "./rule.ts";
import { type DetectedLanguage, detectLanguage } from "./language-detector.ts";

/** Below this many letters the detector guesses. */
const fewestLetters = 40;
/** From this many letters on the detector is sure of all that an answer has, taken together. */
const sureLetters = 60;
/** How far another language must score above the requested one before one text of several is refused. */
const leastLead = 0.06;
/** Less for Cyrillic: Russian and Ukrainian score within 0.04 of each other, but neither falls behind on a text of its own. */
const leastLeadCyrillic = 0.012;

/** Scripts in which the detector knows several languages, each with the number of characters to show it: what is enough,
 * and no more than the 350 bytes after which it stops. It takes half a microsecond for each. */
const shared: Partial<Record<Script, number>> = { Latin: 160, Cyrillic: 170, Arabic: 170 };

/** The detector's own names where they differ: it calls Filipino Tagalog and does not know Indonesian from Malay. */
const detectorNames: Partial<Record<Language, readonly string[]>> = { fil: ["tl"], id: ["ms", "id"] };

type Scores = DetectedLanguage["scores"];

export const languageRule = createLanguageRule(isPlainlyIn);

/** A text that is plain need not be shown to the detector. */
export function createLanguageRule(isPlain: typeof isPlainlyIn): Rule {
  return ({ request: { language }, texts }) => findings(language, texts, isPlain);
}

function findings(language: Language, texts: readonly SeenText[], isPlain: typeof isPlainlyIn) {
  const own = detectorNames[language] ?? [language];
  const read: TextPiece[] = [];
  let [lettersRead, plain, doubtful] = [0, 0, 0];
  for (const { field, kind, paragraphs } of texts) {
    if (kind !== "prose") continue;
    const wrong = (reason: string) => [refuse("language", `${field} is not in ${language}: ${reason}`)];
    const fault = scriptFault(language, paragraphs);
    if (fault !== undefined) return wrong(fault);
    for (const piece of piecesOf(language, paragraphs.join(" "))) {
      const letters = countLetters(piece);
      if (letters < fewestLetters) continue;
      lettersRead += letters;
      const detected = isPlain(language, piece) ? undefined : detect(piece);
      const other =
        detected &&
        aheadOf(own, detected, languages[language].script === "Cyrillic" ? leastLeadCyrillic : leastLead);
      if (other !== undefined) return wrong(`it reads like ${other}`);
      if (detected === undefined) plain += letters;
      else if (!own.includes(detected.language)) doubtful += letters;
      read.push({ piece, detected });
    }
  }
  if (lettersRead < sureLetters || doubtful <= plain) return [];
  // The two languages are close, so all pieces are compared, also those that the words made plain.
  const scores = read.map(({ piece, detected }) => (detected ?? detect(piece)).scores);
  const other = bestOf(own, sumOf(scores), 0);
  return other === undefined
    ? []
    : [refuse("language", `the response is not in ${language}: it reads like ${other}`)];
}

interface TextPiece {
  readonly piece: string;
  /** Absent where the words alone made the language plain. */
  readonly detected: DetectedLanguage | undefined;
}

function detect(piece: string) {
  return detectLanguage(piece.toWellFormed());
}

/** The beginning and the end of a text, for a translation may stop half-way. */
function piecesOf(language: Language, text: string) {
  const size = shared[languages[language].script];
  if (size === undefined) return [];
  return text.length <= size ? [text] : [text.slice(0, size), text.slice(-size)];
}

/** The language that is ahead of the requested one, if the detector reads another one. */
function aheadOf(own: readonly string[], { language, scores }: DetectedLanguage, lead: number) {
  return own.includes(language) ? undefined : bestOf(own, scores, lead);
}

/** The language that scores highest, where it is further ahead of the one asked for than `lead`. */
function bestOf(own: readonly string[], scores: Scores, lead: number) {
  const ownScore = Math.max(...own.map((name) => scores[name] ?? 0));
  let best: string | undefined;
  for (const [name, score] of Object.entries(scores)) {
    if (score > ownScore + lead && score > (scores[best ?? ""] ?? 0)) best = name;
  }
  return best;
}

function sumOf(all: readonly Scores[]) {
  const sum: Record<string, number> = {};
  for (const scores of all) {
    for (const [name, score] of Object.entries(scores)) sum[name] = (sum[name] ?? 0) + score;
  }
  return sum;
}

// Script check of the rule "language": most languages have their own script. Hindi and Marathi share Devanagari and most of
// their letters, and are distinguished by their most common words.
/** A few words are enough to recognize the script of a text; a heading within it may be in another script. */
const fewestScriptLetters = 12;
const fewestLettersOfParagraph = 40;
/** Share of letters that must be of the script; card names and borrowed words may be in Latin. */
const leastShare = 0.7;

/** Words of which every second sentence of one language has some and the other never any: is, in, and, of, to, from, not, you;
 * for Marathi also its endings and a letter. On a text as short as a card's the detector scores the two alike. */
const marks = {
  hi: /(?<![\p{L}\p{M}])(?:है|हैं|थे|में|और|का|की|के|को|से|ने|नहीं|यह|वह|भी|लिए|आप|आपके|आपको|अपने|अपनी)(?![\p{L}\p{M}])/gu,
  mr: /(?<![\p{L}\p{M}])(?:आहे|आहेत|आणि|नाही|किंवा|हे|त्या|तुम्ही|तुम्हाला|आपल्या|असे|करा|नका|पाहिजे)(?![\p{L}\p{M}])|(?:ां?च[ाीे]|च्या|ांना|मध्ये|ईल)(?![\p{L}\p{M}])|ण्या|ळ/gu,
};

/** Why a text can't be in the language. Each longer paragraph is looked at, too: it may have been left untranslated. */
function scriptFault(language: Language, paragraphs: readonly string[]): string | undefined {
  const counted = paragraphs.map((paragraph) => new LetterCounts().add(paragraph));
  const whole = new LetterCounts();
  for (const counts of counted) whole.plus(counts);
  const fault = faultIn(language, whole, fewestScriptLetters) ?? markFault(language, paragraphs.join(" "));
  if (fault !== undefined || paragraphs.length === 1) return fault;
  return counted
    .map((counts) => faultIn(language, counts, fewestLettersOfParagraph))
    .find((found) => found !== undefined);
}

function faultIn(language: Language, letters: LetterCounts, fewest: number) {
  const { script } = languages[language];
  const { all } = letters;
  if (all < fewest) return undefined;
  const share = letters.of(script) / all;
  if (share < leastShare) return `only ${Math.floor(100 * share)} % of its letters are ${script}`;
  const kanaShare = letters.of("kana") / all;
  if (script === "Han" && kanaShare > 0.1) return "it is written with kana, like Japanese";
  if (script === "Japanese" && kanaShare < 0.1) return "it has hardly any kana, like Chinese";
  return undefined;
}

function markFault(language: Language, text: string) {
  if (language !== "hi" && language !== "mr") return undefined;
  const other = language === "hi" ? "mr" : "hi";
  const found = countMatches(text, marks[other]);
  return found > 2 * countMatches(text, marks[language]) ? `it has the words of ${other}` : undefined;
}

function countMatches(text: string, pattern: RegExp) {
  return text.match(pattern)?.length ?? 0;
}

// Word check of the rule "language": accepts a text whose most common words are clearly of the language. It takes a few
// microseconds instead of the detector's hundred, and accepts only if no other language is close. The detector decides the
// other cases, such as two languages in one text.
/** A shorter text has too few words to be plain. */
const fewestCharacters = 120;
/** `a`, `e` and `o` are words in a hundred languages: a word weighs as much as it has letters, up to these. */
const mostWeight = 3;
/** Minimum total weight of the different words of the language; less if its letters also identify it. */
const leastDifferent = 12;
const leastDifferentWithLetters = 8;
/** Minimum lead of its words over those of any other language, as a share of the text. */
const leastWordLead = 0.08;
/** Maximum weight of words that only other languages have, as a share of the weight of the language's own words. */
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
  return leads(look, whole, look.share, leastWordLead) && isVaried(look, whole);
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
