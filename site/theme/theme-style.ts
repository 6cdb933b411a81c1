// The theme's part of a page's style: its fonts, then its custom properties, then its stylesheets.
import type { Script } from "../../readings/languages.ts";
import { Address } from "../address.ts";
import { pathOf } from "../paths.ts";
import { settingOf } from "../script-typography.ts";
import type { TextPiece, Theme, ThemeFont } from "./theme.ts";

/** `root` is the beginning of every address of the site. */
export function themeStyle(script: Script, root: string, theme: Theme | undefined): string {
  if (theme === undefined) return "";
  const fonts = theme.fonts.filter(({ scripts }) => scripts.includes(script));
  const families = [...new Set(fonts.map(({ family }) => `"${family}"`))];
  const face = families.length === 0 ? [] : [["--face", [...families, settingOf(script).face].join(",")]];
  const properties = [...face, ...Object.entries(theme.properties)].map(
    ([name, value]) => `${name}:${value}`,
  );
  return [
    ...fonts.map((font) => fontFace(font, root)),
    properties.length === 0 ? "" : `:root{${properties.join(";")}}`,
    theme.pages.length === 0 ? "" : pageStyle,
    ...theme.styles.flatMap(({ pieces }) => pieces.map((piece) => written(piece, root))),
  ].join("");
}

/** What the owner's pages have and ours do not. */
const pageStyle =
  ".own>*+*{margin-top:.6em}.own ul{list-style:disc;padding-inline-start:1.4em}.own ol{list-style:decimal;padding-inline-start:1.6em}" +
  ".own blockquote{border-inline-start:2px solid var(--line);padding-inline-start:1em}.own img{max-width:100%;height:auto}" +
  ".own pre{overflow-x:auto}.own td,.own th{text-align:start;padding:.2em .8em .2em 0}";

function fontFace({ family, at, weight, style, display }: ThemeFont, root: string) {
  const { href } = Address.own(root, pathOf(at));
  return `@font-face{font-family:"${family}";src:url(${href}) format("woff2");font-weight:${weight};font-style:${style};font-display:${display}}`;
}

function written(piece: TextPiece, root: string) {
  if (typeof piece === "string") return piece;
  return "file" in piece ? Address.own(root, pathOf(piece.file)).href : "";
}
