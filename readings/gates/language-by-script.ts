// What the script of a text says about its language, for the gate "language": most languages have one of their own.
// Hindi and Marathi share Devanagari and most of their letters, and are told apart by their commonest words.
import { type Language, languages } from "../languages.ts";
import { LetterCounts } from "../letter-counts.ts";

/** The script of a text is plain from a few words on; a heading within it may stand in another. */
const fewestLetters = 12;
const fewestLettersOfParagraph = 40;
/** Share of letters that must be of the script; card names and borrowed words may stand in Latin. */
const leastShare = 0.7;

/** Words of which every second sentence of one language has some and the other never any: is, in, and, of, to, from, not, you;
 * for Marathi also its endings and a letter. On a text as short as a card's the detector scores the two alike. */
const marks = {
  hi: /(?<![\p{L}\p{M}])(?:है|हैं|थे|में|और|का|की|के|को|से|ने|नहीं|यह|वह|भी|लिए|आप|आपके|आपको|अपने|अपनी)(?![\p{L}\p{M}])/gu,
  mr: /(?<![\p{L}\p{M}])(?:आहे|आहेत|आणि|नाही|किंवा|हे|त्या|तुम्ही|तुम्हाला|आपल्या|असे|करा|नका|पाहिजे)(?![\p{L}\p{M}])|(?:ां?च[ाीे]|च्या|ांना|मध्ये|ईल)(?![\p{L}\p{M}])|ण्या|ळ/gu,
};

/** Why a text can't be in the language. Each longer paragraph is looked at, too: it may have been left untranslated. */
export function scriptFault(language: Language, paragraphs: readonly string[]): string | undefined {
  const counted = paragraphs.map((paragraph) => new LetterCounts().add(paragraph));
  const whole = new LetterCounts();
  for (const counts of counted) whole.plus(counts);
  const fault = faultIn(language, whole, fewestLetters) ?? markFault(language, paragraphs.join(" "));
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
