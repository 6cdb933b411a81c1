// The workflows as one piece of code, which Temporal runs apart from everything else. Bundling takes two seconds of a
// core, so the piece is kept beside the packages and made again only when something that goes into it has changed. A package has
// it made ahead.
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ending, hashSources } from "../publish/press/module-graph.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const entry = `workflows/index${ending}`;
const placeHeader = `workflows/place-header${ending}`;
const trace = `workflows/trace${ending}`;
const bundling = `worker/bundling${ending}`;
/** Where a package has the piece: `npm run package` puts it there, and in a checkout there is none. */
export function bundledAhead(isTraced: boolean): string {
  return isTraced ? "workflows/bundle-traced.js" : "workflows/bundle.js";
}
const cacheFolder = join(root, "node_modules", ".cache", "almanac");

/**
 * The code itself where it can't be kept: a checkout that may only be read bundles at every start. Where nights are traced it is
 * another piece, so that they cost nobody else anything.
 */
export async function bundleWorkflows(isTraced = false): Promise<{ codePath: string } | { code: string }> {
  const ahead = join(root, bundledAhead(isTraced));
  if (existsSync(ahead)) return { codePath: ahead };
  const codePath = join(cacheFolder, `workflows-${bundleKey(root, isTraced)}.js`);
  if (existsSync(codePath)) return { codePath };
  const code = await bundled(isTraced);
  try {
    await keep(codePath, code);
    return { codePath };
  } catch {
    return { code };
  }
}

/** Made in a process of its own, since it takes 120 MB. */
export async function bundled(isTraced: boolean): Promise<string> {
  const words = [bundling, entry, ...interceptorsFor(isTraced)].map((path) => join(root, path));
  const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 2 ** 26 });
  return stdout;
}

/** A hash of everything that goes into the bundle: our own sources, and the packages as the lock file names them. */
export function bundleKey(within = root, isTraced = false): string {
  const hash = createHash("sha256").update(process.version);
  hashSources(hash, [entry, ...interceptorsFor(isTraced), bundling, "package-lock.json"], within);
  return hash.digest("hex").slice(0, 16);
}

function interceptorsFor(isTraced: boolean): string[] {
  return isTraced ? [placeHeader, trace] : [placeHeader];
}

/** Writes the bundle whole or not at all, because several workers may start at once. */
async function keep(path: string, code: string) {
  await mkdir(cacheFolder, { recursive: true });
  const aside = `${path}.${randomUUID()}`;
  await writeFile(aside, code);
  await rename(aside, path);
}
