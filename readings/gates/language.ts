// Gate "language": is the text in the language asked for? First the script, which costs little and settles most;
// then, for scripts that several languages share, the detector. Short texts say too little and are passed over.
import { eld } from "eld/small";
import { type Language, languages, type Script } from "../languages.ts";
import { countLetters } from "../text.ts";
import { type Gate, refuse } from "./gate.ts";

/** Below this many letters a detector guesses. */
const fewestLetters = 40;
/** Han and Japanese say as much in a third of them. */
const fewestLettersDense = 12;
/** From here on all that was read of an answer, taken together, tells even Hindi from Marathi. */
const sureLetters = 60;
/** Share of letters that must be of the script; card names and borrowed words may stand in Latin. */
const leastShare = 0.7;
/** How far another language must score above the one asked for before one text of several is refused. Hindi and
 * Marathi score alike on so little, so a single Marathi section in a Hindi answer can go unseen. */
const leastLead = 0.06;
/** Russian and Ukrainian score within 0.04 of each other, but neither falls behind on a text of its own. */
const leastLeadCyrillic = 0.012;

/** Scripts that several languages share, each with the number of characters to show the detector: it reads 350 bytes
 * and no further, at about half a microsecond a character. In all other scripts the script is the proof. */
const shared: Partial<Record<Script, number>> = {
  Latin: 250,
  Cyrillic: 170,
  Arabic: 170,
  Devanagari: 115,
  Bengali: 115,
};

/** The detector's own names where they differ: it calls Filipino Tagalog and does not know Indonesian from Malay. */
const detectorNames: Partial<Record<Language, readonly string[]>> = { fil: ["tl"], id: ["ms", "id"] };

/** Letters of each script; kana is what tells Japanese from Chinese. */
const lettersOf: Record<Script, RegExp> = {
  Latin: /(?=\p{L})\p{Script=Latin}/gu,
  Cyrillic: /(?=\p{L})\p{Script=Cyrillic}/gu,
  Greek: /(?=\p{L})\p{Script=Greek}/gu,
  Arabic: /(?=\p{L})\p{Script=Arabic}/gu,
  Devanagari: /(?=\p{L})\p{Script=Devanagari}/gu,
  Bengali: /(?=\p{L})\p{Script=Bengali}/gu,
  Tamil: /(?=\p{L})\p{Script=Tamil}/gu,
  Telugu: /(?=\p{L})\p{Script=Telugu}/gu,
  Malayalam: /(?=\p{L})\p{Script=Malayalam}/gu,
  Kannada: /(?=\p{L})\p{Script=Kannada}/gu,
  Gujarati: /(?=\p{L})\p{Script=Gujarati}/gu,
  Han: /(?=\p{L})\p{Script=Han}/gu,
  Japanese: /(?=\p{L})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
};
const ascii = /^[\u0000-\u007F]*$/;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;

type Scores = Readonly<Record<string, number>>;

export const languageGate: Gate = ({ request: { language }, texts }) => {
  const total: Record<string, number> = {};
  let lettersRead = 0;
  for (const { field, kind, paragraphs } of texts) {
    if (kind !== "prose") continue;
    const wrong = (reason: string) => [refuse("language", `${field} is not in ${language}: ${reason}`)];
    const reason = notInScript(language, paragraphs);
    if (reason !== undefined) return wrong(reason);
    for (const piece of piecesOf(language, paragraphs.join(" "))) {
      const letters = countLetters(piece);
      if (letters < fewestLetters) continue;
      const scores: Scores = eld.detect(piece.toWellFormed()).getScores();
      const other = aheadOf(language, scores, leadOf(language));
      if (other !== undefined) return wrong(`it reads like ${other}`);
      for (const [name, score] of Object.entries(scores)) total[name] = (total[name] ?? 0) + score;
      lettersRead += letters;
    }
  }
  const other = lettersRead < sureLetters ? undefined : aheadOf(language, total, 0);
  return other === undefined
    ? []
    : [refuse("language", `the answer is not in ${language}: it reads like ${other}`)];
};

/** The text as a whole and, so that none was left untranslated, each longer paragraph. */
function notInScript(language: Language, paragraphs: readonly string[]): string | undefined {
  const dense = languages[language].script === "Han" || languages[language].script === "Japanese";
  const whole = scriptFault(language, paragraphs.join(" "), dense ? fewestLettersDense : fewestLetters);
  if (whole !== undefined || paragraphs.length === 1) return whole;
  return paragraphs
    .map((paragraph) => scriptFault(language, paragraph, fewestLetters))
    .find((fault) => fault !== undefined);
}

function scriptFault(language: Language, text: string, fewest: number): string | undefined {
  const { script } = languages[language];
  if (script === "Latin" && ascii.test(text)) return undefined;
  const all = countLetters(text);
  if (all < fewest) return undefined;
  const share = countMatches(text, lettersOf[script]) / all;
  if (share < leastShare) return `only ${Math.floor(100 * share)} % of its letters are ${script}`;
  const kanaShare = script === "Han" || script === "Japanese" ? countMatches(text, kana) / all : 0;
  if (script === "Han" && kanaShare > 0.1) return "it is written with kana, like Japanese";
  if (script === "Japanese" && kanaShare < 0.1) return "it has hardly any kana, like Chinese";
  return undefined;
}

/** The beginning and the end of a text, for a translation may stop half-way. */
function piecesOf(language: Language, text: string): string[] {
  const size = shared[languages[language].script];
  if (size === undefined) return [];
  return text.length <= size ? [text] : [text.slice(0, size), text.slice(-size)];
}

function leadOf(language: Language): number {
  return languages[language].script === "Cyrillic" ? leastLeadCyrillic : leastLead;
}

/** The language that scores highest, where it is further ahead of the one asked for than `lead`. */
function aheadOf(language: Language, scores: Scores, lead: number): string | undefined {
  const own = detectorNames[language] ?? [language];
  const ownScore = Math.max(...own.map((name) => scores[name] ?? 0));
  let best: string | undefined;
  for (const [name, score] of Object.entries(scores)) {
    if (score > ownScore + lead && score > (scores[best ?? ""] ?? 0)) best = name;
  }
  return best;
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
