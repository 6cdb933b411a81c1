// A store in a folder of this machine, which a web server can serve as it stands: a key is a path below the root.
// Headers are not kept: a web server knows the type by the extension, and its own rules say how long to cache.
import {
  type Condition,
  type Fence,
  type Listed,
  type Refused,
  type Store,
  type StoreFacts,
  type Stored,
  type Written,
  isFolderName,
  refused,
  requireKey,
  versionOf,
  isFileName,
} from "./store.ts";
import {
  closeSync,
  fstatSync,
  openSync,
  readFile,
  mkdirSync,
  type Dirent,
  lstatSync,
  readdirSync,
} from "node:fs";
import { join, resolve, basename, dirname } from "node:path";
import { promisify } from "node:util";
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
  writeTemporary,
  descendMaking,
  discard,
} from "./folder-write.ts";
import { underOneTaking, identityOf, createLockSharing } from "./lock.ts";
import { lstat, readdir } from "node:fs/promises";
import { createFlush, createPutTogether } from "./folder-flush.ts";
import { setImmediate as others } from "node:timers/promises";

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

async function* listIn(place: string, prefix: string): AsyncGenerator<Listed> {
  for await (const key of keysIn(place, prefix)) {
    const found = lookAtFile(place, key);
    if (found !== undefined) yield found; // else it is gone by now
  }
}

async function* keysIn(place: string, prefix: string): AsyncGenerator<string> {
  const steps = stepsTo(prefix);
  const root = steps.every(isFolderName) ? folderRootOf(place) : undefined;
  const folder = root === undefined ? undefined : descend(root, steps);
  if (folder !== undefined) yield* walk(folder, steps.map((step) => `${step}/`).join(""), prefix);
}

async function readFrom(place: string, key: string): Promise<Stored | undefined> {
  const root = folderRootOf(place);
  if (root === undefined || descend(root, stepsTo(key)) === undefined) return undefined;
  const path = join(root, key);
  const file = await unlessGone(() => openSync(path, reading));
  if (file === undefined) return undefined;
  try {
    if (!fstatSync(file).isFile()) throw new InTheWay(path, "EISDIR"); // which reads as if it were empty
    const bytes = await readWhole(file); // never written to once it has its name
    const body = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length); // as from the other stores, no Buffer
    return {
      body,
      get version() {
        return versionOf(body); // as of a write, for the few callers that need it
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
const leftoverName = /^[0-9a-f]{32}$/; // of one length, however long the key
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
  const underLock = createLockSharing(lockedIn === undefined ? join(folder, "lock") : siblingLock(lockedIn));
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

/** The lock of a folder that is served. */
function siblingLock(lockedIn: string): string {
  return join(workshopIn(lockedIn, true).folder, "site.lock");
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

// The listing of a folder store: its own files in the order of keys, complete although others write and remove meanwhile.
const mostReadings = 5;
/** A look at so many takes some hundred microseconds; then other work of this process has its turn. */
const namesAtOnce = 64;

/** The keys below `folder`, which begin with `start` (empty or ending in a slash). */
async function* walk(
  folder: string,
  start: string,
  prefix: string,
  passed = { names: 0 },
): AsyncGenerator<string> {
  const ours = (await entriesOf(folder)).flatMap(nameInOrder);
  const names = ours.filter((name) => mayHold(start + name, prefix));
  names.sort(); // by UTF-16 units, which for keys is the order of their bytes
  for (const name of names) {
    passed.names += 1;
    if (passed.names % namesAtOnce === 0) await others();
    if (name.endsWith("/")) yield* walk(join(folder, name), start + name, prefix, passed);
    else yield start + name;
  }
}

/** A folder sorts as what its keys begin with: `a-b.json` comes before `a/b.json`, though `a` comes before `a-b.json`. */
function nameInOrder(entry: Dirent) {
  if (entry.isDirectory() && isFolderName(entry.name)) return [`${entry.name}/`];
  return entry.isFile() && isFileName(entry.name) ? [entry.name] : []; // a link or a stranger: no store wrote it
}

function mayHold(key: string, prefix: string) {
  if (key.endsWith("/") && prefix.startsWith(key)) return true;
  return key.startsWith(prefix);
}

/** A look at a key's file: synchronous, as the reading of a folder, because handing it to another thread takes longer than the look itself. */
function lookAtFile(root: string, key: string): Listed | undefined {
  const found = lstatSync(`${root}/${key}`, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  // A write makes a new file, and nobody can set the time at which a file's inode was changed.
  const tag = `${found.ino} ${found.ctimeMs}`;
  return { key, sizeBytes: found.size, modifiedAt: found.mtime, tag };
}

/**
 * The entries of a folder. One reading can miss a name that is overwritten meanwhile, on file systems that then move the
 * name (tmpfs: 898 of 1,194 readings next to a busy writer; ext4: none). So the folder is read again until it did not change
 * during a reading, and every name that any reading saw counts: one that is gone by then is dropped at the look.
 */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const seen = new Map<string, Dirent>();
  for (let count = 0; count < mostReadings; count++) {
    const before = changedAt(folder);
    const entries = await unlessGone(() => readdirSync(folder, { withFileTypes: true }));
    for (const entry of entries ?? []) seen.set(entry.name, entry);
    if (before === changedAt(folder)) break;
  }
  return [...seen.values()];
}

function changedAt(folder: string): bigint | undefined {
  return lstatSync(folder, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
}
