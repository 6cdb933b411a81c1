// A real Temporal server: in memory for all test files of a process, or one file's own, on a SQLite file where a test kills
// and restarts it.
import { execFile, spawn } from "node:child_process";
import { Socket } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cacheFolderIn, findTemporal } from "../../worker/temporal/temporal-executable.ts";
import {
  startTemporal,
  type StartTemporalOptions,
  type TemporalServer,
} from "../../worker/temporal/temporal-server.ts";
import { awayFromMidnight } from "./noon.ts";
import { type AtEnd, atItsEnd } from "./ends.ts";
import { until } from "./until.ts";

export type SharedTemporal = Awaited<ReturnType<typeof startShared>>;
export type TestTemporal = Awaited<ReturnType<typeof temporalForTests>>;

/** The executable, from wherever this machine has it; a missing one fails with its remedy. */
export async function temporalExecutable(): Promise<string> {
  const { path } = await findTemporal({
    cliPath: process.env["TEMPORAL_CLI_PATH"],
    path: process.env["PATH"] ?? "",
    cacheFolder: cacheFolderIn(process.env["XDG_CACHE_HOME"]),
  });
  return path;
}

let shared: Promise<SharedTemporal> | undefined;

/**
 * The server that this process's test files share: each file uses a unique site, and so unique queues and workflows. Nobody kills
 * it, but it ends with the process, however that ends. At the top of a file: two starts of one night are the same run only on the
 * same day, so a file must finish its work before the day ends.
 */
export async function sharedTemporal(): Promise<SharedTemporal> {
  await awayFromMidnight();
  return (shared ??= startShared());
}

async function startShared() {
  const executable = await temporalExecutable();
  const folder = await mkdtemp(join(tmpdir(), "almanac-temporal-"));
  const { address, uiUrl, pid } = await startTemporal({ executable, folder });
  // Its input closes with this process. It has a separate session, because Ctrl-C does not end this process yet.
  const words = ["-c", 'read line; kill -9 "$1"; rm -rf "$2"', "keeper", String(pid), folder];
  const keeper = spawn("sh", words, { stdio: ["pipe", "ignore", "ignore"], detached: true });
  keeper.unref();
  if (keeper.stdin instanceof Socket) keeper.stdin.unref();
  return { address, uiUrl, executable };
}

/** Call it at the top of a test file (`const temporal = await temporalForTests()`), with which it ends, or in a test. */
export async function temporalForTests(
  { database, words }: Pick<StartTemporalOptions, "words"> & { database?: "file" } = {},
  atEnd: AtEnd = atItsEnd,
) {
  const executable = await temporalExecutable();
  const folder = await mkdtemp(join(tmpdir(), "almanac-temporal-"));
  const databasePath = database === "file" ? join(folder, "temporal.sqlite") : undefined;
  const start = async (port?: number, uiPort?: number): Promise<TemporalServer> =>
    startTemporal({ executable, folder, databasePath, words, port, uiPort });
  let server = await start();
  const { address, uiUrl } = server;
  const killNow = () => server.kill();
  process.once("exit", killNow); // also when the tests themselves are cut short

  /** SIGKILL; done when the process has gone. */
  const kill = () => server.stop();
  const restart = async () => {
    await kill();
    server = await start(portOf(address), portOf(uiUrl));
    if (server.address !== address) throw new Error(`${address} was taken meanwhile`);
  };
  /** Starts it again on the same address. */
  const restartOnSameDatabase = async () => {
    if (databasePath === undefined)
      throw new Error('a server in memory has no database: ask for { database: "file" }');
    await restart();
  };
  /** Starts it again on the same address, without all that it knew. */
  const restartEmpty = async () => {
    if (databasePath !== undefined) await rm(databasePath, { force: true });
    await restart();
  };
  atEnd(async () => {
    await kill(); // a graceful stop takes 3 s, and nobody needs this server's memory
    process.off("exit", killNow);
    await rm(folder, { recursive: true, force: true });
  });
  return { address, uiUrl, executable, pid: () => server.pid, kill, restartOnSameDatabase, restartEmpty };
}

interface Deployment {
  readonly address: string;
  /** The site's id. */
  readonly id: string;
}

/** The step of a deploy in docs/deployment.md. Refused until the version's workers have asked for work on each of the queues. */
export async function makeCurrent(
  { address, id }: Deployment,
  buildId: string,
  withinMs?: number,
): Promise<void> {
  const executable = await temporalExecutable();
  const words = ["worker", "deployment", "set-current-version", "--yes", "--address", address];
  const which = ["--deployment-name", id, "--build-id", buildId];
  let why = "";
  const isSet = () =>
    promisify(execFile)(executable, [...words, ...which]).then(
      () => true,
      (error: unknown) => {
        why = String(error);
        return false;
      },
    );
  await until(`version ${buildId} to become current`, isSet, withinMs).catch((error: unknown) => {
    throw new Error(`${String(error)}; Temporal refused it: ${why}`, { cause: error });
  });
}

function portOf(place: string): number {
  return Number(place.slice(place.lastIndexOf(":") + 1));
}
