// Gate "language": is the text in the language asked for? First the script, which costs little and settles most;
// then, for scripts that several languages share, the detector. Short texts say too little and are passed over.
import { eld } from "eld/small";
import { type Language, languages, type Script } from "../languages.ts";
import { countLetters } from "../text.ts";
import { type Gate, refuse } from "./gate.ts";

/** Below this many letters a detector guesses. */
const fewestLetters = 40;
const fewestLettersDense = 12;
/** Enough for a sure answer; detection costs about 0.7 microseconds a character. */
const mostSampled = 250;
/** From here on the whole of an answer tells even Hindi from Marathi and Russian from Ukrainian. */
const sureLetters = 60;
/** Share of letters that must be of the script; card names and borrowed words may stand in Latin. */
const leastShare = 0.7;
/** How far another language must score above the one asked for before one text of several is refused: close
 * languages score alike on so little, so a single Marathi section in a Hindi answer can go unseen. */
const leastMargin = 0.06;

/** The detector's own names where they differ: it calls Filipino Tagalog and does not know Indonesian from Malay. */
const detectorNames: Partial<Record<Language, readonly string[]>> = { fil: ["tl"], id: ["ms", "id"] };

/** Letters of each script; kana is what tells Japanese from Chinese. */
const letters: Record<Script, RegExp> = {
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
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** Scripts in which one of our languages alone is written: the script is the proof. */
const shared: ReadonlySet<Script> = new Set(["Latin", "Cyrillic", "Arabic", "Devanagari", "Bengali"]);

export const languageGate: Gate = ({ request, texts }) => {
  const samples: string[] = [];
  for (const { field, kind, paragraphs } of texts) {
    if (kind !== "prose") continue;
    const sample = paragraphs.join(" ").slice(0, mostSampled).toWellFormed();
    const reason = notInScript(request.language, sample) ?? reads(request.language, sample, leastMargin);
    if (reason !== undefined)
      return [refuse("language", `${field} is not in ${request.language}: ${reason}`)];
    samples.push(sample);
  }
  const whole = samples.join(" ");
  if (countLetters(whole, sureLetters) < sureLetters) return [];
  const reason = reads(request.language, whole, 0);
  return reason === undefined
    ? []
    : [refuse("language", `the answer is not in ${request.language}: ${reason}`)];
};

function notInScript(language: Language, text: string): string | undefined {
  const { script } = languages[language];
  const dense = script === "Han" || script === "Japanese";
  const all = countLetters(text);
  if (all < (dense ? fewestLettersDense : fewestLetters)) return undefined;
  const own = countMatches(text, letters[script]);
  if (own / all < leastShare) return `only ${Math.round((100 * own) / all)} % of its letters are ${script}`;
  return dense ? wrongKana(language, countMatches(text, kana) / all) : undefined;
}

function wrongKana(language: Language, share: number): string | undefined {
  if (language === "zh" && share > 0.1) return "it is written with kana, like Japanese";
  return language === "ja" && share < 0.1 ? "it has hardly any kana, like Chinese" : undefined;
}

/** What the detector reads in place of the language; undefined where it reads that, or too little. */
function reads(language: Language, text: string, margin: number): string | undefined {
  if (!shared.has(languages[language].script)) return undefined;
  if (countLetters(text, fewestLetters) < fewestLetters) return undefined;
  const own = detectorNames[language] ?? [language];
  const detected = eld.detect(text);
  if (detected.language === "" || own.includes(detected.language)) return undefined;
  const scores = detected.getScores();
  const ownScore = Math.max(...own.map((name) => scores[name] ?? 0));
  const ahead = (scores[detected.language] ?? 0) - ownScore;
  return ahead > margin ? `it reads like ${detected.language}` : undefined;
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
