// The listing of a folder store: its own files in the order of keys, complete although others write and remove meanwhile.
import { type Listed, isFileName, isFolderName } from "./store.ts";
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as others } from "node:timers/promises";
import { unlessGone } from "./folder-faults.ts";

const mostReadings = 5;
/** A look at so many takes some hundred microseconds; then other work of this process has its turn. */
const namesAtOnce = 64;

/** The keys below `folder`, which begin with `start` (empty or ending in a slash). */
export async function* walk(
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
export function lookAtFile(root: string, key: string): Listed | undefined {
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
  for (let reading = 0; reading < mostReadings; reading++) {
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
