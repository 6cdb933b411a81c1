// The faults of the file system, in words that an operator can act on.
import type { Deed } from "./store.ts";
import { type StoreFacts, StoreFailure } from "./store.ts";
import { LockHeld } from "./lock.ts";

type FolderAccount = readonly [seen: string, remedy: string];

const full: FolderAccount = [
  "the disk is full",
  "free some space and run it again; what was there before is untouched",
];
const readOnly: FolderAccount = [
  "it is read-only for this process",
  "give the process's user the right to write there",
];
const tooMany: FolderAccount = ["too many files are open", "do less at once, or raise the limit (ulimit -n)"];
const inTheWay: FolderAccount = [
  "something is in the way that no store wrote there",
  "move it out of the store's folder",
];

const accounts = new Map<string, FolderAccount>([
  ["ENOSPC", full],
  ["EDQUOT", ["the disk quota is used up", full[1]]],
  ["EROFS", readOnly],
  ["EACCES", readOnly],
  ["EPERM", readOnly],
  ["EMFILE", tooMany],
  ["ENFILE", tooMany],
  ["EISDIR", inTheWay],
  ["ENOTDIR", inTheWay],
  ["EEXIST", inTheWay],
  ["EXDEV", ["a folder in it lies on another file system", "let the whole store lie on one"]],
  ["ELOOP", ["a symbolic link stands there", "put the real thing in its place: a store follows no links"]],
  ["EIO", ["the disk failed to do it", "look after the disk before anything else"]],
]);

/** Thrown for something that lies where a folder or file of the store should be, with the code the kernel would have given. */
export class InTheWay extends Error {
  override readonly name = "InTheWay";
  readonly code: "ELOOP" | "ENOTDIR" | "EISDIR";
  constructor(path: string, code: InTheWay["code"]) {
    super(`${code}: ${path}`);
    this.code = code;
  }
}

/** Thrown where another folder lies in place of the store's own, with nothing in it that a store has. */
export class Replaced extends Error {
  override readonly name = "Replaced";
  constructor(place: string) {
    super(`another folder is there than the one that was opened: ${place}`);
  }
}

/** Undefined where the file vanishes while we look at it. */
export async function unlessGone<Value>(look: () => Value | Promise<Value>): Promise<Value | undefined> {
  try {
    return await look();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Lets an operation of the folder fail only as StoreFailure. */
export async function namingFolderFaults<Value>(deed: Deed, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw failure(deed, error);
  }
}

export function failure(deed: Deed, error: unknown): StoreFailure {
  if (error instanceof StoreFailure) return error;
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof LockHeld) {
    const remedy = "look for a stopped one (state T in ps) and let it go on or end it";
    return new StoreFailure({ ...deed, seen: detail, remedy }, { cause: error });
  }
  if (error instanceof Replaced) {
    const remedy = "mount its disk again; if it was replaced on purpose, start the process anew";
    return new StoreFailure({ ...deed, seen: detail, remedy }, { cause: error });
  }
  const code = codeOf(error);
  const [seen, remedy] = account(code, deed.doing);
  return new StoreFailure({ ...deed, seen: `${seen} (${detail})`, remedy }, { cause: error });
}

function account(code: string | undefined, doing: StoreFacts["doing"]): FolderAccount {
  const denied = code === "EACCES" || code === "EPERM";
  if (denied && (doing === "read" || doing === "list")) {
    return ["this process may not read it", "give the process's user the right to read there"];
  }
  return accounts.get(code ?? "") ?? ["the file system failed", "put that right and run it again"];
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
