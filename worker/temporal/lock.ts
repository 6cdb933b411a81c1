// A lock between processes on one machine. It is SQLite's lock on an empty file, which the kernel gives back when
// its holder dies, however it dies: there is no such thing as a lock left behind.
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";

const pollMs = 50;
const sqliteBusy = 5;
const sqliteFailure = z.object({ errcode: z.number() });

export interface LockOptions {
  readonly path: string;
  readonly timeoutMs: number;
  /** What the holder is doing, for the message of whoever waited in vain. */
  readonly purpose: string;
}

export async function withLock<Value>(options: LockOptions, work: () => Promise<Value>): Promise<Value> {
  const file = opened(options.path);
  try {
    const deadline = performance.now() + options.timeoutMs;
    while (!acquired(file)) {
      if (performance.now() > deadline) {
        throw new Error(
          `waited ${options.timeoutMs / 1000} s for ${options.path}: another process is ${options.purpose}; try again when it is done`,
        );
      }
      await delay(pollMs);
    }
    return await work();
  } finally {
    file.close();
  }
}

function opened(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 }); // no wait inside: it would hold the event loop
  } catch (error) {
    throw new Error(`the lock file ${path} cannot be opened: is its folder there, and writable?`, {
      cause: error,
    });
  }
}

function acquired(file: DatabaseSync): boolean {
  try {
    file.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (sqliteFailure.safeParse(error).data?.errcode === sqliteBusy) return false;
    throw error;
  }
}
