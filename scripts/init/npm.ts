// What npm is to install as Almanac, and the installation.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { WrongUsage } from "../terminal/errors.ts";

/** Thrown where npm could not install: the files of the project are there. */
export class NpmFailed extends Error {
  override readonly name = "NpmFailed";
}

/**
 * As long as the package is `private` nobody has published it, and whatever a registry has by its name is not ours: what is to be
 * installed has to be said.
 */
export function packageSpec(named: string | undefined, folder: string): string {
  if (named !== undefined) {
    const file = resolve(named);
    return existsSync(file) ? `file:${relative(folder, file).replaceAll("\\", "/")}` : named;
  }
  if (!packageJson.private) return packageJson.version;
  throw new WrongUsage(
    "Almanac is in no registry yet: make its package with `npm pack` in the checkout, and name the file with --package",
  );
}

/** What was fetched to start this command is not fetched again. */
export async function installPackages(folder: string): Promise<void> {
  const ended = await runNpm(["install", "--no-audit", "--no-fund", "--prefer-offline"], folder);
  if (ended === 0) return;
  throw new NpmFailed(
    `npm ended with ${String(ended)} in ${folder}; the files are written: mend what it says, then run \`npm install\` there`,
  );
}

/** How npm ended. All that it says goes to stderr. */
export async function runNpm(words: readonly string[], folder: string): Promise<unknown> {
  const npm = spawn("npm", words, {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  const [ended]: unknown[] = await once(npm, "close").catch((error: unknown) => [String(error)]);
  return ended;
}
