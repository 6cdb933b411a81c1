// Rules that look in each text of a candidate for something that prose does not have.
import type { Candidate, SeenText } from "../collector.ts";
import { countLetters, markup, wideMarkup } from "../clean-text.ts";
import { quotedLine } from "../failures.ts";
import { languages } from "../languages.ts";
import { type Rule, refuse, type RuleName } from "./rule.ts";

/** Names the field and what was found there. */
export function createTextRule(
  rule: RuleName,
  what: string,
  foundIn: (text: SeenText) => string | undefined,
): Rule {
  return ({ texts }: Candidate) =>
    texts.flatMap((text) => {
      const found = foundIn(text);
      return found === undefined
        ? []
        : [refuse(rule, `${text.field} ${what}: ${quotedLine(found.slice(0, 60))}`)];
    });
}

/** The first match of any of the patterns, paragraph by paragraph. */
export function find(paragraphs: readonly string[], ...patterns: readonly RegExp[]): string | undefined {
  for (const paragraph of paragraphs) {
    for (const pattern of patterns) {
      const found = pattern.exec(paragraph);
      if (found !== null) return found[0];
    }
  }
  return undefined;
}

// Rules "characters", "markup", "template" and "error-text": is it prose, or the residue of a machine?
// Every pattern is bounded, so that no body takes long.
/** Replacement and private characters, UTF-8 read as Latin-1 (after a capital `Ã` is Portuguese: `«MANHÃ»`), and
 * escapes that JSON should have removed. */
const broken = /[\uFFFD\uFFFE\uFFFF]|\p{Co}|(?<!\p{Lu})Ã[\u0080-\u00BF©¨¤¼¶]|â€[™œ“”]|\\u[0-9a-f]{4}|\\r\\n/u;

const wideBracket = /[＜﹤＞﹥]/;

/** Placeholders of the usual template languages, of printf and of people, and JSON within the text. A per cent sign
 * after a number is none. */
const template =
  /\{\{|\}\}|\{%|%\}|<%|%>|\$\{|\{[\p{L}_][\p{L}\p{M}\d_. ]{0,40}\}|\{\d{1,2}\}|\{ ?"|(?<!\d\s?)%[sdif](?![\p{L}\d])|%\([a-z_]{1,40}\)s|\[(?:(?:your|user|first|last|full|zodiac|sun|star)[ _]?){0,2}(?:name|sign|date|zodiac|user)\]|\[insert [^\][]{0,40}\]/iu;

/** Whole paragraphs or lines that programs write and people don't. */
const nothing =
  /^(?:null|undefined|nan|\[object \w{1,20}\]|n\/a|no data|not available|not found|coming soon|todo|tbd|lorem ipsum.*)[.!…]{0,3}$/i;
/** People use these words too, and a keyword may be one of them, so they are fillers only in place of prose. */
const filler = /^(?:none|nil|na|true|false|error|failed|unknown|empty|test|[-–—.…?!*_ ]+)[.!…]{0,3}$/i;

/** Phrases that no horoscope contains anywhere. Each has a character that `isPlain` looks for, or speaks of an error. */
const telltale =
  /\[object object\]|\b(?:internal server error|error (?:code )?[45]\d\d|uncaught \w{0,40}(?:error|exception))\b|traceback \(most recent|sqlstate\[|undefined (?:index|variable|offset|array key):|mymemory warning:/i;
const exceptionName = /\w(?:Error|Exception): /;
const speaksOfError = /error|exception/i;
/** How the messages of programs begin. */
const opening =
  /^(?:\d{3} )?(?:you )?(?:lorem ipsum|bad gateway|gateway time-?out|exceeded your (?:current )?quota|invalid api[ _-]?key|as an ai (?:language )?model|sqlstate|traceback|undefined (?:index|variable|offset)|mymemory)\b/i;

/** Phrases that a horoscope may have ("too many requests from your family"), but not as its whole text. */
const loneError =
  /^(?:(?:fatal|internal|server|system|runtime|parse|php|api) )?error ?:|\b(?:service (?:is )?(?:temporarily )?unavailable|too many requests|rate limit|unauthori[sz]ed|(?:fatal|syntax|server|unexpected|unknown) error|an error (?:has )?occurred|something went wrong|connection (?:refused|timed out|reset)|(?:request|operation) timed out|translation (?:failed|error)|(?:page|data|content|translation|prediction|reading|horoscope)s? (?:is |was |are |were )?(?:currently )?(?:not (?:found|available)|unavailable)|(?:please )?try again later)\b|^(?:i(?:'|’)m sorry|sorry|i apologi[sz]e),? (?:but )?i (?:can(?:'|’)t|cannot|am unable|am not able)\b/i;
/** An error message is short; a section of prose seldom is. */
const longestError = 160;

export const charactersRule = createTextRule("characters", "contains broken characters", (text) =>
  text.plain ? undefined : find(text.paragraphs, broken),
);
export const markupRule = createTextRule(
  "markup",
  "contains markup",
  ({ paragraphs, plain, undisguised }) => {
    const found = plain ? undefined : find(paragraphs, markup);
    if (found !== undefined || undisguised) return found;
    const withWideBrackets = paragraphs.filter((one) => wideBracket.test(one));
    return find(withWideBrackets, wideMarkup);
  },
);
export const templateRule = createTextRule("template", "contains a placeholder", (text) =>
  text.plain ? undefined : find(text.paragraphs, template),
);
export const errorTextRule = createTextRule(
  "error-text",
  "contains an error message or filler text",
  errorIn,
);

function errorIn({ kind, paragraphs, plain }: SeenText) {
  const suspect = plain ? paragraphs.filter((paragraph) => speaksOfError.test(paragraph)) : paragraphs;
  const said = find(paragraphs, nothing, opening) ?? find(suspect, telltale, exceptionName);
  if (said !== undefined || kind === "line") return said;
  const whole = paragraphs.join(" ");
  return whole.length > longestError ? undefined : find([whole], filler, loneError);
}

// Rules "empty", "short" and "long": is there a text, and is it of a length that a reading has?
/** A sentence worth printing has more letters than this; Han and Japanese say as much in a third. */
const fewestLetters = 25;
const fewestLettersDense = 8;
/** Far beyond anything a section needs; a page has a budget. */
const mostCharacters = 12_000;
const mostLineCharacters = 1_000;
/** Longer than any word of a language that puts blanks between words; punctuation ends a word too, so that a
 * Chinese text is called the wrong language and not a long word. */
const longestWord = 100;
const wordTooLong = new RegExp(`[^\\s\\p{Pd}\\p{Po}]{${longestWord + 1}}`, "u");

export const emptyRule: Rule = ({ texts }) =>
  texts
    .filter(({ paragraphs }) => paragraphs.length === 0)
    .map(({ field }) => refuse("empty", `${field} is empty`));

export const shortRule: Rule = ({ request, texts }) => {
  const fewest = writesWithoutBlanks(request.language) ? fewestLettersDense : fewestLetters;
  return texts.flatMap(({ field, kind, paragraphs }) => {
    if (kind !== "prose" || paragraphs.length === 0) return [];
    let letters = 0;
    for (const paragraph of paragraphs) {
      if (letters < fewest) letters += countLetters(paragraph, fewest);
    }
    return letters < fewest ? [refuse("short", `${field} has ${letters} letters, fewer than ${fewest}`)] : [];
  });
};

export const longRule: Rule = ({ request, texts }) =>
  texts.flatMap(({ field, kind, paragraphs }) => {
    const most = kind === "line" ? mostLineCharacters : mostCharacters;
    const characters = paragraphs.reduce((sum, paragraph) => sum + paragraph.length, 0);
    if (characters > most)
      return [refuse("long", `${field} has ${characters} characters, more than ${most}`)];
    if (characters <= longestWord || writesWithoutBlanks(request.language)) return [];
    return paragraphs.some(hasLongWord)
      ? [refuse("long", `${field} has a word of more than ${longestWord} characters`)]
      : [];
  });

/** Jumps from blank to blank, and looks at each character only where there is no blank. */
function hasLongWord(text: string) {
  let start = 0;
  while (text.length - start > longestWord) {
    const blank = text.lastIndexOf(" ", start + longestWord);
    if (blank < start) return wordTooLong.test(text);
    start = blank + 1;
  }
  return false;
}

function writesWithoutBlanks(language: keyof typeof languages) {
  const { script } = languages[language];
  return script === "Han" || script === "Japanese";
}
