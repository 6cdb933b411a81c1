// The folder in which a store's writers work, and what they share there.
import { mkdirSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf, unlessGone } from "./folder-faults.ts";
import { createFlush } from "./folder-flush.ts";
import { descendMaking, folderRootOf } from "./folder-paths.ts";
import { createPutTogether } from "./folder-together.ts";
import { discard } from "./folder-write.ts";
import { identityOf } from "./lock-file.ts";
import { createLockSharing } from "./lock.ts";

// One folder for all that is being written, so that leftovers are found with one look and a busy folder does not
// change twice a write. No key begins with a dot: it is in no key's way and in no listing.
export const workshopName = ".writing";
const leftoverName = /^[0-9a-f]{32}$/; // of one length, however long the key
const leftoverAgeMs = 3_600_000; // no write takes an hour

export type Workshop = ReturnType<typeof openWorkshop>;

export interface FolderOptions {
  /** A folder that is not there yet is made for its own user alone. */
  readonly isPrivate?: boolean;
  /** The private folder that has the lock in place of this one, which is served to readers. */
  readonly lockedIn?: string;
}

export function openWorkshop(location: string, { isPrivate = false, lockedIn }: FolderOptions) {
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
export function isReplaced({ root, identity }: Workshop): boolean {
  const found = identityOf(root);
  return found !== undefined && found !== identity;
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
