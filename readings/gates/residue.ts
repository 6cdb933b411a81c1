// Gates "characters", "markup", "template" and "error-text": is it prose, or what a machine left in place of it?
import { type Candidate } from "../candidate.ts";
import { type Finding, type Gate, refuse, type RuleName } from "./gate.ts";

/** Tags, comments, entities, code fences, BBCode, and addresses that run code. */
const markup =
  /<\/?[a-z!?][^<]{0,500}>|<(?:script|iframe|img|svg|style|a)\b|<!--|&(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});|```|\[\/?(?:b|i|u|url|img|code|color)(?:=[^\]]{0,200})?\]|\b(?:javascript|vbscript|data):[^\s]|\*\*[^\s*]/i;

/** Placeholders of the usual template languages and of printf. */
const template =
  /\{\{|\}\}|\{%|%\}|<%|%>|\$\{|\{[a-z_][\w.]{0,40}\}|\{\d{1,2}\}|%[sdif](?![\p{L}\d])|%\([a-z_]{1,40}\)s|\[(?:name|sign|date|zodiac|user|first_?name|full_?name|insert[^\]]{0,40})\]/iu;

/** What programs say when they have nothing to say. Whole texts first, then telltale phrases anywhere. */
const wholeError =
  /^(?:null|undefined|nan|none|nil|n\/?a|true|false|error|failed|unknown|empty|test|todo|tbd|coming soon|no data|not available|not found|lorem ipsum.*|\[object \w+\]|[-–—.…?!*_]+)[.!…]?$/i;
const errorPhrase =
  /\blorem ipsum\b|\[object object\]|\b(?:internal server|bad gateway|gateway time-?out|service unavailable|too many requests|rate limit|quota (?:exceeded|reached)|exceeded your (?:current )?quota|invalid api[ _-]?key|unauthori[sz]ed access|fatal error|stack trace|traceback \(most recent|uncaught \w*(?:error|exception)|\w+exception:|\w*error:|sqlstate|syntax error|undefined (?:index|variable|offset)|connection (?:refused|timed out|reset)|mymemory warning|translation (?:failed|error|not available)|(?:prediction|reading|horoscope|data) (?:is )?not (?:available|found)|please try again later|as an ai language model|i(?:'|’)m sorry, (?:but )?i can(?:'|’)?t)\b|\b(?:error|exception)\s+\d{3}\b/i;
const replacement = /[\uFFFD\uFFFE\uFFFF]|\p{Co}|Ã[\u0080-\u00BF©¨¤¼¶]|â€[™œ“”]/u;

/** Replacement characters and UTF-8 read as Latin-1 are texts broken on their way. */
export const charactersGate = gateFor(
  "characters",
  (text) => replacement.exec(text),
  "holds broken characters",
);
export const markupGate = gateFor("markup", (text) => markup.exec(text), "holds markup");
export const templateGate = gateFor("template", (text) => template.exec(text), "holds a placeholder");
export const errorTextGate = gateFor(
  "error-text",
  (text) => wholeError.exec(text) ?? errorPhrase.exec(text),
  "holds an error message or filler",
);

function gateFor(rule: RuleName, find: (text: string) => RegExpExecArray | null, what: string): Gate {
  return ({ texts }: Candidate): Finding[] =>
    texts.flatMap(({ field, paragraphs }) => {
      for (const paragraph of paragraphs) {
        const found = find(paragraph);
        if (found !== null) return [refuse(rule, `${field} ${what}: "${found[0].slice(0, 60)}"`)];
      }
      return [];
    });
}
