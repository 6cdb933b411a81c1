// Starts the embedded Temporal server, and stops it. Which one a folder already has is temporal-local.ts's affair.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { reportingWait } from "../../store/waits.ts";
import { freePorts } from "./ports.ts";
import { answers, type ServerPlace, type TemporalServer, watched } from "./temporal-handle.ts";

export interface StartTemporalOptions {
  readonly executable: string;
  /** For its log, temporal.log; the log of the start before is kept beside it. */
  readonly folder: string;
  /** The SQLite file; without one everything is gone when the server ends. */
  readonly databasePath?: string;
  /** First choices: another port is taken when one of them is in use. */
  readonly port?: number;
  readonly uiPort?: number;
  /** Made if it is not there; `default` always is. */
  readonly namespace?: string;
  /** Further words of its command line. */
  readonly words?: readonly string[];
  /** How long `stop` waits between SIGTERM and SIGKILL. */
  readonly stopGraceMs?: number;
  /** Called at once when the process exists, before it is ready: the moment to note whom to clean up after. */
  readonly onSpawned?: (place: ServerPlace) => void;
}

/** Has the server's own last words in its message. */
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
    const ready = () => becomesReady(place.address, options.namespace ?? "default", gone);
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
      throw new TemporalDidNotStart(`${options.executable} cannot be run: ${String(cause)}`, { cause });
    }
    const place = { address: `127.0.0.1:${port}`, uiUrl: `http://127.0.0.1:${uiPort}`, pid };
    options.onSpawned?.(place);
    return { gone, place };
  } finally {
    await log.close();
  }
}

type ServerOptions = Pick<StartTemporalOptions, "databasePath" | "namespace" | "words">;

/** The words of its command line, behind the executable. */
export function serverWords(options: ServerOptions, port: number, uiPort: number): string[] {
  const { databasePath, namespace, words = [] } = options;
  const list = ["server", "start-dev", "--ip", "127.0.0.1", "--log-level", "warn"];
  list.push("--port", String(port), "--ui-port", String(uiPort)); // in this order: temporal-record.ts reads them
  if (namespace !== undefined) list.push("--namespace", namespace);
  // A queue's rate is divided by its partitions, each with a burst of its own: one partition keeps low rates exact.
  list.push("--dynamic-config-value", "matching.numTaskqueueReadPartitions=1");
  list.push("--dynamic-config-value", "matching.numTaskqueueWritePartitions=1", ...words);
  if (databasePath !== undefined) list.push("--db-filename", resolve(databasePath), ...databasePragmas);
  return list;
}

// Exclusive: the kernel refuses a second server on the same file, where two would quietly spoil it. With a
// write-ahead log synced at its checkpoints, 340 activities a second instead of 170; a killed server loses nothing,
// a power cut the last moments at most, and what they had gathered is in the vault.
const databasePragmas = ["locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=NORMAL"].flatMap(
  (pragma) => ["--sqlite-pragma", pragma],
);

async function becomesReady(address: string, namespace: string, gone: Promise<string>) {
  const ended = new AbortController();
  void gone.then(() => ended.abort());
  const deadline = performance.now() + startTimeoutMs;
  while (!ended.signal.aborted && performance.now() < deadline) {
    if ((await answers(address, namespace)) && !ended.signal.aborted) return true;
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
    const remedy = "look for one with that file after --db-filename, end it and try again";
    return new TemporalDidNotStart(`${what}: another process has the file open; ${remedy}`);
  }
  const silent = `no answer within ${startTimeoutMs / 1000} s and nothing in its log`;
  return new TemporalDidNotStart(`${what}: ${lastWords === "" ? silent : lastWords} (its log: ${logPath})`);
}
