// Runs work that only one may do at a time, over all processes and threads at one folder. The kernel gives the
// lock back when its holder dies, however it dies.
import { setTimeout as delay } from "node:timers/promises";
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { reportingWait } from "./clock.ts";

// The work under the lock takes well under a millisecond, a hundred removals some ten: whoever waits longer than
// this waits for a process that was stopped, and taking its lock away would let both write.
const longestWaitMs = 10_000;

/** Runs a piece of work while nobody else, in any process or thread, runs theirs under the same file. */
export type UnderLock = <Value>(work: () => Value) => Promise<Value>;

const stepsATaking = 100; // some milliseconds under the lock

/** Splits items into chunks, one for each time that the lock is held, so that others can take the lock in between. */
export function* underOneTaking<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += stepsATaking) yield items.slice(at, at + stepsATaking);
}

/** `work` cannot await, so a lock is never held while this process does something else. */
export function createLock(path: string, patienceMs = longestWaitMs): UnderLock {
  const file = openLockFile(path);
  return async (work) => (await patiently(path, patienceMs, () => file.tryUnderIt(work))).value;
}

/** Takes the lock for work that takes long, and holds it until it is disposed of. */
export async function holdLock(path: string, patienceMs: number): Promise<Disposable> {
  return patiently(path, patienceMs, () => connectTo(path));
}

async function patiently<Got>(
  path: string,
  patienceMs: number,
  attempt: () => Got | undefined,
): Promise<Got> {
  const first = attempt();
  if (first !== undefined) return first;
  const deadline = performance.now() + patienceMs;
  return reportingWait(`the process that has the lock ${path}`, patienceMs, async () => {
    for (;;) {
      await delay(1 + Math.random() * 4); // uneven, so that two waiters do not keep meeting
      const got = attempt();
      if (got !== undefined) return got;
      if (performance.now() > deadline) throw new LockHeld(path, patienceMs);
    }
  });
}

/**
 * The same for many writers of one process: all work that is ready when the lock is taken is done under that one taking,
 * because 32 writers at once come in bunches.
 */
export function createLockSharing(path: string): UnderLock {
  const underLock = createLock(path);
  let waiting: { readonly run: () => void; readonly fail: (error: unknown) => void }[] = [];
  const flush = async () => {
    const taken: typeof waiting = [];
    try {
      await underLock(() => {
        taken.push(...waiting);
        waiting = [];
        for (const { run } of taken) run();
      });
    } catch (error) {
      if (taken.length > 0) return; // they have their answers
      const refused = waiting;
      waiting = [];
      for (const { fail } of refused) fail(error);
    }
  };
  return (work) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof work>>();
    const run = () => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    };
    waiting.push({ run, fail: reject });
    if (waiting.length === 1) setImmediate(() => void flush());
    return promise;
  };
}

export class LockHeld extends Error {
  override readonly name = "LockHeld";
  constructor(path: string, patienceMs: number) {
    super(`another process has held the lock ${path} for ${patienceMs / 1000} s. Wait for it, or stop it`);
  }
}

// A new connection costs ten times as much as taking the lock (70 and 7 microseconds), so it is kept; but not for long: an open
// file keeps a disk from being unmounted, and a process may open many stores.
const keptForMs = 500;
const sqliteBusy = 5;
const sqliteReadOnly = 8;
const sqliteCannotOpen = 14;

// No journal file next to the lock. The change, which never reaches the disk, is there because on a file this process
// may only read, BEGIN IMMEDIATE takes no lock and says nothing; a connection that could change it once can lock it.
const firstTaking = "PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE; PRAGMA user_version = 1";

const sqlite = loadedQuietly();

export type LockFile = ReturnType<typeof openLockFile>;

interface KeptConnection {
  readonly connection: DatabaseSync;
  /** The identity of the file that the connection leads to. */
  readonly identity: string | undefined;
  readonly idle: NodeJS.Timeout;
}

/**
 * Why this is right: Node has no flock, but SQLite takes the kernel's lock (fcntl) on its file, and the kernel drops it
 * with the process that held it. So no lock is ever left behind, nothing has to guess whether a holder is alive, and
 * no two guessers can both take over, which is how lock files that hold a process id fail (that id means nothing in
 * another container either). SQLite also keeps two connections of one process apart, which fcntl alone does not.
 * The transaction is always rolled back: the file stays empty for ever, and there is nothing in it to damage.
 * A lock on a file that was taken away keeps nobody out. So a connection is kept only where the path led to the same
 * file before it was opened and after, and under each lock the path has to lead there still: else it is opened again.
 * The number of a file that is open is not given to another, so equal numbers are one file.
 */
export function openLockFile(path: string) {
  let kept: KeptConnection | undefined;

  function letGo() {
    if (kept === undefined) return;
    clearTimeout(kept.idle);
    kept.connection.close(); // rolls back
    kept = undefined;
  }

  /** False when another holder has the lock. */
  function take() {
    if (kept !== undefined) {
      if (!begins(kept.connection, "BEGIN IMMEDIATE")) return false;
      if (kept.identity === identityOf(path)) return true;
      letGo();
    }
    const before = identityOf(path);
    const connection = connectTo(path);
    if (connection === undefined) return false;
    const identity = before === identityOf(path) ? before : undefined;
    kept = { connection, identity, idle: setTimeout(letGo, keptForMs).unref() };
    return true;
  }

  function giveBack() {
    if (kept?.identity === undefined) return letGo();
    kept.connection.exec("ROLLBACK");
    kept.idle.refresh();
  }

  /** Gives the lock back if the step fails. */
  function orLetGo<Value>(step: () => Value): Value {
    try {
      return step();
    } catch (error) {
      letGo();
      throw error;
    }
  }

  return {
    /** Does the work under the lock; undefined when another holder has it. */
    tryUnderIt<Value>(work: () => Value) {
      if (!orLetGo(take)) return undefined;
      try {
        return { value: work() };
      } finally {
        orLetGo(giveBack);
      }
    },
  };
}

/** A text that is equal as long as the path leads to the same file or folder; undefined when nothing is there. */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** Connects and takes the lock, which ends with the connection; undefined when another holder has it. */
export function connectTo(path: string): DatabaseSync | undefined {
  let connection: DatabaseSync | undefined;
  let taken = false;
  try {
    connection = new sqlite.DatabaseSync(path, { timeout: 0 }); // waiting inside SQLite would hold up the event loop
    taken = begins(connection, firstTaking);
    return taken ? connection : undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === sqliteReadOnly || code === sqliteCannotOpen) throw new LockRefused(path, { cause: error });
    throw error;
  } finally {
    if (!taken) connection?.close();
  }
}

/** Node 22 says whenever it is loaded that it is an experiment; what is used of it is the same in Node 26. */
function loadedQuietly() {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

function begins(connection: DatabaseSync, taking: string) {
  try {
    connection.exec(taking);
    return true;
  } catch (error) {
    if (codeOf(error) === sqliteBusy) return false;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "errcode" in error ? error.errcode : undefined;
}

/** An error of SQLite's in words of its own, with the kernel's code for it. */
class LockRefused extends Error {
  override readonly name = "LockRefused";
  readonly code = "EACCES";
  constructor(path: string, options: ErrorOptions) {
    super(`EACCES: cannot write to the lock file ${path}`, options);
  }
}
