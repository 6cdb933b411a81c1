// Which characters are letters, and of which script. The kind of each character is worked out once and remembered: texts are
// counted from the first character to the last, and a look at a table takes a tenth of a regular expression's time.
import type { Script } from "./languages.ts";

/** The first kind whose pattern matches counts. Japanese has two of them; kana signs, such as ㋐, are no letters. */
const kinds = {
  Latin: /(?=\p{L})\p{Script=Latin}/u,
  Cyrillic: /(?=\p{L})\p{Script=Cyrillic}/u,
  Greek: /(?=\p{L})\p{Script=Greek}/u,
  Arabic: /(?=\p{L})\p{Script=Arabic}/u,
  Devanagari: /(?=\p{L})\p{Script=Devanagari}/u,
  Bengali: /(?=\p{L})\p{Script=Bengali}/u,
  Tamil: /(?=\p{L})\p{Script=Tamil}/u,
  Telugu: /(?=\p{L})\p{Script=Telugu}/u,
  Malayalam: /(?=\p{L})\p{Script=Malayalam}/u,
  Kannada: /(?=\p{L})\p{Script=Kannada}/u,
  Gujarati: /(?=\p{L})\p{Script=Gujarati}/u,
  Han: /(?=\p{L})\p{Script=Han}/u,
  kanaLetter: /(?=\p{L})[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  otherLetter: /\p{L}/u,
  kanaSign: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  anythingElse: /(?:)/u,
} as const;
type LetterKind = keyof typeof kinds;

const patterns = Object.values(kinds);
const numbers = new Map(Object.keys(kinds).map((kind, index) => [kind, index + 1]));
const lastLetter = numbers.get("otherLetter") ?? 0;

/** For each character the number of its kind, or 0 as long as nobody asked for it. */
const known = new Uint8Array(0x1_0000);

function kindOfCharacter(code: number) {
  const character = String.fromCodePoint(code);
  const kind = patterns.findIndex((pattern) => pattern.test(character)) + 1;
  if (code < known.length) known[code] = kind;
  return kind;
}

export function isLetter(code: number): boolean {
  return (known[code] || kindOfCharacter(code)) <= lastLetter;
}

/** How many letters of each kind some texts have. */
export class LetterCounts {
  readonly #counts = new Uint32Array(patterns.length + 1);

  add(text: string): this {
    const counts = this.#counts;
    for (let at = 0; at < text.length; at += 1) {
      let code = text.charCodeAt(at);
      if (code >= 0xd800 && code < 0xdc00) {
        code = text.codePointAt(at) ?? code;
        if (code > 0xffff) at += 1;
      }
      const kind = known[code] || kindOfCharacter(code);
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return this;
  }

  plus(other: LetterCounts): void {
    for (let kind = 0; kind < this.#counts.length; kind += 1)
      this.#counts[kind] = (this.#counts[kind] ?? 0) + (other.#counts[kind] ?? 0);
  }

  get all(): number {
    let sum = 0;
    for (let kind = 1; kind <= lastLetter; kind += 1) sum += this.#counts[kind] ?? 0;
    return sum;
  }

  of(script: Script | "kana"): number {
    switch (script) {
      case "Japanese":
        return this.#of("Han") + this.#of("kanaLetter");
      case "kana":
        return this.#of("kanaLetter") + this.#of("kanaSign");
      default:
        return this.#of(script);
    }
  }

  #of(kind: LetterKind) {
    return this.#counts[numbers.get(kind) ?? 0] ?? 0;
  }
}
