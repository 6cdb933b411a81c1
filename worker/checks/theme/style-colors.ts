// The colors of a stylesheet: its declarations in the order of the cascade, each with its line, and the color that a value names.
// postcss reads the rules and culori the colors.
import { formatHex, parse as parseColor } from "culori";
import { AtRule, type ChildNode, CssSyntaxError, list, parse, Rule } from "postcss";
import { mixed } from "../../../site/palette.ts";

export const schemes = ["light", "dark"] as const;
export type Scheme = (typeof schemes)[number];

export interface StyleDeclaration {
  readonly selector: string;
  readonly property: string;
  readonly value: string;
  readonly file: string;
  readonly line: number;
  /** The color schemes of a screen in which it applies. */
  readonly schemes: readonly Scheme[];
}

/** The first place where a stylesheet cannot be parsed. */
interface StyleFault {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** Nested rules are resolved. Blocks such as @font-face and @keyframes style no element. */
export function declarationsIn(css: string, file: string): StyleDeclaration[] | StyleFault {
  const found: StyleDeclaration[] = [];
  try {
    parse(css).walkDecls(({ variable, prop, value, source, parent }) => {
      const block = blockOf(parent);
      if (block.schemes.length === 0) return;
      const property = variable ? prop : prop.toLowerCase();
      const line = source?.start?.line ?? 1;
      for (const selector of block.selectors)
        found.push({ selector, property, value, file, line, schemes: block.schemes });
    });
    return found;
  } catch (error) {
    if (!(error instanceof CssSyntaxError)) throw error;
    return { file, line: error.line ?? 1, reason: error.reason };
  }
}

interface Block {
  readonly selectors: readonly string[];
  readonly schemes: readonly Scheme[];
}

function blockOf(node: ChildNode["parent"]): Block {
  if (!(node instanceof Rule || node instanceof AtRule)) return { selectors: [], schemes };
  const outer = blockOf(node.parent);
  if (node instanceof Rule) return { ...outer, selectors: nested(node.selectors, outer) };
  return { ...outer, schemes: outer.schemes.filter((scheme) => appliesIn(scheme, node)) };
}

function nested(own: readonly string[], { selectors }: Block) {
  const plain = own.map((selector) => selector.replaceAll(/\s+/g, " "));
  if (selectors.length === 0) return plain;
  return selectors.flatMap((parent) =>
    plain.map((one) => (one.includes("&") ? one.replaceAll("&", parent) : `${parent} ${one}`)),
  );
}

const grouping = /^(?:media|supports|layer|container|scope|starting-style)$/;

function appliesIn(scheme: Scheme, { name, params }: AtRule) {
  if (!grouping.test(name)) return false;
  if (/\bprint\b/.test(params) && !/\bscreen\b/.test(params)) return false;
  const [, only = scheme] = /prefers-color-scheme:\s*(light|dark)/.exec(params) ?? [];
  return only === scheme;
}

interface ColorValue {
  /** `#rrggbb`; a color that sRGB cannot show is clipped. */
  readonly color: string;
  /** From 0, fully transparent, to 1. */
  readonly alpha: number;
}

export interface ColorScope {
  readonly scheme: Scheme;
  /** The value of a custom property in this place. */
  readonly property: (name: string) => string | undefined;
}

/** The first color in the value, which may be a shorthand; undefined if it has none, or one that cannot be computed here. */
export function colorIn(value: string, scope: ColorScope): ColorValue | undefined {
  const whole = resolved(value, scope);
  if (whole === undefined || /\b(?:url|gradient)\(|-gradient\(/.test(whole)) return undefined;
  for (const part of list.space(whole)) {
    const color = colorOf(part.toLowerCase(), scope);
    if (color !== undefined) return color;
  }
  return undefined;
}

/** The value with each var() replaced; undefined if one has no value. */
function resolved(value: string, { property }: ColorScope): string | undefined {
  let text = value;
  for (let round = 0; round < 20; round += 1) {
    const [whole, name = "", fallback] = /var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/.exec(text) ?? [];
    if (whole === undefined) return text;
    const known = property(name) ?? fallback?.trim();
    if (known === undefined) return undefined;
    text = text.replace(whole, () => known);
  }
  return undefined;
}

function colorOf(text: string, scope: ColorScope): ColorValue | undefined {
  const [, kind = "", inside = ""] = /^(light-dark|color-mix)\((.*)\)$/s.exec(text) ?? [];
  if (kind === "light-dark") {
    const [light = "", dark = ""] = list.comma(inside);
    return colorOf(scope.scheme === "light" ? light : dark, scope);
  }
  if (kind === "color-mix") return mixedColor(list.comma(inside), scope);
  const color = parsed(text);
  if (color === undefined) return undefined;
  const isFinite = Object.values(color).every((part) => typeof part !== "number" || Number.isFinite(part));
  return isFinite ? { color: formatHex(color), alpha: color.alpha ?? 1 } : undefined;
}

/** culori takes hexadecimal digits without a #, which CSS does not, and throws on some malformed functions. */
function parsed(text: string) {
  if (/^(?:transparent|[\da-f]+)$/.test(text)) return undefined;
  try {
    return parseColor(text);
  } catch {
    return undefined;
  }
}

function mixedColor([space, ...given]: readonly string[], scope: ColorScope): ColorValue | undefined {
  if (space !== "in srgb") return undefined;
  const [one, other] = given.map((part) => {
    const words = list.space(part);
    const share = words.find((word) => /^[\d.]+%$/.test(word));
    const color = colorOf(words.filter((word) => word !== share).join(" "), scope);
    return { color, share: share === undefined ? undefined : Number.parseFloat(share) / 100 };
  });
  if (one?.color?.alpha !== 1 || other?.color?.alpha !== 1) return undefined;
  const share = Math.min(1, one.share ?? 1 - Math.min(1, other.share ?? 0.5));
  return { color: mixed(one.color.color, other.color.color, share), alpha: 1 };
}
