// The faults of the file system, in words that an operator can act on.
import { type Deed, type StoreFacts, StoreFailure } from "./store.ts";
import { LockHeld } from "./lock.ts";

type FolderAccount = readonly [seen: string, remedy: string, ...codes: string[]];

const accounts: readonly FolderAccount[] = [
  ["the disk is full", "free some space and run it again; what was there before is untouched", "ENOSPC"],
  [
    "the disk quota is used up",
    "free some space and run it again; what was there before is untouched",
    "EDQUOT",
  ],
  [
    "it is read-only for this process",
    "give the process's user the right to write there",
    "EROFS",
    "EACCES",
    "EPERM",
  ],
  ["too many files are open", "do less at once, or raise the limit (ulimit -n)", "EMFILE", "ENFILE"],
  [
    "something is in the way that no store wrote there",
    "move it out of the store's folder",
    "EISDIR",
    "ENOTDIR",
    "EEXIST",
  ],
  ["a folder in it lies on another file system", "let the whole store lie on one", "EXDEV"],
  ["a symbolic link stands there", "put the real thing in its place: a store follows no links", "ELOOP"],
  ["the disk failed to do it", "look after the disk before anything else", "EIO"],
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
    return failed(detail, "look for a stopped one (state T in ps) and let it go on or end it");
  if (error instanceof Replaced)
    return failed(detail, "mount its disk again; if it was replaced on purpose, start the process again");
  const [seen, remedy] = account(codeOf(error) ?? "", deed.doing);
  return failed(`${seen} (${detail})`, remedy);
}

function account(code: string, doing: StoreFacts["doing"]): FolderAccount {
  const denied = code === "EACCES" || code === "EPERM";
  if (denied && (doing === "read" || doing === "list")) {
    return ["this process may not read it", "give the process's user the right to read there"];
  }
  const known = accounts.find(([, , ...codes]) => codes.includes(code));
  return known ?? ["the file system failed", "put that right and run it again"];
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
