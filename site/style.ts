// The style that stands in every page, as text; document.ts puts it there.
import { readFileSync } from "node:fs";
import type { Script } from "../readings/languages.ts";
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
