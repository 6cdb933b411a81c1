// Rules "address", "formula", "mixed-script" and "invisible": what somebody slips into a text to lead readers elsewhere, or past
// the other rules. A table: what each rule finds, and by what cheap look most texts are known to have none of it. Every pattern
// is bounded, so that none takes long over whatever a body holds.
import type { SeenText } from "../collector.ts";
import {
  addressHints,
  addressPatterns,
  addressPatternsWithCapitals,
  hasCapitals,
  contactNumberIn,
  numberHints,
} from "./addresses.ts";
import type { RuleName } from "./rule.ts";
import { find, createTextRule } from "./text-rules.ts";

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
