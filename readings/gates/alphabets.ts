// What those languages are written with that share a script, names and rare loans left out, and the Russian hard sign, by
// which Bulgarian is known.
import type { Language } from "../languages.ts";

interface Alphabet {
  /** A text with another letter is left to the detector. */
  readonly usual: string;
  /** No other language has them whose other letters are all among these. */
  readonly telling: string;
  /** Of its prose such words have more than this, by weight, nineteen times in twenty. */
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
