// Location of the tests' Chromium. A machine without one gets it from npm's @sparticuz/chromium, for Linux: it is downloaded once
// into the user's cache and shared by every clone.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { isExecutable, onPath } from "./on-path.ts";

const version = "153.0.0";
const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** The one that is named, else the machine's own, else one that is fetched. */
export function findBrowser(): string {
  const { CHROMIUM_PATH } = process.env;
  const found = CHROMIUM_PATH ?? onPath(...names);
  if (found === undefined) return fetchedChromium();
  if (isExecutable(found)) return found;
  throw new Error(
    `CHROMIUM_PATH names ${found}, which can't be run: name another, or none to have one found`,
  );
}

/** Simulates a missing network: these host names don't resolve. Default: all. */
export function launchBrowser(unknown = "*"): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-dev-shm-usage", `--host-resolver-rules=MAP ${unknown} ~NOTFOUND`];
  return chromium.launch({ executablePath: findBrowser(), args });
}

function fetchedChromium(): string {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "almanac");
  const folder = join(cache, `chromium-${version}-${process.platform}-${process.arch}`);
  const path = join(folder, "chromium");
  if (!existsSync(path)) fetchInto(folder);
  if (!existsSync("/etc/fonts")) process.env["FONTCONFIG_PATH"] ??= join(folder, "fonts");
  return path;
}

/** Whole or not at all: several tests may fetch it at once, and the first one's stays. */
function fetchInto(folder: string): void {
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    const wanted = `@sparticuz/chromium@${version}`;
    run("npm", ["install", "--prefix", work, "--no-save", "--ignore-scripts", "--no-audit", wanted], work);
    const module = join(work, "node_modules/@sparticuz/chromium/build/index.js");
    const unpack = `import chromium from ${JSON.stringify(module)}; await chromium.executablePath();`;
    run(process.execPath, ["--input-type=module", "--eval", unpack], work);
    rmSync(join(work, "node_modules"), { recursive: true });
    if (!existsSync(folder)) renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[], folder: string): void {
  const { status, stderr } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, TMPDIR: folder }, // it unpacks itself into there
  });
  if (status !== 0)
    throw new Error(
      `Chromium is not on this machine, and fetching one failed (${stderr.trim().split("\n").at(-1) ?? ""}): ` +
        "`apt-get install chromium`, or name one in CHROMIUM_PATH",
    );
}
