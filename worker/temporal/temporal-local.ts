// The one Temporal server of a state folder: used again while it runs, even if the run that started it was killed, and stopped by the
// last run that uses it. `local.json` records where it is and who uses it, for the next run and for other commands.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { holdLock } from "../../store/lock.ts";
import { reportingWait } from "../../store/clock.ts";
import {
  exists,
  answers,
  isServerAt,
  processGone,
  startTemporal,
  type StartTemporalOptions,
  type TemporalServer,
  watched,
} from "./temporal-server.ts";

export type LocalTemporal = ReturnType<typeof shared>;

interface UseTemporalOptions extends Pick<StartTemporalOptions, "executable" | "stopGraceMs"> {
  readonly stateFolder: string;
  /** When a server that runs but doesn't answer is given up. */
  readonly hungAfterMs?: number;
}

// Starting may try five times; a server that doesn't answer is waited for and stopped first.
const lockTimeoutMs = 120_000;
const defaultHungAfterMs = 30_000; // a busy machine is no reason to end a server that others use

export async function useOrStartTemporal(options: UseTemporalOptions): Promise<LocalTemporal> {
  const { stateFolder, executable, hungAfterMs = defaultHungAfterMs, stopGraceMs } = options;
  await mkdir(stateFolder, { recursive: true });
  return locked(stateFolder, async () => {
    const running = await readLocal(stateFolder);
    if (running !== undefined) {
      const server = watched(running, join(stateFolder, "temporal.log"), processGone(running), stopGraceMs);
      const name = `the local Temporal server at ${running.address} (process ${running.pid})`;
      if (await reportingWait(name, hungAfterMs, () => answersWithin(running.address, hungAfterMs))) {
        writeRecord(stateFolder, { ...running, users: [...othersOf(running), process.pid] });
        return shared(stateFolder, server, true);
      }
      await server.stop(); // it holds the database and says nothing
    }
    const before = readRecord(stateFolder); // the same ports again, for workers and browser tabs that still look there
    if (before !== undefined) await processGone(before); // one killed a moment ago may still hold the database
    const server = await startTemporal({
      executable,
      stopGraceMs,
      folder: stateFolder,
      databasePath: join(stateFolder, "temporal.sqlite"),
      port: portOf(before?.address),
      uiPort: portOf(before?.uiUrl),
      // Noted before it is ready: if we are killed now, the next run still knows of it.
      onSpawned: (place) => writeRecord(stateFolder, { ...place, users: [process.pid] }),
    });
    return shared(stateFolder, server, false);
  });
}

/** `reused`: whether an earlier or another run had started it. */
function shared(stateFolder: string, server: TemporalServer, reused: boolean) {
  let released = false;
  const readOthers = () => {
    const record = readRecord(stateFolder);
    return record?.pid === server.pid ? othersOf(record) : [];
  };
  const stop = async () => {
    if (released) return;
    released = true;
    await locked(stateFolder, async () => {
      const users = readOthers();
      if (users.length > 0) return writeRecord(stateFolder, { ...server, users });
      await server.stop();
      if (readRecord(stateFolder)?.pid === server.pid) rmSync(recordPath(stateFolder), { force: true });
    });
  };
  const kill = () => {
    released = true;
    if (readOthers().length === 0) server.kill();
  };
  return { ...server, reused, stop, kill };
}

/** The other processes that use the server. */
function othersOf({ users }: LocalServer): number[] {
  return users.filter((pid) => pid !== process.pid && exists(pid));
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

const localServer = z.object({
  address: z.string().regex(/^127\.0\.0\.1:\d+$/),
  uiUrl: z.url(),
  pid: z.int().positive(),
  /** The processes that use it; one that was killed stays here until somebody counts. */
  users: z.array(z.int().positive()),
});
type LocalServer = z.infer<typeof localServer>;

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
function writeRecord(stateFolder: string, { address, uiUrl, pid, users }: LocalServer): void {
  const path = recordPath(stateFolder);
  writeFileSync(`${path}.tmp`, `${JSON.stringify({ address, uiUrl, pid, users }, undefined, 2)}\n`);
  renameSync(`${path}.tmp`, path); // only the holder of the lock writes, so one temporary name is enough
}

function recordPath(stateFolder: string) {
  return join(stateFolder, "local.json");
}
