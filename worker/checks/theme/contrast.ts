// Checks the contrast of text and background in a theme, in light and dark mode: its custom properties, and each rule of its stylesheets
// that sets both colors. postcss reads the rules and culori the colors. Colors that only a browser can compute are not measured.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatHex, parse as parseColor } from "culori";
import { AtRule, CssSyntaxError, Declaration, list, type Node, parse, type Rule } from "postcss";
import { contrast, leastContrast, mixed, palettesOf, shownRatio } from "../../../site/palette.ts";
import type { Theme } from "../../../site/theme/theme.ts";
import { themeEntry } from "../../theme/load-theme.ts";
import { lineOf, shownPlace } from "../../theme/theme-files.ts";
import { type Check, right, warning, wrongSetting } from "../check.ts";

/** Large text, from 24 px, needs less contrast. */
const leastForLarge = 3;
const largePx = 24;

const schemes = ["light", "dark"] as const;
type Scheme = (typeof schemes)[number];

/** A rule's declarations, or the theme's properties, which apply to `:root`. */
interface Block {
  readonly selector: string;
  readonly values: ReadonlyMap<string, string>;
  /** The file with the line of a declaration. */
  readonly placeOf: (property: string) => string;
  readonly schemes: readonly Scheme[];
}

const check = "theme: contrast";

export function checkContrast(theme: Theme, folder: string): Check[] {
  const faults: Check[] = [];
  const blocks = [propertiesOf(theme, folder)];
  for (const { file, pieces } of theme.styles) {
    const css = pieces.map((piece) => (typeof piece === "string" ? piece : "")).join("");
    try {
      parse(css).walkRules(
        (rule) => void blocks.push(blockOf(rule, (line) => shownPlace(folder, file, line))),
      );
    } catch (error) {
      if (!(error instanceof CssSyntaxError)) throw error;
      const seen = `${shownPlace(folder, file, error.line)}: ${error.reason}, so this stylesheet was not checked`;
      faults.push(warning(check, seen, "fix it there: browsers skip rules that they cannot parse"));
    }
  }
  const all = schemes.flatMap((scheme) => measuredPairs(scheme, theme, blocks));
  const measured = all.filter((pair) => pair !== undefined);
  const poor = measured.filter(({ ratio, least }) => ratio < least);
  // A pair that is the same in light and dark mode is reported once.
  const alike = Map.groupBy(poor, ({ place, what, colors }) => `${place}: ${what} ${colors}`);
  const found = [...alike.values()].flatMap((same) => {
    const [pair] = same;
    if (pair === undefined) return [];
    const { place, what, colors, ratio, least } = pair;
    const when = `in ${same.map(({ scheme }) => scheme).join(" and ")} mode`;
    const seen = `${place}: ${what} ${when}: ${colors} has a contrast of ${shownRatio(ratio)}:1, and text needs ${least}:1 or more`;
    const remedy =
      "make one of the two lighter or darker; for dark mode, in @media (prefers-color-scheme: dark)";
    return [wrongSetting(check, seen, remedy)];
  });
  if (poor.length + faults.length > 0) return [...found, ...faults];
  const unknown = all.length - measured.length;
  const seen =
    all.length === 0
      ? "properties and rules set no pair of text and background colors"
      : `${measured.length} of ${all.length} pairs of text and background are readable in light and dark mode`;
  return [right(check, unknown === 0 ? seen : `${seen}; ${unknown} could not be measured`)];
}

function propertiesOf({ properties }: Theme, folder: string): Block {
  const file = themeEntry(folder) ?? "theme.ts";
  const placeOf = (property: string) => {
    const source = readFileSync(join(folder, file), "utf8");
    return shownPlace(folder, file, lineOf(source, ["properties", property]));
  };
  return { selector: ":root", values: new Map(Object.entries(properties)), placeOf, schemes };
}

function blockOf(rule: Rule, placeAt: (line: number | undefined) => string): Block {
  const declarations = new Map(
    rule.nodes.flatMap((node) =>
      node instanceof Declaration ? [[node.prop.replace(/^background-color$/i, "background"), node]] : [],
    ),
  );
  return {
    selector: rule.selector.replaceAll(/\s+/g, " "),
    values: new Map([...declarations].map(([property, { value }]) => [property, value])),
    placeOf: (property) => placeAt(declarations.get(property)?.source?.start?.line),
    schemes: schemes.filter((scheme) => appliesIn(scheme, rule.parent)),
  };
}

/** Blocks such as @keyframes style no element. */
function appliesIn(scheme: Scheme, node: Node | undefined): boolean {
  if (node === undefined) return true;
  if (node instanceof AtRule) {
    const { name, params } = node;
    if (!/^(?:media|supports|layer|container|scope)$/.test(name)) return false;
    if (/\bprint\b/.test(params) && !/\bscreen\b/.test(params)) return false;
    const [, only = scheme] = /prefers-color-scheme:\s*(light|dark)/.exec(params) ?? [];
    if (only !== scheme) return false;
  }
  return appliesIn(scheme, node.parent);
}

interface Pair {
  readonly what: string;
  readonly place: string;
  /** The values of the text color and of its background. */
  readonly text: string;
  readonly ground: string;
  /** The rule's own properties. */
  readonly values: ReadonlyMap<string, string>;
}

/** Each pair in its colors, or undefined if a color could not be computed. */
function measuredPairs(scheme: Scheme, { colors }: Theme, all: readonly Block[]) {
  const { accents, ...palette } = palettesOf(colors)[scheme];
  const ours = Object.entries(palette).map(([name, color]) => [`--${name}`, color] as const);
  const blocks = all.filter((block) => block.schemes.includes(scheme));
  const roots = blocks.filter(({ selector }) =>
    selector.split(", ").some((one) => /^(?::root|html|body)$/.test(one)),
  );
  const root = roots.flatMap(({ values }) => [...values]);
  return [...propertyPairs(roots), ...blocks.flatMap(rulePairs)].map(
    ({ what, place, text, ground, values }) => {
      // Each sign has its own accent color, and the worst contrast counts.
      const each = [...new Set(Object.values(accents))].map((accent) => {
        const scope = { scheme, values: new Map([...ours, ["--accent", accent], ...root, ...values]) };
        const front = colorIn(text, scope);
        const back = colorIn(ground, scope);
        if (front === undefined || back?.alpha !== 1) return undefined;
        const seen = mixed(front.color, back.color, front.alpha);
        const least = isLarge(values.get("font-size")) ? leastForLarge : leastContrast;
        const ratio = contrast(seen, back.color);
        return { what, place, scheme, least, colors: `${seen} on ${back.color}`, ratio };
      });
      return each.reduce((one, other) => (one && other && one.ratio <= other.ratio ? one : other));
    },
  );
}

/** The pairs that our own stylesheet makes of the properties, if a root sets one of the two. */
function propertyPairs(roots: readonly Block[]): Pair[] {
  return ["--ink", "--soft", "--accent"].flatMap((text) =>
    ["--paper", "--panel"].flatMap((ground) => {
      const [place] = [text, ground].flatMap(
        (name) => roots.findLast(({ values }) => values.has(name))?.placeOf(name) ?? [],
      );
      if (place === undefined) return [];
      const what = `${text} on ${ground}`;
      return [{ what, place, text: `var(${text})`, ground: `var(${ground})`, values: new Map() }];
    }),
  );
}

function rulePairs({ selector, values, placeOf }: Block): Pair[] {
  const text = values.get("color");
  const ground = values.get("background");
  if (text === undefined || ground === undefined) return [];
  return [{ what: selector, place: placeOf("color"), text, ground, values }];
}

function isLarge(size = "") {
  const [, number = "0", unit] = /^([\d.]+)(px|rem)$/.exec(size) ?? [];
  return Number(number) * (unit === "rem" ? 16 : 1) >= largePx;
}

interface Scope {
  readonly scheme: Scheme;
  /** The values of custom properties. */
  readonly values: ReadonlyMap<string, string>;
}

/** The first color in the value, which may be a shorthand; undefined if it has none, or one that cannot be computed here. */
export function colorIn(value: string, { scheme, values }: Scope) {
  let whole = value;
  for (let round = 0; whole.includes("var(") && round < 20; round += 1) {
    whole = whole.replace(
      /var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/,
      (_, name: string, fallback?: string) => values.get(name) ?? fallback ?? "url()",
    );
  }
  whole = whole.replaceAll(/light-dark\(([^(),]*),([^(),]*)\)/g, scheme === "light" ? "$1" : "$2");
  if (/(?:var|url|gradient)\(/.test(whole)) return undefined;
  for (const part of list.space(whole)) {
    const color = colorOf(part.toLowerCase());
    if (color !== undefined) return color;
  }
  return undefined;
}

/** `#rrggbb`, clipped to sRGB, and alpha from 0 to 1. */
function colorOf(text: string) {
  // culori takes hexadecimal digits without a #, which CSS does not, and throws on some malformed functions.
  if (/^(?:transparent|[\da-f]+)$/.test(text)) return undefined;
  try {
    const color = parseColor(text);
    if (color === undefined) return undefined;
    const isFinite = Object.values(color).every((part) => typeof part !== "number" || Number.isFinite(part));
    return isFinite ? { color: formatHex(color), alpha: color.alpha ?? 1 } : undefined;
  } catch {
    return undefined;
  }
}
