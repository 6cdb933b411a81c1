// Gates "characters", "markup", "template" and "error-text": is it prose, or what a machine left in place of it?
// Every pattern is bounded, so that none takes long over whatever a body holds.
import type { SeenText } from "../candidate.ts";
import { markup, wideMarkup } from "../markup.ts";
import { find, gateFor } from "./text-gate.ts";

/** Replacement and private characters, UTF-8 read as Latin-1 (after a capital `Ã` is Portuguese: `«MANHÃ»`), and
 * escapes that JSON should have taken away. */
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

/** Phrases that no horoscope has, wherever they stand. Each has a character that `isPlain` looks for, or speaks of an error. */
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

export const charactersGate = gateFor("characters", "holds broken characters", (text) =>
  text.plain ? undefined : find(text.paragraphs, broken),
);
export const markupGate = gateFor("markup", "holds markup", ({ paragraphs, plain, undisguised }) => {
  const found = plain ? undefined : find(paragraphs, markup);
  if (found !== undefined || undisguised) return found;
  const withWideBrackets = paragraphs.filter((one) => wideBracket.test(one));
  return find(withWideBrackets, wideMarkup);
});
export const templateGate = gateFor("template", "holds a placeholder", (text) =>
  text.plain ? undefined : find(text.paragraphs, template),
);
export const errorTextGate = gateFor("error-text", "holds an error message or filler", errorIn);

function errorIn({ kind, paragraphs, plain }: SeenText) {
  const suspect = plain ? paragraphs.filter((paragraph) => speaksOfError.test(paragraph)) : paragraphs;
  const said = find(paragraphs, nothing, opening) ?? find(suspect, telltale, exceptionName);
  if (said !== undefined || kind === "line") return said;
  const whole = paragraphs.join(" ");
  return whole.length > longestError ? undefined : find([whole], filler, loneError);
}
