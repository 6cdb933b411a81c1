// The letters and the commonest words of the languages that share a script. Letters that occur in names and rare loans alone are left out, and so is
// the Russian hard sign, by which Bulgarian is known.
import type { Language } from "../tables.ts";
import words from "./common-words.json" with { type: "json" };

interface Alphabet {
  /** A text with another letter is left to the detector. */
  readonly usual: string;
  /** Letters that identify the language: no other one that could be written with the usual letters has them. */
  readonly telling: string;
  /** In nineteen of twenty texts of the language its commonest words have more than this share of the weight. */
  readonly share: number;
}

export const alphabets: Readonly<Partial<Record<Language, Alphabet>>> = {
  en: { usual: "abcdefghijklmnopqrstuvwxyz", telling: "", share: 0.3 },
  pt: { usual: "abcdefghijlmnopqrstuvxzáâàçéêíóôú", telling: "ãõ", share: 0.28 },
  es: { usual: "abcdefghijlmnopqrstuvxyzáéíóúüñ", telling: "", share: 0.3 },
  fr: { usual: "abcdefghijklmnopqrstuvwxyzàâæçéèêëîïôœùûüÿ", telling: "", share: 0.3 },
  de: { usual: "abcdefghijklmnopqrstuvwxyzäöüß", telling: "", share: 0.28 },
  it: { usual: "abcdefghilmnopqrstuvzàèéìòù", telling: "", share: 0.27 },
  nl: { usual: "abcdefghijklmnopqrstuvwxyzéëïèóöüáí", telling: "", share: 0.3 },
  pl: { usual: "abcdefghijklmnoprstuwyzćó", telling: "ąęłńśźż", share: 0.36 },
  tr: { usual: "abcdefghijklmnoprstuvyzçöşüâîû", telling: "ğı", share: 0.32 },
  hu: { usual: "abcdefghijklmnoprstuvyzáéíóöúü", telling: "őű", share: 0.23 },
  fil: { usual: "abcdefghijklmnopqrstuvwxyzñ", telling: "", share: 0.3 },
  id: { usual: "abcdefghijklmnoprstuvwyz", telling: "", share: 0.2 },
  ru: { usual: "абвгдежзийклмнопрстуфхцчшщьюя", telling: "ёыэ", share: 0.22 },
  uk: { usual: "абвгдежзийклмнопрстуфхцчшщьюя", telling: "ґєії", share: 0.35 },
  ar: { usual: "ءآأؤإئابتثجحخدذرزسشصضطظعغفقكلمنهوىي", telling: "ة", share: 0.18 },
};

/**
 * The commonest words of the languages that share a script: those that we request, and those that the detector or a reader could take
 * for one of them. A language that we request has a long list, so that every sentence has some of it; a neighbor has the words that
 * identify it. No word has to be in a list, and none has to be missing: where words say too little, the detector decides. A word in
 * several lists counts for each of them.
 */
export const commonWords: Readonly<Record<string, Readonly<Record<string, string>>>> = words;
