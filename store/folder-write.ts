// How a folder store changes: aside first, then into place under the lock, then made to last.
import { type Condition, versionOf } from "./store.ts";
import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fsync,
  lstatSync,
  mkdirSync,
  open,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { codeOf, InTheWay, unlessGone } from "./folder-faults.ts";
import { descend, descendMaking, reading, folderRootOf, stepsTo, upwards } from "./folder-paths.ts";
import { createLockSharing } from "./lock.ts";
import { identityOf } from "./lock-file.ts";

// One folder for all that is being written, so that leftovers are found with one look and a busy folder does not
// change twice a write. No key begins with a dot: it is in no key's way and in no listing.
const workshopName = ".writing";
const leftoverName = /^[0-9a-f]{32}$/; // of one length, however long the key
const leftoverAgeMs = 3_600_000; // no write takes an hour
const stillInUse = ["ENOTEMPTY", "EEXIST", "EBUSY"]; // EBUSY: something is mounted there

// To hand a call to Node's threads and back costs more than most calls take, so only calls that wait for the disk go there.
const opened = promisify(open);
const synced = promisify(fsync);

export type Workshop = ReturnType<typeof openWorkshop>;

export function openWorkshop(location: string) {
  mkdirSync(location, { recursive: true });
  const root = folderRootOf(location) ?? location;
  const [folder] = descendMaking(root, [workshopName]);
  return {
    root,
    identity: identityOf(root),
    folder,
    underLock: createLockSharing(join(folder, "lock")),
    syncFolders: createFolderSync(),
  };
}

/** Whether another folder lies in place of the one that was opened. */
export function isReplaced({ root, identity }: Workshop): boolean {
  const found = identityOf(root);
  return found !== undefined && found !== identity;
}

/** Writes the bytes onto the disk itself, under a name that nobody reads. */
export async function writeAside(workshop: Workshop, body: Uint8Array): Promise<string> {
  const name = randomUUID().replaceAll("-", ""); // ten times as quick as random bytes: made ahead, many at once
  // One of sixteen folders, because files are made and moved at the same time, and in one folder each waits for the other.
  const [folder] = descendMaking(workshop.folder, [name.slice(0, 1)]);
  const aside = join(folder, name);
  // To make a file may wait for the file system's journal, and ext4 passes over every lately removed file (0.3 ms: measured).
  const file = await opened(aside, "wx");
  try {
    writeFileSync(file, body); // into memory
    await synced(file); // before the rename: else a power cut could leave the new name with nothing in it
  } catch (error) {
    await discard(aside);
    throw error;
  } finally {
    closeSync(file);
  }
  return aside;
}

/** Removes the file aside and throws nothing, so that the first error stays; a later sweep finds what is left. */
export async function discard(aside: string): Promise<void> {
  await rm(aside, { force: true }).catch(() => undefined);
}

/** Looks without the lock whether a swap is lost already, so that it need not wait for the disk. */
export function isLost(root: string, key: string, when: Condition): boolean {
  return when.kind === "version" && when.version !== currentVersion(root, key);
}

/** To be called under the lock; returns the folders that changed, or undefined when the condition does not hold. */
export function putInPlace(root: string, key: string, aside: string, when: Condition): string[] | undefined {
  const path = join(root, key);
  if (isLost(root, key, when)) return undefined;
  const changed = descendMaking(root, stepsTo(key)); // where something is already, that makes nothing
  if (when.kind === "absent" && !isFree(path)) return undefined;
  renameSync(aside, path);
  return changed;
}

function isFree(path: string) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return true;
  if (found.isFile()) return false;
  throw new InTheWay(path, found.isSymbolicLink() ? "ELOOP" : "EISDIR");
}

function currentVersion(root: string, key: string) {
  if (descend(root, stepsTo(key)) === undefined) return undefined;
  try {
    return versionOf(readFileSync(join(root, key), { flag: reading }));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Looks without the lock, as a reader does, whether there is a file to remove. */
export function isThere(root: string, key: string): boolean {
  if (descend(root, stepsTo(key)) === undefined) return false;
  return lstatSync(join(root, key), { throwIfNoEntry: false }) !== undefined;
}

/** To be called under the lock, so that no swap has its file taken from under it. */
function takeFile(root: string, key: string): boolean {
  return !isRefused(() => unlinkSync(join(root, key)), ["ENOENT"]);
}

/** Removes the file and the folders that it leaves empty, under the lock, so that no writer loses the folder it writes in. */
export function takeAway(root: string, key: string): string | undefined {
  if (!takeFile(root, key)) return undefined;
  const above = upwards(root, dirname(join(root, key)));
  return above.find((folder) => isRefused(() => rmdirSync(folder), stillInUse)) ?? root;
}

function isRefused(step: () => void, codes: readonly string[]) {
  try {
    step();
    return false;
  } catch (error) {
    if (codes.includes(codeOf(error) ?? "")) return true;
    throw error;
  }
}

interface Syncing {
  running: Promise<void>;
  /** The sync that begins when the running one has ended: it serves all who ask meanwhile, because it sees their changes too. */
  next: Promise<void> | undefined;
}

/** Many writers of one folder share its syncs: of 32 at once, some 30 wait for one and the same. */
function createFolderSync() {
  const syncing = new Map<string, Syncing>();
  const begin = (path: string) => {
    const running = syncFolder(path);
    const entry: Syncing = { running, next: undefined };
    syncing.set(path, entry);
    const ended = () => {
      if (entry.next === undefined) syncing.delete(path);
    };
    running.then(ended, ended);
    return running;
  };
  const sync = (path: string) => {
    const entry = syncing.get(path);
    if (entry === undefined) return begin(path);
    entry.next ??= entry.running.catch(() => undefined).then(() => begin(path));
    return entry.next;
  };
  /** Makes renames and removals in these folders outlast a power cut. */
  return async (folders: Iterable<string>) => {
    await Promise.all([...new Set(folders)].map(sync));
  };
}

async function syncFolder(path: string) {
  const folder = await unlessGone(() => openSync(path, constants.O_RDONLY | constants.O_DIRECTORY));
  if (folder === undefined) return; // emptied since
  try {
    await synced(folder);
  } finally {
    closeSync(folder);
  }
}

/** Removes the leftovers of killed writers. */
export async function sweep(workshop: Workshop): Promise<void> {
  const names = await readdir(workshop.folder, { recursive: true });
  for (const name of names.filter((each) => leftoverName.test(basename(each)))) {
    const path = join(workshop.folder, name);
    const found = await unlessGone(() => lstat(path));
    if (found !== undefined && Date.now() - found.mtimeMs > leftoverAgeMs) await discard(path);
  }
}
