// The names of the signs in all 26 languages (from CLDR), and the way back from a name to a sign.
import { type Language, languageNames, type Sign, signs } from "./tables.ts";
import namesByLanguage from "./sign-names.json" with { type: "json" };

export const signNames: Record<Language, Record<Sign, string>> = namesByLanguage;

const signByName = new Map<string, Set<Sign>>();
for (const language of languageNames) {
  for (const sign of signs) {
    for (const name of [sign, signNames[language][sign]]) {
      const folded = fold(name);
      signByName.set(folded, (signByName.get(folded) ?? new Set()).add(sign));
    }
  }
}

/** The signs that a text names, in whichever language: as a whole or, failing that, by one of its words. */
export function signsNamedIn(text: string): ReadonlySet<Sign> {
  const folded = fold(text);
  const whole = signByName.get(folded);
  if (whole !== undefined) return whole;
  const named = new Set<Sign>();
  for (const word of folded.split(/[^\p{L}\p{M}]+/u)) {
    for (const sign of signByName.get(word) ?? []) named.add(sign);
  }
  return named;
}

/** Case and accents never distinguish two signs (`Cancer`, `Câncer`, `Cáncer`); the marks of Indic scripts stay. */
function fold(name: string) {
  return name
    .slice(0, 200)
    .toWellFormed()
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036F]/g, "")
    .replaceAll("ı", "i") // Turkish BALIK, lower-cased the English way, must equal Balık
    .normalize("NFC")
    .trim();
}
