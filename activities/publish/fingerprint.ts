// What presses here, as one word: the templates and texts under site/, the client that is published with them, the site's
// settings, and the Unicode data by which dates are written. Where it differs from the published one, the current pages
// are pressed again.
import { readdirSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SiteSettings } from "../../site/press.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));

/** `within` is where the folders are that press reads. */
export function fingerprintOf(settings: SiteSettings, within = project): string {
  const hash = createHash("sha256");
  for (const folder of ["site", "client"]) {
    for (const name of readdirSync(join(within, folder), { recursive: true, encoding: "utf8" }).sort()) {
      if (!/\.(?:ts|js|css|svg|png|json)$/.test(name)) continue;
      hash.update(`${folder}/${name}\0`).update(readFileSync(join(within, folder, name)));
    }
  }
  hash.update(JSON.stringify(settings)).update(process.versions["icu"] ?? "");
  return `sha256-${hash.digest("hex")}`;
}
