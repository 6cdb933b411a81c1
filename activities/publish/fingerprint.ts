// What presses here, as one word: the templates and texts under site/, the site's settings, and the Unicode data by which
// dates are written. Where it differs from the published one, the current pages are pressed again.
import { readdirSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type SiteSettings } from "../../site/press.ts";

const folder = fileURLToPath(new URL("../../site/", import.meta.url));

export function fingerprintOf(settings: SiteSettings): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (/\.(?:ts|css|svg|json)$/.test(name)) hash.update(`${name}\0`).update(readFileSync(folder + name));
  }
  hash.update(JSON.stringify(settings)).update(process.versions["icu"] ?? "");
  return `sha256-${hash.digest("hex")}`;
}
