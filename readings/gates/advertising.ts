// Gates "address", "formula", "mixed-script" and "invisible": what somebody slips into a text to lead readers elsewhere, or past
// the other gates. A table: what each rule finds, and by what cheap look most texts are known to have none of it. Every pattern
// is bounded, so that none takes long over whatever a body holds.
import type { SeenText } from "../candidate.ts";
import type { RuleName } from "./gate.ts";
import { find, gateFor } from "./text-gate.ts";

type AdvertisingRule = Extract<RuleName, "address" | "formula" | "mixed-script" | "invisible">;

interface Trace {
  readonly what: string;
  /** A paragraph in which any of the patterns finds something has one of these; hardly any other has. */
  readonly hints: readonly (string | RegExp)[];
  /** It has this as well. */
  readonly needs?: RegExp;
  /** What a paragraph has that has to be unmasked first. */
  readonly masks?: RegExp;
  /** Only a text in which signs are disguised can have any of it. */
  readonly isDisguise?: true;
  readonly patterns: readonly RegExp[];
}

/** Endings of addresses that are no word, so that a forgotten blank after a full stop is no address. */
const endings =
  "com|net|org|info|biz|xyz|app|dev|icu|ru|uk|cn|tk|tv|cc|ws|gg|ly|рф|рус|укр|भारत|COM|NET|ORG|INFO|RU";
const character = String.raw`[\p{L}\p{M}\d]`;
const letter = String.raw`[\p{L}\p{M}]`;
const latin = String.raw`\p{Script=Latin}`;
const alike = String.raw`\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}`;
/** An abbreviation with an ending of the text's own language, `SMSки`, and units of measure, `μmol`. */
const usualMix = String.raw`[${latin}--\p{Ll}]{2,10}[[${alike}]--\p{Lu}]{1,20}(?!${letter})|μ[a-z]{1,5}(?!${letter})`;

const traces: Readonly<Record<AdvertisingRule, Trace>> = {
  address: {
    what: "holds an address",
    masks: /[．｡。][A-Za-zａ-ｚＡ-Ｚ]|[＠＋\u200C-\u200F]|[：:][／/]/,
    hints: ["@", "+", "[.", "(.", /[[(]dot/i, /:\S/, /\.[A-Za-zа-яА-Я\u092D]/, /\d[-. \d]\d{3}/],
    patterns: [
      /\b[a-z][a-z\d+.-]{1,20}:\/\/\S{0,60}|\bmailto:\S{1,60}|\b(?:tel|sms):\+?\d{3,20}/iu,
      /(?<![\p{L}\d])www\d?\.[\p{L}\d]\S{0,60}/iu,
      new RegExp(
        `(?<!${character})(?=[\\p{M}\\d-]{0,40}\\p{L})[\\p{L}\\p{M}\\d-]{2,63}\\.(?:${endings})(?!${character})`,
        "u",
      ),
      /(?<![\p{L}\p{M}\d])[a-z\d][a-z\d-]{0,62}\.[a-z]{2,24}\/[a-z\d_?=%~@+-]/u,
      /(?<=[\p{L}\d_%+-])@[\p{L}\d-]{1,63}\.\p{L}{2}/u,
      /[\p{L}\d] ?[[(](?:dot|\.)[\])] ?[\p{L}\d]/iu,
      /\+\s?\p{Nd}(?:[\s().-]{0,2}\p{Nd}){8,14}|(?<!\d)\(?\d{3}\)?[-. ]\d{3}[-.]\d{4}(?!\d)/u,
      /(?<!\p{L})(?:whats ?app|telegram|instagram|viber|wechat)\P{L}{1,4}(?:@[a-z\d]|\p{Nd}{5})/iu,
    ],
  },
  formula: {
    what: "holds a formula",
    hints: ["$", "\\", /^[=+@-]/],
    patterns: [
      /^=\s?[a-z][a-z\d_.]{0,40}\(|^=[-+]?\d|^=\$?[A-Z]{1,3}\$?\d|^[=+@-].{0,80}\|.{0,80}!/iu,
      /^[+@-]\s?(?:hyperlink|importxml|importdata|importhtml|importrange|importfeed|webservice|image|cmd|call|exec|sum)\(/iu,
      /\$\$|\$[^$\s][^$]{0,100}[\\^_][^$]{0,100}\$|\\[([]|\\(?:frac|sqrt|sum|int|begin|end|text|mathbf|mathrm|left|right|cdot|times|href|url|alpha|beta|pi)(?![a-z])/u,
    ],
  },
  "mixed-script": {
    what: "holds a word in two scripts",
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
    what: "holds invisible filling",
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

/** As a reader's eye and her browser take it: full-width forms are plain ones, and what can't be seen is not there. */
function unmasked(text: string) {
  return text
    .replaceAll(/[\u200C-\u200F]/g, "")
    .normalize("NFKC")
    .replaceAll(/。(?=[a-z])/gi, ".");
}

function foundBy({ hints, needs, masks, patterns, isDisguise }: Trace) {
  const isSuspect = (paragraph: string) =>
    hints.some((hint) => (typeof hint === "string" ? paragraph.includes(hint) : hint.test(paragraph))) &&
    needs?.test(paragraph) !== false;
  return ({ paragraphs, undisguised }: SeenText) => {
    if (undisguised && isDisguise) return undefined;
    const found = find(paragraphs.filter(isSuspect), ...patterns);
    if (found !== undefined || undisguised || masks === undefined) return found;
    return find(paragraphs.filter((paragraph) => masks.test(paragraph)).map(unmasked), ...patterns);
  };
}

function gateOf(rule: AdvertisingRule) {
  return gateFor(rule, traces[rule].what, foundBy(traces[rule]));
}

export const addressGate = gateOf("address");
export const formulaGate = gateOf("formula");
export const mixedScriptGate = gateOf("mixed-script");
export const invisibleGate = gateOf("invisible");
