// The fingerprint, a hash of everything that decides how files are rendered: the templates and texts, the client that is published
// with them, the site's settings, and the Unicode data by which dates are written. If it differs from the published one, the current
// pages are rendered again.
import { createHash, type Hash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { readdirSync, readFileSync } from "node:fs";
import { extname, posix } from "node:path";
import type { SiteSettings } from "../../site/edition.ts";

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

/** How the files of this code end: they run as they are written, or compiled. */
export const ending = extname(import.meta.filename);

const imported = /\b(?:import|export)\s+(?!type\s)[^"';]*?\bfrom\s*["'](\.[^"']+)["']/g;
const importedAlone = /\bimport\s*\(?\s*["'](\.[^"']+)["']/g;
/**
 * Matches up to the first interpolated part, because the read may be any file of that folder. A path of dots and slashes only is
 * the root of all code, and reads none of it.
 */
const read = /\bnew URL\(\s*["'`](?![./]*["'`])([^"'`$]+)[^;]*?,\s*import\.meta\.url/g;

/** Each file's bytes, by its path from `within` on, in the order of their paths; a folder ends in a slash. */
export function sourcesOf(entries: readonly string[], within: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  const look = (path: string): void => {
    if (found.has(path)) return;
    if (path.endsWith("/")) return namesIn(posix.join(within, path)).forEach((name) => look(path + name));
    const bytes = readFileSync(posix.join(within, path));
    found.set(path, bytes);
    if (/\.[jt]s$/.test(path)) neededBy(path, bytes.toString()).forEach(look);
  };
  entries.forEach(look);
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Those of folders end in a slash. */
function namesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).map((one) =>
    one.isDirectory() ? `${one.name}/` : one.name,
  );
}

function neededBy(path: string, code: string): string[] {
  return [imported, importedAlone, read].flatMap((pattern) =>
    Array.from(code.matchAll(pattern), ([, to = ""]) => posix.join(posix.dirname(path), to)),
  );
}

export function hashSources(hash: Hash, entries: readonly string[], within: string): void {
  for (const [path, bytes] of sourcesOf(entries, within)) hash.update(`${path}\0`).update(bytes);
}
