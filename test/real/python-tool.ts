// A tool of PyPI, fetched once into the user's cache with all that it needs, each by its hash.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const remedy = "python3 of 3.11 or later with pip has to be there: `apt-get install python3-pip`";

/** The folder that `PYTHONPATH` has to name. */
export async function pythonTool(name: string, requirements: string): Promise<string> {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "almanac");
  const { stdout } = await python(["-c", "import sys; print(sys.implementation.cache_tag)"]);
  const pinned = createHash("sha256")
    .update(await readFile(requirements))
    .digest("hex");
  const target = join(cache, `${name}-${stdout.trim()}-${pinned.slice(0, 12)}`);
  if (existsSync(target)) return target;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "fetching-"));
  try {
    const pip = ["-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--quiet"];
    await python([...pip, "--require-hashes", "--target", join(folder, name), "--requirement", requirements]);
    await rename(join(folder, name), target);
  } catch (error) {
    if (!existsSync(target)) throw error; // another process was first
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return target;
}

async function python(words: readonly string[]) {
  return run("python3", words).catch((cause: unknown) => {
    throw new Error(`python3 ${words.slice(0, 3).join(" ")} failed; ${remedy}`, { cause });
  });
}
