// The one Temporal server of a state folder: used again when it runs, even if the run that started it was killed,
// and stopped by the last run that uses it. Where it is stands in local.json (temporal-record.ts).
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { holdLock } from "../../store/lock.ts";
import { reportingWait } from "../../store/waits.ts";
import { commandLine, exists } from "./processes.ts";
import { answers, processGone, type TemporalServer, watched } from "./temporal-handle.ts";
import { findOnDatabase, readLocal, readRecord, removeRecord, writeRecord } from "./temporal-record.ts";
import { startTemporal, type StartTemporalOptions } from "./temporal-server.ts";

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
    onSpawned: (place) => {
      const startedAt = new Date().toISOString();
      writeRecord(stateFolder, { ...place, startedAt, databasePath, users: [process.pid] });
    },
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
