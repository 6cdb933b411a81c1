// The one Temporal server of a state folder: used again while it runs, even if the run that started it was killed, and stopped by the
// last run that uses it. `local.json` records where it is and who uses it, for the next run and for other commands.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { holdLock } from "../../store/lock.ts";
import { reportingWait } from "../../store/waits.ts";
import { allCommandLines, commandLine, exists } from "./processes.ts";
import {
  answers,
  isServerAt,
  processGone,
  startTemporal,
  type StartTemporalOptions,
  type TemporalServer,
  watched,
} from "./temporal-server.ts";

export type LocalTemporal = ReturnType<typeof shared>;

export type UseTemporalOptions = Omit<StartTemporalOptions, "folder" | "databasePath" | "onSpawned"> & {
  readonly stateFolder: string;
  /** When a server that runs but doesn't answer is given up. */
  readonly hungAfterMs?: number;
};

// Starting may try five times; a server that doesn't answer is waited for and stopped first.
const lockTimeoutMs = 120_000;
const defaultHungAfterMs = 30_000; // a busy machine is no reason to end a server that others use

export async function useOrStartTemporal(options: UseTemporalOptions): Promise<LocalTemporal> {
  const { hungAfterMs = defaultHungAfterMs, stopGraceMs } = options;
  await mkdir(options.stateFolder, { recursive: true });
  const stateFolder = await realpath(options.stateFolder); // a link to it must not look like another folder
  return locked(stateFolder, async () => {
    const running = (await readLocal(stateFolder)) ?? (await findOnDatabase(databaseIn(stateFolder)));
    if (running !== undefined) {
      const server = watched(running, join(stateFolder, "temporal.log"), processGone(running), stopGraceMs);
      const name = `the local Temporal server at ${running.address} (process ${running.pid})`;
      if (await reportingWait(name, hungAfterMs, () => answersWithin(running.address, hungAfterMs))) {
        writeRecord(stateFolder, { ...running, users: [...(await alive(running.users)), process.pid] });
        return shared(stateFolder, server, true);
      }
      await server.stop(); // it holds the database and says nothing
    }
    return shared(stateFolder, await start(stateFolder, options), false);
  });
}

async function start(stateFolder: string, options: UseTemporalOptions) {
  const databasePath = databaseIn(stateFolder);
  const before = readRecord(stateFolder); // the same ports again, for workers and browser tabs that still look there
  if (before !== undefined) await processGone(before); // one killed a moment ago may still hold the database
  return startTemporal({
    ...options,
    folder: stateFolder,
    databasePath,
    port: options.port ?? portOf(before?.address),
    uiPort: options.uiPort ?? portOf(before?.uiUrl),
    // Noted before it is ready: if we are killed now, the next run still knows of it.
    onSpawned: (place) => writeRecord(stateFolder, { ...place, users: [process.pid] }),
  });
}

/** `reused`: whether an earlier or another run had started it. */
function shared(stateFolder: string, server: TemporalServer, reused: boolean) {
  let released = false;
  const died = new Promise<string>((settle) => {
    void server.died.then((how) => (released ? undefined : settle(how)));
  });
  const stop = async () => {
    if (released) return;
    released = true;
    await locked(stateFolder, async () => {
      const record = readRecord(stateFolder);
      const others = record?.pid === server.pid ? await alive(withoutOne(record.users)) : [];
      if (record !== undefined && others.length > 0)
        return writeRecord(stateFolder, { ...record, users: others });
      await server.stop();
      if (record?.pid === server.pid) removeRecord(stateFolder);
    });
  };
  const kill = () => {
    released = true;
    const record = readRecord(stateFolder);
    if (record?.pid !== server.pid || record.users.every((pid) => pid === process.pid || !exists(pid)))
      server.kill();
  };
  return { ...server, reused, died, stop, kill };
}

function withoutOne(users: readonly number[]): number[] {
  const at = users.indexOf(process.pid);
  return users.filter((_, index) => index !== at);
}

async function alive(users: readonly number[]): Promise<number[]> {
  const known = await Promise.all(users.map(async (pid) => ({ pid, words: await commandLine(pid) })));
  return known.filter(({ words }) => words !== undefined).map(({ pid }) => pid);
}

async function answersWithin(address: string, timeoutMs: number) {
  const deadline = performance.now() + timeoutMs;
  while (!(await answers(address, "default", Math.min(timeoutMs, 5_000)))) {
    if (performance.now() > deadline) return false;
    await delay(50);
  }
  return true;
}

async function locked<Value>(stateFolder: string, work: () => Promise<Value>): Promise<Value> {
  using _held = await holdLock(join(stateFolder, "local.lock"), lockTimeoutMs);
  return await work();
}

function portOf(place: string | undefined) {
  const port = Number(place?.slice(place.lastIndexOf(":") + 1));
  return Number.isInteger(port) ? port : undefined;
}

function databaseIn(stateFolder: string) {
  return join(stateFolder, "temporal.sqlite");
}

const localServer = z.object({
  address: z.string().regex(/^127\.0\.0\.1:\d+$/),
  uiUrl: z.url(),
  pid: z.int().positive(),
  /** The processes that use it, once for each use; one that was killed stands here until somebody counts. */
  users: z.array(z.int().positive()),
});
type LocalServer = z.infer<typeof localServer>;

/** The server that runs for this folder, or undefined; it may be a moment from being ready. */
export async function readLocal(stateFolder: string): Promise<LocalServer | undefined> {
  const record = readRecord(stateFolder);
  return record !== undefined && (await isServerAt(record)) ? record : undefined;
}

const portsPattern = / --port (\d+) --ui-port (\d+) /;

/**
 * The server that has this database, by the words it was started with: a starter that was killed in the few
 * milliseconds between starting it and writing the record has left one that no record names.
 */
async function findOnDatabase(databasePath: string): Promise<LocalServer | undefined> {
  for (const { pid, words } of await allCommandLines()) {
    if (!words.includes(" start-dev ") || !words.includes(` --db-filename ${databasePath} `)) continue;
    const [, port, uiPort] = portsPattern.exec(words) ?? [];
    if (port === undefined) continue;
    return { address: `127.0.0.1:${port}`, uiUrl: `http://127.0.0.1:${uiPort}`, pid, users: [] };
  }
  return undefined;
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
function writeRecord(stateFolder: string, record: LocalServer): void {
  const path = recordPath(stateFolder);
  writeFileSync(`${path}.tmp`, `${JSON.stringify(record, undefined, 2)}\n`);
  renameSync(`${path}.tmp`, path); // only the holder of the lock writes, so one temporary name is enough
}

function removeRecord(stateFolder: string): void {
  rmSync(recordPath(stateFolder), { force: true });
}

function recordPath(stateFolder: string) {
  return join(stateFolder, "local.json");
}
