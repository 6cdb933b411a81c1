// What presses here, as one word: the templates and texts under site/, the client that is published with them, the site's
// settings, and the Unicode data by which dates are written. Where it differs from the published one, the current pages
// are pressed again.
import { readdirSync, readFileSync } from "node:fs";
import { createHash, type Hash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SiteSettings } from "../../site/press.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));

/** `within` is where the folders are that press reads. */
export function fingerprintOf(settings: SiteSettings, within = project): string {
  const hash = createHash("sha256");
  addSources(hash, ["site", "client"], within);
  hash.update(JSON.stringify(settings)).update(process.versions["icu"] ?? "");
  return `sha256-${hash.digest("hex")}`;
}

/**
 * What decides besides which bytes come out: how captures are read, judged and put together, the packages, which are named
 * with their exact versions, and Node with all that it brings along, time zones among them.
 */
export function workingsOf(versions: NodeJS.ProcessVersions = process.versions, within = project): string {
  const hash = createHash("sha256");
  addSources(hash, ["readings", "vault", "service", "publish"], within);
  hash.update(readFileSync(join(within, "package.json"))).update(JSON.stringify(versions));
  return `sha256-${hash.digest("hex")}`;
}

function addSources(hash: Hash, folders: readonly string[], within: string): void {
  for (const folder of folders) {
    for (const name of readdirSync(join(within, folder), { recursive: true, encoding: "utf8" }).sort()) {
      if (!/\.(?:ts|js|css|svg|png|json)$/.test(name)) continue;
      hash.update(`${folder}/${name}\0`).update(readFileSync(join(within, folder, name)));
    }
  }
}
