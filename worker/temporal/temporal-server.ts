// Starts the embedded Temporal server, watches its process, and stops it. Process ids are reused, so an id read from a file does not prove
// that its process still runs: its command line does. temporal-local.ts knows the server that a folder already has.
import { type ChildProcess, spawn, execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readFile, rename, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Connection } from "@temporalio/client";
import { reportingWait } from "../../store/clock.ts";
import { freePorts } from "./ports.ts";
import { codeOf } from "../../store/folder-faults.ts";

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
  /** How long `stop` waits between SIGTERM and SIGKILL. */
  readonly stopGraceMs?: number;
  /** Called at once when the process exists, before it is ready: the moment to note whom to clean up after. */
  readonly onSpawned?: (place: ServerPlace) => void;
}

/** Thrown with the last lines of the server's output in the message. */
export class TemporalDidNotStart extends Error {
  override readonly name = "TemporalDidNotStart";
}

const startTimeoutMs = 30_000; // 0.3 s as a rule
const portAttempts = 5;

export async function startTemporal(options: StartTemporalOptions): Promise<TemporalServer> {
  const logPath = join(options.folder, "temporal.log");
  await mkdir(options.folder, { recursive: true });
  await rename(logPath, `${logPath}.previous`).catch(() => {}); // the first start has none
  for (let attempt = 1; ; attempt += 1) {
    const [port = 0, uiPort = 0] = await freePorts([options.port, options.uiPort]);
    const { gone, place } = await launch(options, logPath, port, uiPort);
    const server = watched(place, logPath, gone, options.stopGraceMs);
    const name = `the new Temporal server at ${place.address} (process ${place.pid})`;
    const ready = () => becomesReady(place.address, gone);
    if (await reportingWait(name, startTimeoutMs, ready)) return server;
    await server.stop();
    const lastWords = await lastLines(logPath);
    if (attempt < portAttempts && lastWords.includes("address already in use")) continue; // someone was quicker
    throw didNotStart(options, logPath, lastWords);
  }
}

async function launch(options: StartTemporalOptions, logPath: string, port: number, uiPort: number) {
  const log = await open(logPath, "a");
  try {
    // A session of its own: the terminal's Ctrl-C is for us, and the server must outlast the calls in flight.
    const child = spawn(options.executable, serverWords(options, port, uiPort), {
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    const gone = exitOf(child); // heard from the start: on a busy machine it may end before the log is closed here
    child.unref();
    const { pid } = child;
    if (pid === undefined) {
      const [cause] = await once(child, "error");
      throw new TemporalDidNotStart(`cannot run ${options.executable}: ${String(cause)}`, { cause });
    }
    const place = { address: `127.0.0.1:${port}`, uiUrl: `http://127.0.0.1:${uiPort}`, pid };
    options.onSpawned?.(place);
    return { gone, place };
  } finally {
    await log.close();
  }
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

async function becomesReady(address: string, gone: Promise<string>) {
  const ended = new AbortController();
  void gone.then(() => ended.abort());
  const deadline = performance.now() + startTimeoutMs;
  while (!ended.signal.aborted && performance.now() < deadline) {
    if ((await answers(address, "default")) && !ended.signal.aborted) return true;
    await delay(20);
  }
  return false;
}

async function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((settle) => {
    child.once("exit", (code, name) => settle(name === null ? `exit code ${code}` : name));
  });
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

export interface ServerPlace {
  readonly address: string;
  readonly uiUrl: string;
  readonly pid: number;
}

export type TemporalServer = ReturnType<typeof watched>;

const defaultStopGraceMs = 10_000; // 3 s as a rule
/** A killed process goes at once, unless the machine has no time for it. */
const killGraceMs = 10_000;
const watchEveryMs = 200;

/**
 * Whether the process with this id is the server that was started on this address. A busy machine now and then answers a
 * look with nothing although the process is there: only several in a row count.
 */
export async function isServerAt({ pid, address }: Pick<ServerPlace, "pid" | "address">): Promise<boolean> {
  const port = address.slice(address.lastIndexOf(":") + 1);
  for (let look = 0; look < 4; look += 1) {
    const words = (await commandLine(pid)) ?? "";
    if (words.includes(" start-dev ") && words.includes(` --port ${port} `)) return true;
    await delay(10);
  }
  return false;
}

/** Settles when a server's process has ended and let go of its ports and files, whoever started it. */
export async function processGone(place: Pick<ServerPlace, "pid" | "address">): Promise<string> {
  while (await isServerAt(place)) await delay(watchEveryMs, undefined, { ref: false });
  while (await isEnding(place.pid)) await delay(5);
  return "its process ended";
}

/** Whether a Temporal server answers there, with the namespace when one is named. */
export async function answers(address: string, namespace?: string, connectTimeoutMs = 500): Promise<boolean> {
  const channelArgs = {
    "grpc.use_local_subchannel_pool": 1, // else an earlier refusal's backoff is shared
    "grpc.initial_reconnect_backoff_ms": 20,
    "grpc.max_reconnect_backoff_ms": 100,
  };
  try {
    const connection = await Connection.connect({ address, connectTimeout: connectTimeoutMs, channelArgs });
    try {
      if (namespace === undefined) return true;
      const ask = async () => connection.workflowService.describeNamespace({ namespace });
      await connection.withDeadline(Date.now() + 2_000, ask);
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

/** The handle on a running server; `gone` settles when its process has ended. */
export function watched(
  place: ServerPlace,
  logPath: string,
  gone: Promise<string>,
  stopGraceMs = defaultStopGraceMs,
) {
  let asked = false;
  let over = false;
  void gone.then(() => (over = true));
  /** Settles only when the server ends without being stopped, with a sentence that says so. */
  const died = new Promise<string>((settle) => {
    const tell = (how: string) =>
      settle(
        `the Temporal server (process ${place.pid}) stopped unexpectedly: ${how}. Its log is ${logPath}`,
      );
    void gone.then((how) => (asked ? undefined : tell(how)));
  });
  /** Sends SIGTERM, then SIGKILL if that takes too long. Resolves when the process has ended. */
  const stop = async () => {
    asked = true;
    if (over) return;
    if (await isServerAt(place)) signalGroup(place.pid, "SIGTERM");
    if (await within(stopGraceMs, gone)) return;
    if (await isServerAt(place)) signalGroup(place.pid, "SIGKILL");
    if (await within(killGraceMs, gone)) return;
    throw new Error(`the Temporal server (process ${place.pid}) does not stop, even after SIGKILL`);
  };
  /** Sends SIGKILL at once, for a second Ctrl-C. Everything that the server has acknowledged is on disk. */
  const kill = () => {
    asked = true;
    if (!over) signalGroup(place.pid, "SIGKILL");
  };
  return { ...place, died, stop, kill };
}

async function within(timeoutMs: number, gone: Promise<unknown>) {
  const timer = new AbortController();
  try {
    return await Promise.race([gone.then(() => true), delay(timeoutMs, false, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
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

/** Whether a process is on its way out: its words are gone, but its ports and its locks on files may not be. */
export async function isEnding(pid: number): Promise<boolean> {
  if ((await commandLine(pid)) !== undefined) return false;
  if (process.platform !== "linux") return exists(pid);
  try {
    const facts = await readFile(`/proc/${pid}/stat`, "utf8");
    const collectable = facts.slice(facts.lastIndexOf(")") + 2).startsWith("Z");
    return !collectable || (await readdir(`/proc/${pid}/task`)).length > 1; // the first thread may end before others
  } catch {
    return false; // no such process
  }
}

/** Whether a process exists at this moment: one that has ended but is not yet collected counts as there. */
export function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM"; // there, and somebody else's
  }
}

/** Signals a process that leads its own group, with all it started; one that has gone meanwhile is no fault. */
export function signalGroup(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(-pid, name);
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}
