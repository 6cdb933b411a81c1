// The style that stands in every page, as text; document.ts puts it there.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Script } from "../readings/languages.ts";
import { knownPictureHosts } from "../readings/picture-hosts.ts";
import { siteRootOf } from "./address.ts";
import type { SiteSettings } from "./edition.ts";
import { colorStyle } from "./palette.ts";
import { type PolicySources, policyOf } from "./policy.ts";
import { scriptStyle } from "./script-typography.ts";
import { themeStyle } from "./theme/theme-style.ts";

const sheet = inFewLetters(new URL("style.css", import.meta.url));

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
  return scriptStyle(script) + sheet + colorStyle(theme?.colors) + own;
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

function sourceOf(css: string): string {
  return `'sha256-${createHash("sha256").update(css).digest("base64")}'`;
}

const framed = inFewLetters(new URL("embed.css", import.meta.url));

/** What a card for a frame has besides: how it lies in the frame, whatever the site's own style is. */
export const framedDress: Pick<Dress, "style" | "sources"> = {
  style: new TextEncoder().encode(`<style>${framed}</style>`),
  sources: { "style-src": [sourceOf(framed)] },
};
