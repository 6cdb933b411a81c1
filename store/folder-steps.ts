// Basic operations of a folder store: converting a key to a path, writing, removing, listing. store/folder-flush.ts defines the
// order of a write.
import { randomUUID } from "node:crypto";
import {
  linkSync,
  lstatSync,
  lutimesSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
  constants,
  mkdirSync,
  realpathSync,
  type Dirent,
  readdirSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { setImmediate as others } from "node:timers/promises";
import { dirname, join, basename } from "node:path";
import { type Condition, isFileName, isFolderName, type Listed, versionOf } from "./store.ts";
import { codeOf, InTheWay, unlessGone } from "./folder-faults.ts";

const stillInUse = ["ENOTEMPTY", "EEXIST", "EBUSY"]; // EBUSY: something is mounted there

/** A name that nobody reads. */
function temporaryIn(workshop: string): string {
  // Ten times as quick as random bytes: made ahead, many at once.
  return `${workshop}/${randomUUID().replaceAll("-", "")}`;
}

/** Writes the bytes under a name that nobody reads; they are yet to be flushed. */
export async function writeTemporary(workshop: string, body: Uint8Array): Promise<string> {
  const temporary = temporaryIn(workshop);
  try {
    writeFileSync(temporary, body, { flag: "wx" }); // in this thread: to hand it to another takes as long
    return temporary;
  } catch (error) {
    await discard(temporary);
    throw error;
  }
}

/**
 * Links a file of the store under a name that nobody reads. Undefined if that fails: the file system may have no links, the file too
 * many, or another owner. The link counts as a write, so the file gets the present time: web servers send it as `Last-Modified`,
 * which must not go back on a rollback, and the sweep for leftovers looks at it.
 */
export function linkTemporary(root: string, workshop: string, from: string): string | undefined {
  const temporary = temporaryIn(workshop);
  const path = `${root}/${from}`;
  try {
    if (descend(root, stepsTo(from)) === undefined || !lstatSync(path).isFile()) return undefined;
    const now = new Date();
    lutimesSync(path, now, now);
    linkSync(path, temporary);
    return temporary;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
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
  const changed = descendMaking(root, stepsTo(key), sound); // creates nothing if the folder exists
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

/** Removes the file and the folders that it leaves empty, under the lock, so that no writer loses the folder it writes in. */
export function takeAway(root: string, key: string): string | undefined {
  if (isRefused(() => unlinkSync(join(root, key)), ["ENOENT"])) return undefined;
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

// From a key to a path that lies in the store's root, whatever links stand there.
/** Opens nothing that is a link, and does not hang on a pipe. */
export const reading = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The root may itself be reached through links: that is the operator's choice. Undefined when it is not there yet. */
export function folderRootOf(location: string): string | undefined {
  try {
    return realpathSync.native(location);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The folder below the root; undefined when it is not there. Each step is looked at: a link could lead a key out of the root. */
export function descend(root: string, steps: readonly string[]): string | undefined {
  let folder = root;
  for (const step of steps) {
    folder = `${folder}/${step}`; // plain concatenation: `join` took a tenth of the time of a write
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (found.isSymbolicLink()) throw new InTheWay(folder, "ELOOP");
    if (!found.isDirectory()) throw new InTheWay(folder, "ENOTDIR");
  }
  return folder;
}

/**
 * Makes what is missing on the way down; answers the folder and, after it, the folders above that got a new entry. Those in
 * `sound` are passed without a look, and those that are looked at are added to it.
 */
export function descendMaking(
  root: string,
  steps: readonly string[],
  sound = new Set<string>(),
): [string, ...string[]] {
  const changed: string[] = [];
  let folder = root;
  for (const step of steps) {
    const above = folder;
    folder = `${above}/${step}`;
    if (sound.has(folder)) continue;
    if (descend(above, [step]) === undefined) {
      make(folder);
      changed.push(above);
    }
    sound.add(folder);
  }
  return [folder, ...changed];
}

/** Makes one folder. `recursive` is not used: on a read-only disk it reports that nothing is there. */
function make(folder: string) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error; // another process has made it
    descend(dirname(folder), [basename(folder)]); // or has it put something else there?
  }
}

export function stepsTo(key: string): string[] {
  return key.split("/").slice(0, -1);
}

/** The folders from `folder` up to the root, the root left out. */
function upwards(root: string, folder: string): string[] {
  return folder === root ? [] : [folder, ...upwards(root, dirname(folder))];
}

// The listing of a folder store: its own files in the order of keys, complete although others write and remove meanwhile.
export async function* listIn(place: string, prefix: string): AsyncGenerator<Listed> {
  for await (const key of keysIn(place, prefix)) {
    const found = lookAtFile(place, key);
    if (found !== undefined) yield found; // else it is gone by now
  }
}

export async function* keysIn(place: string, prefix: string): AsyncGenerator<string> {
  const steps = stepsTo(prefix);
  const root = steps.every(isFolderName) ? folderRootOf(place) : undefined;
  const folder = root === undefined ? undefined : descend(root, steps);
  if (folder !== undefined) yield* walk(folder, steps.map((step) => `${step}/`).join(""), prefix);
}

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
  const names = ours.filter(
    (name) => (start + name).startsWith(prefix) || (name.endsWith("/") && prefix.startsWith(start + name)),
  );
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
