// The faults of the file system, in words that an operator can act on.
import { type Deed, type StoreFacts, StoreFailure } from "./store.ts";
import { LockHeld } from "./lock.ts";

type FolderAccount = readonly [seen: string, remedy: string, ...codes: string[]];

const accounts: readonly FolderAccount[] = [
  ["the disk is full", "free some space and try again; existing files are unchanged", "ENOSPC"],
  ["the disk quota is used up", "free some space and try again; existing files are unchanged", "EDQUOT"],
  ["it is read-only for this process", "allow the process's user to write there", "EROFS", "EACCES", "EPERM"],
  ["too many files are open", "lower the concurrency, or raise the limit (ulimit -n)", "EMFILE", "ENFILE"],
  [
    "a file that Almanac did not write is in the way",
    "move it out of the store's folder",
    "EISDIR",
    "ENOTDIR",
    "EEXIST",
  ],
  ["it contains a folder on another file system", "put the whole store on one file system", "EXDEV"],
  ["it is a symbolic link", "replace it with the real file or folder: a store follows no links", "ELOOP"],
  ["the disk reported an error", "check the disk first", "EIO"],
];

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
    super(`the folder was replaced since it was opened: ${place}`);
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

/** The same for a listing. */
export async function* namingListFaults<Item>(
  deed: Deed,
  listing: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  try {
    yield* listing;
  } catch (error) {
    throw failure(deed, error);
  }
}

export function failure(deed: Deed, error: unknown): StoreFailure {
  if (error instanceof StoreFailure) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const failed = (seen: string, remedy: string) =>
    new StoreFailure({ ...deed, seen, remedy }, { cause: error });
  if (error instanceof LockHeld)
    return failed(detail, "look for a stopped process (state T in ps), and continue or stop it");
  if (error instanceof Replaced)
    return failed(detail, "mount its disk again; if it was replaced on purpose, restart the process");
  const [seen, remedy] = account(codeOf(error) ?? "", deed.doing);
  return failed(`${seen} (${detail})`, remedy);
}

function account(code: string, doing: StoreFacts["doing"]): FolderAccount {
  const denied = code === "EACCES" || code === "EPERM";
  if (denied && (doing === "read" || doing === "list")) {
    return ["this process may not read it", "allow the process's user to read there"];
  }
  const known = accounts.find(([, , ...codes]) => codes.includes(code));
  return known ?? ["the file system failed", "fix that and try again"];
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
