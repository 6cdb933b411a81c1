// The workflow bundle, which Temporal runs in a sandbox. Bundling takes two seconds of CPU time, so the bundle is cached in
// node_modules/.cache and rebuilt only if one of its inputs has changed. A package contains a prebuilt bundle.
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ending, hashSources } from "../publish/render/fingerprint.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const entry = `workflows/index${ending}`;
const installationHeader = `workflows/installation-header${ending}`;
const trace = `workflows/trace${ending}`;
const bundling = `worker/bundling${ending}`;
/** The bundle's path in a package. `npm run package` writes it; a checkout has none. */
export function bundledAhead(isTraced: boolean): string {
  return isTraced ? "workflows/bundle-traced.js" : "workflows/bundle.js";
}
const cacheFolder = join(root, "node_modules", ".cache", "almanac");

/**
 * Returns the code itself if the cache folder can't be written: a read-only checkout bundles at every start. Traced nights use
 * another bundle, so that tracing costs nothing where it is off.
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

/** Bundles in a child process, because bundling takes 120 MB. */
async function bundled(isTraced: boolean): Promise<string> {
  const words = [bundling, entry, ...interceptorsFor(isTraced)].map((path) => join(root, path));
  const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 2 ** 26 });
  return stdout;
}

/** Cache key: a hash of the Node version, of our own sources, and of the packages as the lock file names them. */
export function bundleKey(within = root, isTraced = false): string {
  const hash = createHash("sha256").update(process.version);
  hashSources(hash, [entry, ...interceptorsFor(isTraced), bundling, "package-lock.json"], within);
  return hash.digest("hex").slice(0, 16);
}

function interceptorsFor(isTraced: boolean): string[] {
  return isTraced ? [installationHeader, trace] : [installationHeader];
}

/** Writes the bundle whole or not at all, because several workers may start at once. */
async function keep(path: string, code: string) {
  await mkdir(cacheFolder, { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, code);
  await rename(temporary, path);
}
