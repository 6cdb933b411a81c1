// The style and the scripts that are part of every page, and the content security policy that allows nothing else.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Script } from "../readings/languages.ts";
import { knownPictureHosts } from "../readings/picture-hosts.ts";
import { siteRootOf } from "./address.ts";
import type { SiteSettings } from "./edition.ts";
import { type Markup, ownMarkup } from "./html.ts";
import { colorStyle } from "./palette.ts";
import { scriptStyle } from "./script-typography.ts";
import { themeStyle } from "./theme/theme-style.ts";

const baseStyle = inFewLetters(new URL("style.css", import.meta.url));

function inFewLetters(file: URL): string {
  return readFileSync(file, "utf8")
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s*([{};,>])\s*/g, "$1")
    .replaceAll(/;\}|:\s+/g, (found) => (found.startsWith(";") ? "}" : ":"))
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
  /** What every document may load; a page may load more. */
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
const scriptNames = ["share", "birthday", "draw"] as const;
export type PageScript = (typeof scriptNames)[number] | "onward";

interface MadeScript {
  readonly element: Markup;
  readonly source: string;
}

/**
 * A page of the site is fetched when the pointer goes down on a link to it, not before: most links are never followed. It is not
 * opened, so that what an owner's theme measures counts no page that nobody saw.
 */
const onward = JSON.stringify({
  prefetch: [{ where: { href_matches: "/*" }, eagerness: "conservative" }],
});

const scripts = new Map<PageScript, MadeScript>([
  ...scriptNames.map((name) => [name, made(scriptIn(name))] as const),
  ["onward", made(onward, ' type="speculationrules"')],
]);

function scriptIn(name: (typeof scriptNames)[number]) {
  return readFileSync(new URL(`scripts/${name}.js`, import.meta.url), "utf8")
    .replaceAll(/^\s*\/\/.*\n/gm, "")
    .replaceAll(/^\s+/gm, "")
    .trim();
}

function made(text: string, attributes = ""): MadeScript {
  return { element: ownMarkup(`<script${attributes}>${text}</script>`), source: sourceOf(text) };
}

/** The script as an element of a page, which has to name it in `scripts`. */
export function scriptElement(name: PageScript): Markup | undefined {
  return scripts.get(name)?.element;
}

export function scriptSources(names: readonly PageScript[]): string[] {
  return names.flatMap((name) => scripts.get(name)?.source ?? []);
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

/** The policy that allows what each of these does, and nothing else. */
export function policyOf(...allowed: readonly PolicySources[]): string {
  return directives
    .flatMap((directive) => {
      const all = new Set(allowed.flatMap((sources) => sources[directive] ?? []));
      if (all.size > 1) all.delete("'none'");
      return all.size === 0 ? [] : `${directive} ${[...all].join(" ")}`;
    })
    .join(";");
}
