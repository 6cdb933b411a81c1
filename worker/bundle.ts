// The workflows as one piece of code, which Temporal runs apart from everything else. Bundling takes two seconds of a
// core, so the piece is kept beside the packages and made again only when something that goes into it has changed.
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleWorkflowCode, type WorkflowBundle } from "@temporalio/worker";
import { ending, hashSources } from "../publish/press/module-graph.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const entry = `workflows/index${ending}`;
const cacheFolder = join(root, "node_modules", ".cache", "almanac");

export async function bundleWorkflows(): Promise<{ codePath: string } | WorkflowBundle> {
  const codePath = join(cacheFolder, `workflows-${bundleKey()}.js`);
  if (existsSync(codePath)) return { codePath };
  const quiet = () => undefined;
  const bundle = await bundleWorkflowCode({
    workflowsPath: join(root, entry),
    logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  try {
    await keep(codePath, bundle.code);
    return { codePath };
  } catch {
    return bundle; // a checkout that may only be read bundles each time
  }
}

/** A hash of everything that goes into the bundle: our own sources, and the packages as the lock file names them. */
export function bundleKey(within = root): string {
  const hash = createHash("sha256").update(process.version);
  hashSources(hash, [entry, "package-lock.json"], within);
  return hash.digest("hex").slice(0, 16);
}

/** Writes the bundle whole or not at all, because several workers may start at once. */
async function keep(path: string, code: string) {
  await mkdir(cacheFolder, { recursive: true });
  const aside = `${path}.${randomUUID()}`;
  await writeFile(aside, code);
  await rename(aside, path);
}
