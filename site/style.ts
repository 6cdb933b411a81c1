// The style and the scripts that are part of every page, and the content security policy that allows nothing else.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Script } from "../readings/tables.ts";
import { knownPictureHosts } from "../readings/picture-hosts.ts";
import { siteRootOf, Address } from "./address.ts";
import type { SiteSettings } from "./edition.ts";
import { type Markup, ownMarkup } from "./html.ts";
import { colorStyle } from "./palette.ts";
import { pathOf } from "./paths.ts";
import type { TextPiece, Theme, ThemeFont } from "./theme/theme.ts";

const baseStyle = inFewLetters(new URL("style.css", import.meta.url));

function inFewLetters(file: URL): string {
  return readFileSync(file, "utf8")
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s*([{};,>])\s*/g, "$1")
    .replaceAll(/;\}|:\s+/g, (found) => (found.startsWith(";") ? "}" : ":"))
    .replaceAll(/\b0\.(?=\d)/g, ".")
    .trim();
}

/** The script's typography, our stylesheet, then the theme's colors and styles. */
export function styleFor(script: Script, { theme, url }: SiteSettings): string {
  const own = themeStyle(script, siteRootOf(url).root, theme);
  return scriptStyle(script) + baseStyle + colorStyle(theme?.colors) + own;
}

/** The head's part that all documents of a language have. */
export interface Dress {
  readonly style: Uint8Array;
  /** Sources that every document may load; a page may load more. */
  readonly sources: PolicySources;
  readonly policy: string;
}

/**
 * The style's hash lets it in; no other style, no script, no frame and no form gets past the policy. `connect-src` is for
 * Lighthouse, which reads robots.txt from within the page: without scripts nothing else makes use of it.
 */
export function dressFor(script: Script, settings: SiteSettings): Dress {
  const css = styleFor(script, settings);
  const hosts = settings.pictureHosts ?? knownPictureHosts;
  const sources: PolicySources = {
    "default-src": ["'none'"],
    "style-src": [sourceOf(css)],
    "img-src": ["'self'", ...hosts.map((host) => `https://${host}`)],
    "connect-src": ["'self'"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    "font-src": css.includes("@font-face") ? ["'self'"] : [],
  };
  return { style: new TextEncoder().encode(`<style>${css}</style>`), sources, policy: policyOf(sources) };
}

/** A style or script as a content security policy names it. */
function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const framed = inFewLetters(new URL("embed.css", import.meta.url));

/** The additional style of a card for a frame: its layout in the frame, independent of the site's style. */
export const framedDress: Pick<Dress, "style" | "sources"> = {
  style: new TextEncoder().encode(`<style>${framed}</style>`),
  sources: { "style-src": [sourceOf(framed)] },
};

// The scripts of site/scripts/. Each adds to a page that works without it, is part of the page, and is allowed by its hash. A script
// requests only the site's own files and stores data only on the reader's device. "onward" is a set of speculation rules: the browser
// fetches the page that a reader is about to open.
const scriptNames = ["share", "signs", "my-signs", "pair", "draw"] as const;
export type PageScript = (typeof scriptNames)[number] | "onward";

interface MadeScript {
  readonly element: Markup;
  readonly source: string;
}

/**
 * Fetches a page of the site on pointer-down on a link, not earlier, because most links are never followed. The page is not
 * prerendered, so analytics of an owner's theme count no page that nobody saw.
 */
const onward = JSON.stringify({
  prefetch: [{ where: { href_matches: "/*" }, eagerness: "conservative" }],
});

const madeScripts = new Map<PageScript, MadeScript>([
  ...scriptNames.map((name) => [name, made(scriptIn(name))] as const),
  ["onward", made(onward, ' type="speculationrules"')],
]);

function scriptIn(name: (typeof scriptNames)[number]) {
  return readFileSync(new URL(`scripts/${name}.js`, import.meta.url), "utf8")
    .replaceAll(/^\s*\/\/.*\n/gm, "")
    .replaceAll(/^\s+/gm, "")
    .replaceAll(/ ?([=<>?:;,+&|(){}]+) ?/g, "$1")
    .trim();
}

function made(text: string, attributes = ""): MadeScript {
  return { element: ownMarkup(`<script${attributes}>${text}</script>`), source: sourceOf(text) };
}

/** The script as an element of a page, which must list it in `scripts`. */
export function scriptElement(name: PageScript): Markup | undefined {
  return madeScripts.get(name)?.element;
}

export function scriptSources(names: readonly PageScript[]): string[] {
  return names.flatMap((name) => madeScripts.get(name)?.source ?? []);
}

// A page's content security policy, kept as a value until it is written: a page may load the sum of what its parts need.
const directives = [
  "default-src",
  "style-src",
  "img-src",
  "connect-src",
  "base-uri",
  "form-action",
  "script-src",
  "font-src",
  "frame-src",
  "media-src",
  "manifest-src",
] as const;
type Directive = (typeof directives)[number];

export type PolicySources = Readonly<Partial<Record<Directive, readonly string[]>>>;

/** The policy that allows exactly the sources of these. */
export function policyOf(...allowed: readonly PolicySources[]): string {
  return directives
    .flatMap((directive) => {
      const all = new Set(allowed.flatMap((sources) => sources[directive] ?? []));
      if (all.size > 1) all.delete("'none'");
      return all.size === 0 ? [] : `${directive} ${[...all].join(" ")}`;
    })
    .join(";");
}

// The typography of each script: fonts that are already on the reader's device, the space between lines, and whether it has
// small capitals and letter-spacing at all (joined scripts fall apart when spaced).
interface Setting {
  /** Serif fonts of the script first, then the fonts that each system is sure to have. */
  readonly face: string;
  readonly leading: number;
  /** The line height of large headings, in which marks above and below need room too. */
  readonly tight: number;
  /** The size of large headings to those of other scripts: where letters are wide and words long, one has to fit a phone. */
  readonly wide?: number;
  readonly capitals: boolean;
}

const latin = {
  face: '"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua","URW Palladio L","Noto Serif",Georgia,serif',
  leading: 1.58,
  tight: 1.12,
  capitals: true,
} as const;
const slavic = { ...latin, face: '"Palatino Linotype","PT Serif",Georgia,"Noto Serif",serif', leading: 1.6 };

const settings: Readonly<Record<Script, Setting>> = {
  Latin: latin,
  Cyrillic: slavic,
  Greek: slavic,
  Devanagari: indic(
    '"Noto Serif Devanagari","Kohinoor Devanagari","ITF Devanagari","Nirmala UI",Mangal',
    1.78,
  ),
  Bengali: indic('"Noto Serif Bengali","Kohinoor Bangla","Bangla Sangam MN","Nirmala UI",Vrinda', 1.75),
  Gujarati: indic('"Noto Serif Gujarati","Kohinoor Gujarati","Gujarati Sangam MN","Nirmala UI",Shruti', 1.75),
  Tamil: { ...indic('"Noto Serif Tamil","Tamil Sangam MN","Nirmala UI",Latha', 1.8), wide: 0.76 },
  Telugu: indic('"Noto Serif Telugu","Kohinoor Telugu","Telugu Sangam MN","Nirmala UI",Gautami', 1.85),
  Kannada: indic('"Noto Serif Kannada","Kannada Sangam MN","Nirmala UI",Tunga', 1.85),
  Malayalam: {
    ...indic('"Noto Serif Malayalam","Malayalam Sangam MN","Nirmala UI",Kartika', 1.85),
    wide: 0.85,
  },
  Arabic: indic('"Noto Naskh Arabic","Geeza Pro","Sakkal Majalla","Traditional Arabic"', 1.9),
  Han: indic('"Noto Serif CJK SC","Source Han Serif SC","Songti SC",STSong,"Microsoft YaHei"', 1.85),
  Japanese: indic('"Noto Serif CJK JP","Hiragino Mincho ProN","Yu Mincho",YuMincho', 1.85),
};

function indic(face: string, leading: number): Setting {
  return { face: `${face},"Noto Serif",serif`, leading, tight: 1.4, capitals: false };
}

export function settingOf(script: Script): Setting {
  return settings[script];
}

export function scriptStyle(script: Script): string {
  const { face, leading, tight, wide = 1, capitals } = settingOf(script);
  const caps = capitals ? "--caps:all-small-caps;--spacing:.07em" : "--caps:normal;--spacing:0";
  return `:root{--face:${face};--leading:${leading};--tight:${tight};--wide:${wide};${caps}}`;
}

// The theme's part of a page's style: its fonts, then its custom properties, then its stylesheets.
/** `root` is the beginning of every address of the site. */
function themeStyle(script: Script, root: string, theme: Theme | undefined): string {
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

/** Styles that only the owner's pages need. */
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
