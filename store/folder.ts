// A store in a folder of this machine, which a web server can serve as it stands: a key is a path below the root.
// Headers are not kept: a web server knows the type by the extension, and its own rules say how long to cache.
import { closeSync, fstatSync, openSync, readFile, mkdirSync, rmSync } from "node:fs";
import { join, resolve, basename, dirname } from "node:path";
import { promisify } from "node:util";
import { lstat, readdir } from "node:fs/promises";
import {
  type Condition,
  type Fence,
  type Refused,
  type Store,
  type StoreFacts,
  type Stored,
  type Written,
  always,
  refused,
  requireKey,
  versionOf,
} from "./store.ts";
import {
  codeOf,
  InTheWay,
  namingFolderFaults,
  namingListFaults,
  Replaced,
  unlessGone,
} from "./folder-faults.ts";
import {
  descend,
  reading,
  folderRootOf,
  stepsTo,
  isLost,
  isThere,
  takeAway,
  linkTemporary,
  writeTemporary,
  descendMaking,
  discard,
  keysIn,
  listIn,
} from "./folder-steps.ts";
import { underOneTaking, identityOf, createLockSharing } from "./lock.ts";
import { createFlush, createPutTogether } from "./folder-flush.ts";

const readWhole = promisify(readFile);
const attemptMs = 5_000; // far longer than a flush takes
const writesAtOnce = 256; // they share two flushes; more at once are hardly sooner done, and all are held in memory

/**
 * A write goes aside, is flushed, renamed into place under the lock, and the folder is flushed; many at once share the flushes.
 * Readers need no lock: a rename shows them the old file or the new one. The lock keeps other writers out between the look
 * whether the condition holds and the rename, and it is one for the whole folder because so little is done under it.
 * The look at each folder on the way keeps keys in the root; a link put there between the look and the rename is not
 * guarded against, for whoever can do that can write in the root anyway.
 */
export function openFolder(location: string, options: FolderOptions = {}): Store {
  const place = resolve(location);
  const deed = (doing: StoreFacts["doing"], key: string) => ({ doing, key, place });
  let current: Workshop | undefined;

  /** Leftovers are swept once for each opening, because a killed writer comes back as a new process. */
  async function workshopOf(): Promise<Workshop> {
    if (current !== undefined) return current;
    current = openWorkshop(place, options);
    const opened = current;
    await sweep(opened);
    return opened;
  }

  /**
   * Somebody may have removed the whole folder since: then it is made again, once. Where its disk was unmounted there still is
   * the empty folder below it; files written there would be out of sight as soon as the disk is back.
   */
  async function inWorkshop<Result>(work: (workshop: Workshop) => Promise<Result>): Promise<Result> {
    const workshop = await workshopOf();
    try {
      return await work(workshop);
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || folderRootOf(workshop.folder) !== undefined) throw error;
      if (isReplaced(workshop)) throw new Replaced(place);
      if (current === workshop) current = undefined;
      return work(await workshopOf());
    }
  }

  return {
    writesAtOnce,
    holdsBytes: 0,
    async read(key) {
      requireKey(key);
      return namingFolderFaults(deed("read", key), () => readFrom(place, key));
    },
    async write(key, body, _headers, when, fence) {
      requireKey(key);
      return inAttempt(fence, () =>
        namingFolderFaults(deed("write", key), () =>
          inWorkshop((workshop) => writeTo(workshop, key, body, when)),
        ),
      );
    },
    async link(from, key, fence) {
      requireKey(from);
      requireKey(key);
      return inAttempt(fence, () =>
        namingFolderFaults(deed("write", key), () => inWorkshop((workshop) => linkTo(workshop, from, key))),
      );
    },
    list: (prefix) => namingListFaults(deed("list", prefix), listIn(place, prefix)),
    keys: (prefix) => namingListFaults(deed("list", prefix), keysIn(place, prefix)),
    async remove(keys, fence) {
      for (const key of keys) requireKey(key);
      const [first] = keys;
      if (first === undefined || folderRootOf(place) === undefined) return;
      const what = keys.length === 1 ? first : `${first} and ${keys.length - 1} more`;
      await inAttempt(fence, () =>
        namingFolderFaults(deed("remove", what), () => inWorkshop((workshop) => removeFrom(workshop, keys))),
      );
    },
  };
}

/** A folder answers each call once it is over, so there is one attempt. */
async function inAttempt<Answer>(fence: Fence | undefined, work: () => Promise<Answer>): Promise<Answer> {
  const answered = await fence?.begin(attemptMs);
  try {
    return await work();
  } finally {
    answered?.();
  }
}

async function readFrom(place: string, key: string): Promise<Stored | undefined> {
  const root = folderRootOf(place);
  if (root === undefined || descend(root, stepsTo(key)) === undefined) return undefined;
  const path = join(root, key);
  const file = await unlessGone(() => openSync(path, reading));
  if (file === undefined) return undefined;
  try {
    if (!fstatSync(file).isFile()) throw new InTheWay(path, "EISDIR"); // would read as an empty file
    const bytes = await readWhole(file); // never written to once it has its name
    const body = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length); // not a Buffer, like the other stores
    return {
      body,
      get version() {
        return versionOf(body); // same version as of a write, for the few callers that need it
      },
    };
  } finally {
    closeSync(file);
  }
}

async function writeTo(
  { root, folder, putTogether }: Workshop,
  key: string,
  body: Uint8Array,
  when: Condition,
): Promise<Written | Refused> {
  if (isLost(root, key, when)) return refused; // the look that counts is under the lock
  const temporary = await writeTemporary(folder, body);
  if (!(await putTogether(key, temporary, when))) return refused;
  return {
    kind: "written",
    get version() {
      return versionOf(body); // computed for the few callers that need it: a twentieth of the write
    },
  };
}

async function linkTo({ root, folder, putTogether }: Workshop, from: string, key: string): Promise<boolean> {
  const temporary = linkTemporary(root, folder, from);
  if (temporary === undefined) return false;
  const isLinked = await putTogether(key, temporary, always, { isFlushed: true });
  rmSync(temporary, { force: true }); // a rename to a name of the same file leaves both names
  return isLinked;
}

async function removeFrom(workshop: Workshop, keys: readonly string[]) {
  const { root, underLock, flush } = workshop;
  const there = keys.filter((key) => isThere(root, key));
  for (const some of underOneTaking(there)) {
    const changed = await underLock(() => some.map((key) => takeAway(root, key)));
    await flush(new Set(changed.filter((folder) => folder !== undefined)));
  }
}

// The folder in which a store's writers work, and what they share there.
// One folder for all that is being written, so that leftovers are found with one look and a busy folder does not
// change twice a write. No key begins with a dot: it is in no key's way and in no listing.
export const workshopName = ".writing";
const leftoverName = /^[0-9a-f]{32}$/; // same length for all keys
const leftoverAgeMs = 3_600_000; // no write takes an hour

type Workshop = ReturnType<typeof openWorkshop>;

interface FolderOptions {
  /** A folder that is not there yet is made for its own user alone. */
  readonly isPrivate?: boolean;
  /** The private folder that has the lock in place of this one, which is served to readers. */
  readonly lockedIn?: string;
}

function openWorkshop(location: string, { isPrivate = false, lockedIn }: FolderOptions) {
  const { root, folder } = workshopIn(location, isPrivate);
  const underLock = createLockSharing(
    lockedIn === undefined ? join(folder, "lock") : join(workshopIn(lockedIn, true).folder, "site.lock"),
  );
  const flush = createFlush(root);
  const putTogether = createPutTogether({ root, underLock, flush });
  return { root, identity: identityOf(root), folder, underLock, flush, putTogether };
}

function workshopIn(location: string, isPrivate: boolean) {
  makeFolder(location, isPrivate);
  const root = folderRootOf(location) ?? location;
  const [folder] = descendMaking(root, [workshopName]);
  return { root, folder };
}

/** A private folder is for its own user alone; those above it, which may hold others, are as usual. */
function makeFolder(location: string, isPrivate: boolean) {
  if (folderRootOf(location) !== undefined) return;
  mkdirSync(isPrivate ? dirname(location) : location, { recursive: true });
  if (!isPrivate) return;
  try {
    mkdirSync(location, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error; // another process has made it
  }
}

/** Whether another folder lies in place of the one that was opened. */
function isReplaced({ root, identity }: Workshop): boolean {
  const found = identityOf(root);
  return found !== undefined && found !== identity;
}

/** Removes the leftovers of killed writers. */
async function sweep(workshop: Workshop): Promise<void> {
  const names = await readdir(workshop.folder, { recursive: true });
  for (const name of names.filter((each) => leftoverName.test(basename(each)))) {
    const path = join(workshop.folder, name);
    const found = await unlessGone(() => lstat(path));
    if (found !== undefined && Date.now() - found.mtimeMs > leftoverAgeMs) await discard(path);
  }
}
