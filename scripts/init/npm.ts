// Chooses the package spec that npm installs as Almanac, and runs npm.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };
import { WrongUsage } from "../terminal/errors.ts";
import { say } from "../terminal/output.ts";

/** Thrown if npm fails. After a failed installation, the project's files are complete. */
export class NpmFailed extends Error {
  override readonly name = "NpmFailed";
}

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The package spec of Almanac. While the package is `private`, a registry package of its name is not ours. */
export async function packageSpec(named: string | undefined, folder: string): Promise<string> {
  if (named !== undefined) {
    const file = resolve(named);
    return existsSync(file) ? `file:${relative(folder, file).replaceAll("\\", "/")}` : named;
  }
  if (!packageJson.private) return packageJson.version;
  if (existsSync(join(root, "deploy/package/package.ts"))) return packCheckout(folder);
  throw new WrongUsage(
    "Almanac is not in the npm registry yet. Run `npm run package` in a checkout, and pass the file with --package",
  );
}

/** Copies the tarball into the project, so that `npm ci` finds it on every machine. */
async function packCheckout(folder: string): Promise<string> {
  say("packing Almanac from this checkout");
  const place = await mkdtemp(join(tmpdir(), "almanac-init-"));
  try {
    const ended = await runNpm(["run", "--silent", "package", "--", place], root, "ignore");
    const [file] = await readdir(place);
    if (ended !== 0 || file === undefined)
      throw new NpmFailed(`npm could not pack ${root}. See its messages above`);
    await mkdir(folder, { recursive: true });
    await copyFile(join(place, file), join(folder, file));
    return `file:${file}`;
  } finally {
    await rm(place, { recursive: true });
  }
}

/** Runs `npm install`, preferring npm's cache: `npx` has just fetched the same packages. */
export async function installPackages(folder: string): Promise<void> {
  const ended = await runNpm(["install", "--no-audit", "--no-fund", "--prefer-offline"], folder);
  if (ended === 0) return;
  throw new NpmFailed(
    `npm ended with ${String(ended)} in ${folder}. The project files are written. Fix the error that npm reports above, then run \`npm install\` there`,
  );
}

/** Runs npm with its output on stderr, unless it is ignored, and its errors there. Returns its exit code. */
export async function runNpm(
  words: readonly string[],
  folder: string,
  output: 2 | "ignore" = 2,
): Promise<unknown> {
  const npm = spawn("npm", words, {
    cwd: folder,
    stdio: ["ignore", output, 2],
    shell: process.platform === "win32",
  });
  const [ended]: unknown[] = await once(npm, "close").catch((error: unknown) => [String(error)]);
  return ended;
}
