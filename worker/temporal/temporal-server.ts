// The Temporal server of `almanac local`: one for each state folder, on a SQLite file. `local.json` records where it runs, for other
// commands and for the next start, which ends a server that a killed run left. Process ids are reused, so an id read from a file does
// not prove that its process still runs: its command line does.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, readFile, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Connection } from "@temporalio/client";
import { z } from "zod";
import { reportingWait } from "../../store/clock.ts";
import { codeOf } from "../../store/folder-faults.ts";
import { connectTo } from "../../store/lock.ts";
import { freePorts } from "./ports.ts";

const localServer = z.object({
  address: z.string().regex(/^127\.0\.0\.1:\d+$/),
  uiUrl: z.url(),
  pid: z.int().positive(),
});
type LocalServer = z.infer<typeof localServer>;

export type TemporalServer = Awaited<ReturnType<typeof startTemporal>>;

/** Thrown if the state folder's server belongs to a command that still runs. */
class LocalRuns extends Error {
  override readonly name = "LocalRuns";
}

/** Starts the folder's server on its database and, if they are free, on the ports of the last start. */
export async function startLocalTemporal(stateFolder: string, executable: string): Promise<TemporalServer> {
  await mkdir(stateFolder, { recursive: true });
  const lock = connectTo(join(stateFolder, "local.lock")); // the kernel releases it if this process is killed
  if (lock === undefined) {
    const remedy = "Stop it, or start a run on its server with `almanac nightly` or `almanac backfill`";
    throw new LocalRuns(`another \`almanac local\` runs in this folder. ${remedy}`);
  }
  const before = readRecord(stateFolder);
  if (before !== undefined) await endLeft(before);
  const server = await startTemporal({
    executable,
    folder: stateFolder,
    databasePath: join(stateFolder, "temporal.sqlite"),
    port: portOf(before?.address),
    uiPort: portOf(before?.uiUrl),
    // Written before it is ready: if this process is killed now, the next start still finds the server.
    onSpawned: (place) => writeRecord(stateFolder, place),
  });
  const stop = async () => {
    await server.stop();
    if (lock.isOpen) lock.close();
  };
  return { ...server, stop };
}

function portOf(url: string | undefined) {
  const port = Number(url?.slice(url.lastIndexOf(":") + 1));
  return Number.isInteger(port) ? port : undefined;
}

/** The server that runs for this folder, or undefined; it may be a moment from being ready. */
export async function readLocal(stateFolder: string): Promise<LocalServer | undefined> {
  const record = readRecord(stateFolder);
  return record !== undefined && (await isServerAt(record)) ? record : undefined;
}

/** The last record, even if its server no longer runs; undefined if it is missing or unreadable. */
export function readRecord(stateFolder: string): LocalServer | undefined {
  try {
    return localServer.parse(JSON.parse(readFileSync(recordPath(stateFolder), "utf8")));
  } catch {
    return undefined;
  }
}

/** Writes synchronously and atomically: until the record exists, other commands can't see the started server. */
function writeRecord(stateFolder: string, place: LocalServer): void {
  const path = recordPath(stateFolder);
  writeFileSync(`${path}.tmp`, `${JSON.stringify(place, undefined, 2)}\n`);
  renameSync(`${path}.tmp`, path); // only the holder of the lock writes, so one temporary name is enough
}

function recordPath(stateFolder: string) {
  return join(stateFolder, "local.json");
}

const endTimeoutMs = 10_000;

/** Ends the server of a killed run, and waits for its port. */
async function endLeft(place: LocalServer) {
  if (!(await isServerAt(place))) return;
  killGroup(place.pid);
  const port = portOf(place.address);
  const deadline = performance.now() + endTimeoutMs;
  const name = `the end of the previous Temporal server (process ${place.pid})`;
  await reportingWait(name, endTimeoutMs, async () => {
    while ((await freePorts([port]))[0] !== port && performance.now() < deadline) await delay(10);
  });
}

export interface StartTemporalOptions {
  readonly executable: string;
  /** For its log, temporal.log; the log of the previous start is kept next to it. */
  readonly folder: string;
  /** The SQLite file; without one everything is gone when the server ends. */
  readonly databasePath?: string;
  /** First choices: another port is taken when one of them is in use. */
  readonly port?: number;
  readonly uiPort?: number;
  /** Additional command-line arguments. */
  readonly words?: readonly string[];
  /** Called at once when the process exists, before it is ready. */
  readonly onSpawned?: (place: LocalServer) => void;
}

/** Thrown with the last lines of the server's output in the message. */
export class TemporalDidNotStart extends Error {
  override readonly name = "TemporalDidNotStart";
}

const startTimeoutMs = 30_000; // 0.3 s as a rule
const attempts = 3;
/** Another process was quicker with the port, or the previous server has not yet closed the database. */
const passing = /address already in use|database is locked/;

export async function startTemporal(options: StartTemporalOptions) {
  const logPath = join(options.folder, "temporal.log");
  await mkdir(options.folder, { recursive: true });
  await rename(logPath, `${logPath}.previous`).catch(() => {}); // the first start has none
  for (let attempt = 1; ; attempt += 1) {
    const [port = 0, uiPort = 0] = await freePorts([options.port, options.uiPort]);
    const { hasEnded, ...server } = await launch(options, logPath, port, uiPort);
    const name = `the new Temporal server at ${server.address} (process ${server.pid})`;
    const ready = () => becomesReady(server.address, hasEnded);
    if (await reportingWait(name, startTimeoutMs, ready)) return server;
    await server.stop();
    const lastWords = await lastLines(logPath);
    if (attempt >= attempts || !passing.test(lastWords)) throw didNotStart(options, logPath, lastWords);
  }
}

async function launch(options: StartTemporalOptions, logPath: string, port: number, uiPort: number) {
  const log = openSync(logPath, "a");
  // A session of its own: the terminal's Ctrl-C is for us, and the server must outlast the calls in flight.
  const child = spawn(options.executable, serverWords(options, port, uiPort), {
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) {
    const [cause] = await once(child, "error");
    throw new TemporalDidNotStart(`cannot run ${options.executable}: ${String(cause)}`, { cause });
  }
  const ended = new Promise<string>((settle) => {
    child.once("exit", (code, signal) => settle(signal ?? `exit code ${code}`));
  });
  child.unref();
  const place = { address: `127.0.0.1:${port}`, uiUrl: `http://127.0.0.1:${uiPort}`, pid };
  options.onSpawned?.(place);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  let asked = false;
  /** Settles only when the server ends without being stopped, with a sentence that says so. */
  const died = new Promise<string>((settle) => {
    const sentence = `the Temporal server (process ${pid}) stopped unexpectedly`;
    void ended.then((how) => asked || settle(`${sentence}: ${how}. Its log is ${logPath}`));
  });
  /**
   * Sends SIGKILL. On SIGTERM, the server would wait a second for its own polls. Everything that it has acknowledged is on disk, and it
   * recovers from there as after a crash.
   */
  const kill = () => {
    asked = true;
    if (!hasEnded()) killGroup(pid);
  };
  const stop = async () => {
    child.ref();
    kill();
    await ended;
  };
  return { ...place, died, stop, kill, hasEnded };
}

/** The server's command-line arguments, without the executable. */
export function serverWords(
  { databasePath, words = [] }: Pick<StartTemporalOptions, "databasePath" | "words">,
  port: number,
  uiPort: number,
): string[] {
  const list = ["server", "start-dev", "--ip", "127.0.0.1", "--log-level", "warn"];
  list.push("--port", String(port), "--ui-port", String(uiPort));
  // A queue's rate is divided by its partitions, each with a burst of its own: one partition keeps low rates exact.
  list.push("--dynamic-config-value", "matching.numTaskqueueReadPartitions=1");
  list.push("--dynamic-config-value", "matching.numTaskqueueWritePartitions=1", ...words);
  if (databasePath !== undefined) list.push("--db-filename", resolve(databasePath), ...databasePragmas);
  return list;
}

// Exclusive locking: two servers on one file would silently corrupt it. A write-ahead log that is synced only at checkpoints doubles
// the throughput. A killed server loses nothing; a power failure loses at most the last moments, whose responses are in the vault.
const databasePragmas = ["locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=NORMAL"].flatMap(
  (pragma) => ["--sqlite-pragma", pragma],
);

async function becomesReady(address: string, hasEnded: () => boolean) {
  const deadline = performance.now() + startTimeoutMs;
  while (!hasEnded() && performance.now() < deadline) {
    if ((await answers(address)) && !hasEnded()) return true;
    await delay(20);
  }
  return false;
}

/** Whether a Temporal server answers there, and has its namespace. */
export async function answers(address: string): Promise<boolean> {
  const channelArgs = {
    "grpc.use_local_subchannel_pool": 1, // else an earlier refusal's backoff is shared
    "grpc.initial_reconnect_backoff_ms": 20,
    "grpc.max_reconnect_backoff_ms": 100,
  };
  try {
    const connection = await Connection.connect({ address, connectTimeout: 500, channelArgs });
    const ask = () => connection.workflowService.describeNamespace({ namespace: "default" });
    try {
      await connection.withDeadline(Date.now() + 2_000, ask);
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

async function lastLines(logPath: string) {
  const lines = (await readFile(logPath, "utf8")).split("\n").filter((line) => line.trim() !== "");
  return lines
    .slice(-3)
    .map((line) => line.slice(0, 300))
    .join(" | ");
}

function didNotStart(options: StartTemporalOptions, logPath: string, lastWords: string): TemporalDidNotStart {
  const { executable, databasePath } = options;
  const where = databasePath === undefined ? "" : ` on ${databasePath}`;
  const what = `the Temporal server (${executable}) did not start${where}`;
  if (lastWords.includes("database is locked")) {
    const remedy = "Find the process with that file after --db-filename, stop it, and try again";
    return new TemporalDidNotStart(`${what}: another process has the file open. ${remedy}`);
  }
  const silent = `no answer within ${startTimeoutMs / 1000} s and nothing in its log`;
  return new TemporalDidNotStart(`${what}: ${lastWords === "" ? silent : lastWords} (its log: ${logPath})`);
}

/**
 * Whether the process with this id is the server that was started on this address. A busy machine now and then answers a
 * look with nothing although the process is there: only several in a row count.
 */
async function isServerAt({ pid, address }: LocalServer): Promise<boolean> {
  const port = address.slice(address.lastIndexOf(":") + 1);
  for (let look = 0; look < 4; look += 1) {
    const words = (await commandLine(pid)) ?? "";
    if (words.includes(" start-dev ") && words.includes(` --port ${port} `)) return true;
    await delay(10);
  }
  return false;
}

/** The command line of a process; undefined if no process has that id, or if it has ended or is ending. */
export async function commandLine(pid: number): Promise<string | undefined> {
  const reading =
    process.platform === "linux"
      ? readFile(`/proc/${pid}/cmdline`, "utf8").then((text) => text.replaceAll("\0", " "))
      : promisify(execFile)("ps", ["-ww", "-p", String(pid), "-o", "args="]).then(({ stdout }) => stdout);
  const words = (await reading.catch(() => "")).trim();
  return words === "" || words.startsWith("(") ? undefined : words; // ps shows a process that has ended in brackets
}

/** Kills a process that leads its own group, with all it started; one that has gone meanwhile is no fault. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}
