// What a stylesheet says of which elements, in light and in dark: its declarations, with their lines, in the order of the cascade.
import { lineAt } from "../../theme/theme-mistakes.ts";

export const schemes = ["light", "dark"] as const;
export type Scheme = (typeof schemes)[number];

export interface StyleDeclaration {
  readonly selector: string;
  readonly property: string;
  readonly value: string;
  readonly file: string;
  readonly line: number;
  /** On a screen in which of the two it holds. */
  readonly schemes: readonly Scheme[];
}

interface Block {
  readonly selectors: readonly string[];
  readonly schemes: readonly Scheme[];
}

const grouping = /^@(?:media|supports|layer|container|scope|starting-style)\b/;

/** Blocks within blocks are taken apart; what is in @font-face, @keyframes and their like styles no element. */
export function declarationsIn(css: string, file: string): StyleDeclaration[] {
  const text = css.replaceAll(/\/\*.*?\*\//gs, (comment) => comment.replaceAll(/[^\n]/g, " "));
  const found: StyleDeclaration[] = [];
  const open: Block[] = [{ selectors: [], schemes }];
  let start = 0;
  // A whole text in quotes is passed over, so that what stands in it ends nothing.
  for (const { 0: token, index } of text.matchAll(/"[^"\n]*"|'[^'\n]*'|[{};]/g)) {
    if (token.length > 1) continue;
    const said = text.slice(start, index);
    const line = lineAt(text, start + said.search(/\S|$/));
    const block = open.at(-1);
    if (token === "{") open.push(blockIn(block ?? { selectors: [], schemes }, said.trim()));
    else if (block !== undefined) found.push(...declared(block, said.trim(), { file, line }));
    if (token === "}" && open.length > 1) open.pop();
    start = index + 1;
  }
  return found;
}

function blockIn({ selectors, schemes: outer }: Block, prelude: string): Block {
  if (prelude.startsWith("@")) {
    const within = grouping.test(prelude) ? outer : [];
    return { selectors, schemes: within.filter((scheme) => isIn(prelude, scheme)) };
  }
  const own = prelude.split(/,(?![^(]*\))/).map((one) => one.trim().replaceAll(/\s+/g, " "));
  if (selectors.length === 0) return { selectors: own, schemes: outer };
  const nested = selectors.flatMap((parent) =>
    own.map((one) => (one.includes("&") ? one.replaceAll("&", parent) : `${parent} ${one}`)),
  );
  return { selectors: nested, schemes: outer };
}

function isIn(prelude: string, scheme: Scheme) {
  if (/\bprint\b/.test(prelude) && !/\bscreen\b/.test(prelude)) return false;
  const [, only = scheme] = /prefers-color-scheme:\s*(light|dark)/.exec(prelude) ?? [];
  return only === scheme;
}

function declared(
  { selectors, schemes: within }: Block,
  said: string,
  { file, line }: Pick<StyleDeclaration, "file" | "line">,
): StyleDeclaration[] {
  const [, property = "", written = ""] = /^([\w-]+)\s*:\s*(.*)$/s.exec(said) ?? [];
  if (property === "" || within.length === 0) return [];
  const name = property.startsWith("--") ? property : property.toLowerCase();
  const value = written.replace(/\s*!important\s*$/i, "").trim();
  return selectors.map((selector) => ({ selector, property: name, value, file, line, schemes: within }));
}
