// The code of an earlier commit in a folder of its own, as a clone of then has it.
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const packageShape = z.object({ dependencies: z.record(z.string(), z.string()) });
const installedShape = z.object({ version: z.string() });

/** The path of its command. `folder` is made. */
export async function earlierCode(commit: string, folder: string): Promise<string> {
  const archive = `${folder}.tar`;
  await run("git", ["archive", `--output=${archive}`, commit], { cwd: root }).catch((cause: unknown) => {
    const remedy = "the clone has to have its whole history: `git fetch --unshallow`";
    throw new Error(`${commit} can't be had, and ${remedy}`, { cause });
  });
  await mkdir(folder, { recursive: true });
  await run("tar", ["-xf", archive, "-C", folder]);
  // As long as the packages here are the very ones that it names, they serve it too, which spares it an installation.
  if (await areInstalledHere(folder)) await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  else await run("npm", ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
  return join(folder, "scripts/almanac.js");
}

async function areInstalledHere(folder: string): Promise<boolean> {
  const { dependencies } = packageShape.parse(
    JSON.parse(await readFile(join(folder, "package.json"), "utf8")),
  );
  for (const [name, version] of Object.entries(dependencies)) {
    const path = join(root, "node_modules", name, "package.json");
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text === undefined || installedShape.parse(JSON.parse(text)).version !== version) return false;
  }
  return true;
}
