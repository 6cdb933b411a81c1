// Programs that are built of Go modules, at versions that stand here: once, into the cache of other fetched programs.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { holdLock } from "../../store/lock.ts";
import { cacheFolderIn } from "../../worker/temporal/temporal-executable.ts";
import { isExecutable, onPath } from "../support/on-path.ts";

export interface GoBuild {
  /** Product and version, such as "Kubernetes 1.34.4". */
  readonly what: string;
  /** The name of its folder: another one for each version. */
  readonly name: string;
  /** Copies the results into the folder in which Go runs. */
  readonly build: (folder: string, go: RunGo) => Promise<unknown>;
}

/** Returns Go's output. */
export type RunGo = (...words: readonly string[]) => Promise<string>;

const buildMs = 40 * 60_000; // on two free cores some minutes
const failure = z.object({ stderr: z.string() });
const remedy = "put Go 1.25 or later on PATH (https://go.dev/dl, or Debian's golang-go from 14 on)";

/** Folder of the build results. */
export async function goBuilt({ what, name, build }: GoBuild): Promise<string> {
  const cacheFolder = cacheFolderIn(process.env["XDG_CACHE_HOME"]);
  const folder = join(cacheFolder, `${name}-${process.platform}-${process.arch}`);
  if (existsSync(folder)) return folder;
  await mkdir(cacheFolder, { recursive: true });
  using _held = await holdLock(`${folder}.lock`, buildMs);
  if (existsSync(folder)) return folder;
  const go = onPath("go") ?? ["/usr/local/go/bin/go"].find(isExecutable);
  if (go === undefined) throw new Error(`${what} is built of its Go modules: ${remedy}`);
  const temporary = await mkdtemp(join(cacheFolder, "building-"));
  try {
    console.log(`${what} is built of its Go modules: that takes some minutes, this once`);
    await build(temporary, goIn(temporary, go));
    await rename(temporary, folder);
    return folder;
  } catch (cause) {
    const said = failure.safeParse(cause).data?.stderr.trim();
    throw new Error(`${what} is built of its Go modules, and that failed: ${said ?? String(cause)}`, {
      cause,
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function goIn(folder: string, go: string): RunGo {
  // Uses the installed Go only: it would download another version by itself.
  const settings = { GOBIN: folder, GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local", GOWORK: "off" };
  const env = { ...process.env, ...settings, PATH: `${process.env["PATH"]}:${dirname(go)}` };
  const options = { cwd: folder, env, timeout: buildMs, maxBuffer: 2 ** 26 };
  return async (...words) => (await promisify(execFile)(go, words, options)).stdout;
}
