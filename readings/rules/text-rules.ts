// Rules that look in each text of a candidate for something that prose does not have.
import type { Candidate, SeenText } from "../collector.ts";
import { countLetters, markup, wideMarkup } from "../clean-text.ts";
import { quotedLine } from "../answer.ts";
import { languages } from "../tables.ts";
import { type Rule, refuse, type RuleName } from "./rule.ts";
import {
  addressHints,
  addressPatterns,
  addressPatternsWithCapitals,
  hasCapitals,
  contactNumberIn,
  numberHints,
} from "./addresses.ts";

/** Names the field and what was found there. */
function createTextRule(rule: RuleName, what: string, foundIn: (text: SeenText) => string | undefined): Rule {
  return ({ texts }: Candidate) =>
    texts.flatMap((text) => {
      const found = foundIn(text);
      return found === undefined
        ? []
        : [refuse(rule, `${text.field} ${what}: ${quotedLine(found.slice(0, 60))}`)];
    });
}

/** The first match of any of the patterns, paragraph by paragraph. */
function find(paragraphs: readonly string[], ...patterns: readonly RegExp[]): string | undefined {
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

// Rules "address", "formula", "mixed-script" and "invisible": what somebody slips into a text to lead readers elsewhere, or past
// the other rules. A table: what each rule finds, and by what cheap look most texts are known to have none of it. Every pattern
// is bounded, so that none takes long over whatever a body holds.
type AdvertisingRule = Extract<RuleName, "address" | "formula" | "mixed-script" | "invisible">;

interface Trace {
  readonly what: string;
  /** A paragraph in which any of the patterns finds something has one of these; hardly any other has. */
  readonly hints: readonly (string | RegExp)[];
  /** It has this as well. */
  readonly needs?: RegExp;
  /** Matches a paragraph that must be unmasked first. */
  readonly masks?: RegExp;
  /** Only a text in which signs are disguised can have any of it. */
  readonly isDisguise?: true;
  readonly patterns: readonly RegExp[];
  /** Patterns for a paragraph with capitals. */
  readonly withCapitals?: readonly RegExp[];
  readonly further?: (paragraph: string) => string | undefined;
}

const letter = String.raw`[\p{L}\p{M}]`;
const latin = String.raw`\p{Script=Latin}`;
const alike = String.raw`\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}`;
/** An abbreviation with an ending of the text's own language, `SMSки`, and units of measure, `μmol`. */
const usualMix = String.raw`[${latin}--\p{Ll}]{2,10}[[${alike}]--\p{Lu}]{1,20}(?!${letter})|μ[a-z]{1,5}(?!${letter})`;

const traces: Readonly<Record<AdvertisingRule, Trace>> = {
  address: {
    what: "contains a URL",
    masks: /[．｡。․﹒][A-Za-zａ-ｚＡ-Ｚ]|[＠＋０-９－\u200C-\u200F]|[：:][／/]/,
    hints: [...addressHints, ...numberHints],
    patterns: addressPatterns,
    withCapitals: addressPatternsWithCapitals,
    further: contactNumberIn,
  },
  formula: {
    what: "contains an advertising phrase",
    hints: ["$", "\\", /^[=+@-]/],
    patterns: [
      /^=\s?[a-z][a-z\d_.]{0,40}\(|^=[-+]?\d|^=\$?[A-Z]{1,3}\$?\d|^[=+@-].{0,80}\|.{0,80}!/iu,
      /^[+@-]\s?(?:hyperlink|importxml|importdata|importhtml|importrange|importfeed|webservice|image|cmd|call|exec|sum)\(/iu,
      /\$\$|\$[^$\s][^$]{0,100}[\\^_][^$]{0,100}\$|\\[([]|\\(?:frac|sqrt|sum|int|begin|end|text|mathbf|mathrm|left|right|cdot|times|href|url|alpha|beta|pi)(?![a-z])/u,
    ],
  },
  "mixed-script": {
    what: "contains a word in two scripts",
    hints: [/[Ͱ-֏Ꭰ-᏿]/, "\uD835"],
    needs: /[A-Za-zÀ-ɏ\uD835]/,
    patterns: [
      new RegExp(
        `(?<!${letter})(?!${usualMix})(?=${letter}{0,40}[${latin}])(?=${letter}{0,40}[${alike}])${letter}{3,80}`,
        "v",
      ),
      /[\u{1D400}-\u{1D7FF}]{2,40}/u,
    ],
  },
  invisible: {
    what: "contains invisible characters",
    hints: [
      // oxlint-disable-next-line no-misleading-character-class -- the class lists single code units
      /[\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200C-\u200F\u2800\u3164\uFE00-\uFE0F\uFFA0\uD82F\uD834\uDB40]/,
    ],
    patterns: [
      /[\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2800\u3164\uFFA0\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}]/u,
      /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}](?:[\u200C-\u200F]{1,9}[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]|[\uFE00-\uFE0F])/u,
      /[\u200C\u200D]{3}|[\uFE00-\uFE0F]{2}|[\u{E0100}-\u{E01EF}]{2}/u,
    ],
    isDisguise: true,
  },
};

/** Text as readers and browsers see it: full-width forms become plain ones, and invisible characters are removed. */
function unmasked(text: string) {
  return text
    .replaceAll(/[\u200C-\u200F]/g, "")
    .normalize("NFKC")
    .replaceAll(/。(?=[a-z])/gi, ".");
}

function foundBy({ hints, needs, masks, patterns, withCapitals = [], further, isDisguise }: Trace) {
  const isSuspect = (paragraph: string) =>
    hints.some((hint) => (typeof hint === "string" ? paragraph.includes(hint) : hint.test(paragraph))) &&
    needs?.test(paragraph) !== false;
  const foundIn = (paragraphs: readonly string[]) => {
    const found = find(paragraphs, ...patterns);
    if (found !== undefined || further === undefined) return found;
    const cased = paragraphs.filter((paragraph) => hasCapitals.test(paragraph));
    return find(cased, ...withCapitals) ?? firstOf(paragraphs, further);
  };
  return ({ paragraphs, undisguised }: SeenText) => {
    if (undisguised && isDisguise) return undefined;
    const found = foundIn(paragraphs.filter(isSuspect));
    if (found !== undefined || undisguised || masks === undefined) return found;
    return foundIn(paragraphs.filter((paragraph) => masks.test(paragraph)).map(unmasked));
  };
}

function firstOf(paragraphs: readonly string[], look: (paragraph: string) => string | undefined) {
  for (const paragraph of paragraphs) {
    const found = look(paragraph);
    if (found !== undefined) return found;
  }
  return undefined;
}

function createAdvertisingRule(rule: AdvertisingRule) {
  return createTextRule(rule, traces[rule].what, foundBy(traces[rule]));
}

export const addressRule = createAdvertisingRule("address");
export const formulaRule = createAdvertisingRule("formula");
export const mixedScriptRule = createAdvertisingRule("mixed-script");
export const invisibleRule = createAdvertisingRule("invisible");
