// Checks the contrast of every pair of text and background in a theme's properties and stylesheets, in light and dark mode.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { contrast, leastContrast, mixed, palettesOf, shownRatio } from "../../../site/palette.ts";
import type { TextPiece, Theme } from "../../../site/theme/theme.ts";
import { themeEntry } from "../../theme/load-theme.ts";
import { lineOf, shownPlace } from "../../theme/theme-files.ts";
import { type Check, right, warning, wrongSetting } from "../check.ts";
import {
  type ColorScope,
  colorIn,
  declarationsIn,
  type Scheme,
  schemes,
  type StyleDeclaration,
} from "./style-colors.ts";

/** Large text, from 24 px, needs less contrast. */
const leastForLarge = 3;
const largePx = 24;

/** The text without the placeholders that each page fills in. */
export function literalText(pieces: readonly TextPiece[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : "")).join("");
}

export function checkContrast(theme: Theme, folder: string): Check[] {
  const name = "theme: contrast";
  const entry = themeEntry(folder) ?? "theme.ts";
  const hasProperties = Object.keys(theme.properties).length > 0;
  const source = hasProperties ? readFileSync(join(folder, entry), "utf8") : "";
  const given = Object.entries(theme.properties).map(([property, value]): StyleDeclaration => {
    const line = lineOf(source, ["properties", property]);
    return { selector: ":root", property, value, file: entry, line, schemes };
  });
  const read = theme.styles.map(({ file, pieces }) => declarationsIn(literalText(pieces), file));
  const all = [...given, ...read.flatMap((one) => ("reason" in one ? [] : one))];
  const found = schemes.flatMap((scheme) => {
    const declarations = all.filter((one) => one.schemes.includes(scheme));
    return pairsIn(scheme, theme, declarations);
  });
  const faults = read.filter((one) => "reason" in one);
  if (found.length + faults.length === 0)
    return [right(name, "properties and stylesheets set no text or background colors")];
  const measured = found.filter(isKnown);
  const poor = measured.filter((pair) => ratioOf(pair) < pair.least);
  // A pair that is the same in light and dark mode is reported once.
  const alike = Map.groupBy(poor, ({ at, what, text, ground }) =>
    [at.file, at.line, what, text, ground].join(" "),
  );
  const checks = [
    ...[...alike.values()].flatMap((same) => poorPair(same, name, folder)),
    ...faults.map(({ file, line, reason }) =>
      warning(
        name,
        `${shownPlace(folder, file, line)}: ${reason}, so this stylesheet was not checked`,
        "fix it there: browsers skip rules that they cannot parse",
      ),
    ),
  ];
  const pairs = (count: number) =>
    `${count.toLocaleString("en")} pair${count === 1 ? "" : "s"} of text and background`;
  if (measured.length > 0 && poor.length === 0)
    checks.push(right(name, `${pairs(measured.length)} are readable in light and dark mode`));
  /** Their color could not be determined, or their background has several colors. */
  const unknown = found.length - measured.length;
  if (unknown > 0) checks.push(right(name, `${pairs(unknown)} could not be measured`));
  return checks;
}

function poorPair(same: readonly Pair[], name: string, folder: string): Check[] {
  const [pair] = same;
  if (pair === undefined) return [];
  const { what, text, ground, least, at, isAssumed } = pair;
  const when = `in ${same.map(({ scheme }) => scheme).join(" and ")} mode`;
  const seen =
    `${shownPlace(folder, at.file, at.line)}: ${what} ${when}: ` +
    `${text} on ${ground} has a contrast of ${shownRatio(ratioOf(pair))}:1, and text needs ${least}:1 or more`;
  const remedy =
    "make one of the two lighter or darker; for dark mode, in @media (prefers-color-scheme: dark)";
  if (!isAssumed) return [wrongSetting(name, seen, remedy)];
  const alsoRemedy = `${remedy}; or set \`color\` and \`background\` in that rule`;
  return [warning(name, `${seen}, if it is directly on the page`, alsoRemedy)];
}

interface UnknownPair {
  readonly scheme: Scheme;
  readonly what: string;
  readonly at: StyleDeclaration;
}

interface Pair extends UnknownPair {
  readonly text: string;
  readonly ground: string;
  readonly least: number;
  /** Whether text or background is not declared in this rule and its default was assumed. */
  readonly isAssumed: boolean;
}

type FoundPair = Pair | UnknownPair;

function isKnown(pair: FoundPair): pair is Pair {
  return "ground" in pair;
}

const isRoot = (selector: string) => /^(?::root|html|body)$/.test(selector);

function pairsIn(scheme: Scheme, { colors }: Theme, declarations: readonly StyleDeclaration[]) {
  const rules = Map.groupBy(declarations, ({ selector }) => (isRoot(selector) ? ":root" : selector));
  const root = lastOf(rules.get(":root") ?? []);
  const { accents, ...palette } = palettesOf(colors)[scheme];
  const each = [...new Set(Object.values(accents))].flatMap((accent) => {
    const ours = new Map(Object.entries({ ...palette, accent }).map(([name, color]) => [`--${name}`, color]));
    const scopeOf = (own: ReadonlyMap<string, StyleDeclaration>): ColorScope => ({
      scheme,
      property: (name) => own.get(name)?.value ?? root.get(name)?.value ?? ours.get(name),
    });
    return propertyPairs(root, scopeOf(root)).concat(rulePairs(rules, scopeOf));
  });
  // Each sign has its own accent color; only the worst contrast of a pair is reported.
  const byPair = Map.groupBy(each, ({ what, at }) => `${at.file}:${at.line} ${what}`);
  return [...byPair.values()].map((same) =>
    same.reduce((one, other) =>
      !isKnown(one) || (isKnown(other) && ratioOf(other) < ratioOf(one)) ? other : one,
    ),
  );
}

/** The pairs of text and background properties that our own stylesheet combines. */
function propertyPairs(root: ReadonlyMap<string, StyleDeclaration>, scope: ColorScope): FoundPair[] {
  return ["ink", "soft", "accent"].flatMap((text) =>
    ["paper", "panel"].flatMap((ground): FoundPair[] => {
      const at = root.get(`--${text}`) ?? root.get(`--${ground}`);
      if (at === undefined) return [];
      const front = colorIn(`var(--${text})`, scope);
      const back = colorIn(`var(--${ground})`, scope);
      const pair = { what: `--${text} on --${ground}`, scheme: scope.scheme, at };
      if (front === undefined || back?.alpha !== 1) return [pair];
      const seen = mixed(front.color, back.color, front.alpha);
      return [{ ...pair, text: seen, ground: back.color, least: leastContrast, isAssumed: false }];
    }),
  );
}

type Own = ReadonlyMap<string, StyleDeclaration>;

function rulePairs(
  rules: ReadonlyMap<string, readonly StyleDeclaration[]>,
  scopeOf: (own: Own) => ColorScope,
): FoundPair[] {
  const root = lastOf(rules.get(":root") ?? []);
  return [...rules].flatMap(([selector, declarations]): FoundPair[] => {
    const base = selector.replace(/(?<!:):[a-z-]+(?:\([^)]*\))?$/, "");
    const at = declarations.findLast(({ property }) => /^(?:color|background(?:-color)?)$/.test(property));
    const all = lastOf([...(rules.get(base) ?? []), ...declarations]);
    // A pseudo-element with only a background is an ornament.
    if (at === undefined || (selector.includes("::") && !all.has("color"))) return [];
    const scope = scopeOf(all);
    const page = colorIn(root.get("background")?.value ?? "var(--paper)", scope);
    const ground = isSeen(all.get("background")) ? all.get("background") : undefined;
    const back = ground === undefined ? page : colorIn(ground.value, scope);
    const text = all.get("color");
    const front = colorIn(text?.value ?? root.get("color")?.value ?? "var(--ink)", scope);
    const pair = { what: at.selector, scheme: scope.scheme, at };
    const beneath = back?.alpha === 1 ? back : page;
    if (beneath?.alpha !== 1 || back === undefined || front === undefined) return [pair];
    // `:root` merges html and body. If text and background come from different selectors, the pair is assumed: the last one in
    // the cascade need not be the one in front.
    const isOfTwo = selector === ":root" && text?.selector !== ground?.selector;
    const under = mixed(back.color, beneath.color, back.alpha);
    return [
      {
        ...pair,
        text: mixed(front.color, under, front.alpha),
        ground: under,
        least: isLarge(all.get("font-size")?.value) ? leastForLarge : leastContrast,
        isAssumed: ground === undefined || text === undefined || isOfTwo,
      },
    ];
  });
}

function isSeen(ground: StyleDeclaration | undefined) {
  return ground !== undefined && !/^(?:none|transparent|inherit|initial|unset)$/.test(ground.value);
}

/** The last declaration of each property wins; `background-color` counts as `background`. */
function lastOf(declarations: readonly StyleDeclaration[]): Own {
  return new Map(
    declarations.map((one) => [one.property === "background-color" ? "background" : one.property, one]),
  );
}

function isLarge(size = "") {
  const [, number = "0", unit] = /^([\d.]+)(px|rem)$/.exec(size) ?? [];
  return Number(number) * (unit === "rem" ? 16 : 1) >= largePx;
}

const ratioOf = ({ text, ground }: Pair) => contrast(text, ground);
