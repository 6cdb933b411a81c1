// The listing of a folder store: what it wrote, in the order of keys, whole while others write and remove.
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { unlessGone } from "./folder-faults.ts";
import { isFileName, isFolderName, type Listed } from "./store.ts";

const mostReadings = 5;
const looksAtOnce = 64;

/** Walks below `folder`, whose keys begin with `start` (empty or ending in a slash). */
export async function* walk(folder: string, start: string, prefix: string): AsyncGenerator<Listed> {
  const ours = (await entriesOf(folder)).flatMap(nameInOrder);
  const names = ours.filter((name) => mayHold(start + name, prefix));
  names.sort(); // by UTF-16 units, which for keys is the order of their bytes
  for (let at = 0; at < names.length; at += looksAtOnce) {
    const looks = names.slice(at, at + looksAtOnce).map((name) => look(folder, start, name));
    for (const [index, found] of (await Promise.all(looks)).entries()) {
      const name = names[at + index] ?? "";
      if (name.endsWith("/")) yield* walk(join(folder, name), start + name, prefix);
      else if (found !== undefined) yield found;
    }
  }
}

/** A folder sorts as what its keys begin with: `a-b.json` comes before `a/b.json`, though `a` comes before `a-b.json`. */
function nameInOrder(entry: Dirent): string[] {
  if (entry.isDirectory() && isFolderName(entry.name)) return [`${entry.name}/`];
  return entry.isFile() && isFileName(entry.name) ? [entry.name] : []; // a link or a stranger: no store wrote it
}

function mayHold(key: string, prefix: string): boolean {
  if (key.endsWith("/") && prefix.startsWith(key)) return true;
  return key.startsWith(prefix);
}

async function look(folder: string, start: string, name: string): Promise<Listed | undefined> {
  if (name.endsWith("/")) return undefined;
  const found = await unlessGone(() => lstat(join(folder, name)));
  return found && { key: start + name, sizeBytes: found.size, modifiedAt: found.mtime };
}

/**
 * What a folder holds. One reading can miss a name that is overwritten meanwhile, on file systems that then move the
 * name (tmpfs: 898 of 1,194 readings beside a busy writer; ext4: none). So it is read again until it stood still
 * during a reading, and all that any reading saw counts: whatever is gone by then is dropped at the look.
 */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const seen = new Map<string, Dirent>();
  for (let reading = 0; reading < mostReadings; reading++) {
    const before = await unlessGone(() => lstat(folder, { bigint: true }));
    const entries = await unlessGone(() => readdir(folder, { withFileTypes: true }));
    const after = await unlessGone(() => lstat(folder, { bigint: true }));
    for (const entry of entries ?? []) seen.set(entry.name, entry);
    if (before?.mtimeNs === after?.mtimeNs) break;
  }
  return [...seen.values()];
}
