// The file behind a lock between processes, which the kernel gives back when its holder dies, however it dies.
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

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
