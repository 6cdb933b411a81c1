// The single steps by which a folder store changes; store/folder-together.ts has their order.
import { type Condition, versionOf } from "./store.ts";
import { randomUUID } from "node:crypto";
import { lstatSync, readFileSync, renameSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf, InTheWay } from "./folder-faults.ts";
import { descend, descendMaking, reading, stepsTo, upwards } from "./folder-paths.ts";

const stillInUse = ["ENOTEMPTY", "EEXIST", "EBUSY"]; // EBUSY: something is mounted there

/** Writes the bytes under a name that nobody reads; they are yet to be flushed. */
export async function writeTemporary(workshop: string, body: Uint8Array): Promise<string> {
  // Ten times as quick as random bytes: made ahead, many at once.
  const temporary = `${workshop}/${randomUUID().replaceAll("-", "")}`;
  try {
    writeFileSync(temporary, body, { flag: "wx" }); // in this thread: to hand it to another takes as long
    return temporary;
  } catch (error) {
    await discard(temporary);
    throw error;
  }
}

/** Removes the file aside and throws nothing, so that the first error stays; a later sweep finds what is left. */
export async function discard(temporary: string): Promise<void> {
  await rm(temporary, { force: true }).catch(() => undefined);
}

/** Looks without the lock whether a conditional write is lost already, so that it need not wait for the disk. */
export function isLost(root: string, key: string, when: Condition): boolean {
  return when.kind === "version" && when.version !== currentVersion(root, key);
}

/**
 * To be called under the lock; returns the folders that changed, or undefined when the condition does not hold. `sound` are the
 * folders that were looked at under this taking of the lock.
 */
export function putInPlace(
  root: string,
  { key, temporary, when }: { readonly key: string; readonly temporary: string; readonly when: Condition },
  sound: Set<string>,
): string[] | undefined {
  const path = `${root}/${key}`;
  if (isLost(root, key, when)) return undefined;
  const changed = descendMaking(root, stepsTo(key), sound); // where something is already, that makes nothing
  if (when.kind === "absent" && !isFree(path)) return undefined;
  renameSync(temporary, path);
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

/** To be called under the lock, so that no conditional write loses its file. */
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
