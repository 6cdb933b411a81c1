// The style that stands in every page, as text; document.ts puts it there.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Script } from "../readings/languages.ts";
import { knownPictureHosts } from "../readings/picture-hosts.ts";
import type { SiteSettings } from "./edition.ts";
import { colorStyle } from "./palette.ts";
import { scriptStyle } from "./script-typography.ts";

const sheet = readFileSync(new URL("style.css", import.meta.url), "utf8")
  .replaceAll(/\/\*.*?\*\//gs, "")
  .replaceAll(/\s*([{};,>])\s*/g, "$1")
  .replaceAll(/;\}|:\s+/g, (found) => (found.startsWith(";") ? "}" : ":"))
  .trim();

/** The script's setting, the stylesheet, ours unless there is another, and the site's colours. */
export function styleFor(script: Script, { stylesheet, colors }: SiteSettings): string {
  return scriptStyle(script) + (stylesheet?.css ?? sheet) + colorStyle(colors);
}

/** The head's part that all documents of a language have. */
export interface Dress {
  readonly style: Uint8Array;
  readonly policy: string;
}

/**
 * The style's hash lets it in; no other style, no script, no frame and no form gets past the policy. `connect-src` is for
 * Lighthouse, which reads robots.txt from within the page: without scripts nothing else makes use of it.
 */
export function dressFor(script: Script, settings: SiteSettings): Dress {
  const css = styleFor(script, settings);
  const hash = createHash("sha256").update(css).digest("base64");
  const hosts = settings.pictureHosts ?? knownPictureHosts;
  const images = ["'self'", ...hosts.map((host) => `https://${host}`)].join(" ");
  return {
    style: new TextEncoder().encode(`<style>${css}</style>`),
    policy: `default-src 'none';style-src 'sha256-${hash}';img-src ${images};connect-src 'self';base-uri 'none';form-action 'none'`,
  };
}
