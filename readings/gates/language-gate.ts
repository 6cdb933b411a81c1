// Gate "language": is the text in the language asked for? First its script, which costs little and settles most;
// then, for scripts that several languages share, its commonest words, and where these leave a doubt the detector. Short
// texts say too little and are passed over.
import type { SeenText } from "../candidate.ts";
import { type Language, languages, type Script } from "../languages.ts";
import { countLetters } from "../clean-text.ts";
import { type AnswerGate, refuse } from "./gate.ts";
import { type DetectedLanguage, detectLanguage } from "./language-detector.ts";
import { scriptFault } from "./language-by-script.ts";
import { isPlainlyIn } from "./language-by-words.ts";

/** Below this many letters the detector guesses. */
const fewestLetters = 40;
/** From this many letters on the detector is sure of all that an answer has, taken together. */
const sureLetters = 60;
/** How far another language must score above the one asked for before one text of several is refused. */
const leastLead = 0.06;
/** Less for Cyrillic: Russian and Ukrainian score within 0.04 of each other, but neither falls behind on a text of its own. */
const leastLeadCyrillic = 0.012;

/** Scripts in which the detector knows several languages, each with the number of characters to show it: what is enough,
 * and no more than the 350 bytes after which it stops. It takes half a microsecond for each. */
const shared: Partial<Record<Script, number>> = { Latin: 160, Cyrillic: 170, Arabic: 170 };

/** The detector's own names where they differ: it calls Filipino Tagalog and does not know Indonesian from Malay. */
const detectorNames: Partial<Record<Language, readonly string[]>> = { fil: ["tl"], id: ["ms", "id"] };

type Scores = DetectedLanguage["scores"];

export const languageGate = languageGateBy(isPlainlyIn);

/** A text that is plain need not be shown to the detector. */
export function languageGateBy(isPlain: typeof isPlainlyIn): AnswerGate {
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
      const other = detected && aheadOf(own, detected, leadOf(language));
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
    : [refuse("language", `the answer is not in ${language}: it reads like ${other}`)];
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

function leadOf(language: Language) {
  return languages[language].script === "Cyrillic" ? leastLeadCyrillic : leastLead;
}

/** The language that is ahead of the one asked for, if the detector reads another one. */
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
