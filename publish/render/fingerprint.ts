// The fingerprint, a hash of everything that decides how files are rendered: the templates and texts, the client that is published with them, the site's
// settings, and the Unicode data by which dates are written. Where it differs from the published one, the current pages are
// rendered again.
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { SiteSettings } from "../../site/render.ts";
import { ending, hashSources } from "./module-graph.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));

/** `within` is the folder of the code. */
export function fingerprintOf(settings: SiteSettings, within = project): string {
  const hash = createHash("sha256");
  hashSources(hash, [`site/render${ending}`], within);
  const { theme, ...given } = settings;
  const said = theme === undefined ? given : { ...given, theme: theme.hash };
  hash.update(JSON.stringify(said)).update(process.versions["icu"] ?? "");
  return `sha256-${hash.digest("hex")}`;
}

/**
 * A hash of all else that decides which bytes come out: the code that loads stored responses, judges them and adds pictures, the
 * packages with their exact versions, and Node with its own data, such as time zones.
 */
export function workingsOf(versions: NodeJS.ProcessVersions = process.versions, within = project): string {
  const hash = createHash("sha256");
  const parts = ["publish/publish", "readings/quality", "service/pictures/mirror"];
  hashSources(hash, [...parts.map((part) => part + ending), "package.json"], within);
  return `sha256-${hash.update(JSON.stringify(versions)).digest("hex")}`;
}
