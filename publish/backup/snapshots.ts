// Snapshots of a backup, its owner, and its copies, which are stored under their own hash. A file that exists is not copied again.
// One format holds stored responses, objects, manifests and lists. The hash shows on reading if a disk has changed a copy.
import { z } from "zod";
import { absent, type Store, always } from "../../store/store.ts";
import { parseJson, readJson, UnreadableFile, writeJson, sha256, folderOf } from "../../vault/files.ts";
import { hash as hashShape } from "../../site/manifest.schema.ts";

const noteKey = "backup.json";
const folder = "snapshots/";
const form = /^snapshots\/(\d{10})~(.+)\.json$/;

/** Thrown if the folder or bucket has no backup of this site. */
export class NotThisBackup extends Error {
  override readonly name = "NotThisBackup";
}

/** Makes the place a backup of this site, unless it is one; throws where it is another site's. */
export async function claimBackup(backup: Store, site: string): Promise<void> {
  await writeJson(backup, noteKey, { format, site }, absent);
  await requireBackupOf(backup, site);
}

export async function requireBackupOf(backup: Store, site: string, address = "this location"): Promise<void> {
  const note = await readJson(backup, noteKey, backupNoteSchema);
  if (note === undefined)
    throw new NotThisBackup(`no backup at ${address} (${noteKey} not found). Check the path`);
  if (note.site !== site) {
    throw new NotThisBackup(
      `this is the backup of the site "${note.site}", but site.id in almanac.config.ts is "${site}". Use another location`,
    );
  }
}

export interface NamedSnapshot {
  readonly key: string;
  readonly number: number;
  readonly at: string;
}

/** Oldest first. */
export async function snapshotsIn(backup: Store): Promise<NamedSnapshot[]> {
  const found: NamedSnapshot[] = [];
  for await (const { key } of backup.list(folder)) {
    const [, number, at] = form.exec(key) ?? [];
    if (number !== undefined && at !== undefined) {
      found.push({ key, number: Number(number), at: at.replace(/T(\d\d)-(\d\d)-/, "T$1:$2:") });
    }
  }
  return found;
}

export async function readSnapshot(backup: Store, { key }: NamedSnapshot): Promise<Snapshot> {
  const snapshot = await readJson(backup, key, snapshotSchema);
  if (snapshot === undefined)
    throw new UnreadableFile(`${key} of the backup was removed during the work. Try again`);
  return snapshot;
}

/** The vault's files in a snapshot, by key. `ifLost` is called for a lost or damaged list; without it, that is an error. */
export async function filesIn(
  backup: Store,
  { lists }: Snapshot,
  ifLost: (path: string, reason: string) => void = (_, reason) => {
    throw new UnreadableFile(reason);
  },
): Promise<Map<string, CopiedFile>> {
  const files = new Map<string, CopiedFile>();
  for (const [name, hash] of Object.entries(lists)) {
    try {
      const { files: listed } = parseJson(name, await readCopy(backup, hash), fileListSchema);
      for (const [key, file] of Object.entries(listed)) files.set(key, file);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      ifLost(`all that the vault has under ${name}/`, error.message);
    }
  }
  return files;
}

/** Writes the lists and then the snapshot, which makes all of it count. */
export async function writeSnapshot(
  copies: Copies,
  files: ReadonlyMap<string, CopiedFile>,
  facts: Pick<Snapshot, "at" | "state" | "version">,
): Promise<Snapshot> {
  // Responses are listed by day, week, month or year, so that a list of the past stays as it is.
  const listOf = (key: string) => folderOf(key, /^(?:responses|superseded|quarantine)\//.test(key) ? 3 : 2);
  const lists: Record<string, string> = {};
  for (const [name, listed] of Map.groupBy(files, ([key]) => listOf(key))) {
    const content = JSON.stringify({ files: Object.fromEntries(listed) });
    lists[name] = await putCopy(copies, new TextEncoder().encode(content));
  }
  const { backup } = copies;
  for (;;) {
    const number = ((await snapshotsIn(backup)).at(-1)?.number ?? 0) + 1;
    const snapshot: Snapshot = { format, number, ...facts, lists };
    const key = `${folder}${String(number).padStart(10, "0")}~${facts.at.replaceAll(":", "-")}.json`;
    if ((await writeJson(backup, key, snapshot, absent)).kind === "written") return snapshot;
  }
}

/** A backup with the hashes of all that it has. */
export interface Copies {
  readonly backup: Store;
  readonly there: Set<string>;
  /** The copies that were added since it was opened. */
  readonly added: { files: number; bytes: number };
}

const copiesFolder = "copies/";
const headers = { type: "application/octet-stream" } as const;

function copyKey(hash: string): string {
  return `${copiesFolder}${hash.slice(0, 2)}/${hash}.bin`;
}

export async function openCopies(backup: Store): Promise<Copies> {
  const there = new Set<string>();
  for await (const { key } of backup.list(copiesFolder)) there.add(hashIn(key));
  return { backup, there, added: { files: 0, bytes: 0 } };
}

/** Removes unneeded copies, except young ones: an interrupted backup continues with the copies that it made. */
export async function removeCopies(
  { backup, there }: Copies,
  isNeeded: (hash: string) => boolean,
  before: Date,
): Promise<number> {
  const removed: string[] = [];
  for await (const { key, modifiedAt } of backup.list(copiesFolder)) {
    if (modifiedAt < before && !isNeeded(hashIn(key))) removed.push(key);
  }
  await backup.remove(removed);
  for (const key of removed) there.delete(hashIn(key));
  return removed.length;
}

function hashIn(key: string) {
  return key.slice(key.lastIndexOf("/") + 1, -".bin".length);
}

/** Returns the hash under which the bytes are there now. */
export async function putCopy({ backup, there, added }: Copies, bytes: Uint8Array): Promise<string> {
  const hash = sha256(bytes);
  if (there.has(hash)) return hash;
  await backup.write(copyKey(hash), bytes, headers, always);
  there.add(hash);
  added.files += 1;
  added.bytes += bytes.length;
  return hash;
}

/** Throws where the copy is lost or damaged. */
export async function readCopy(backup: Store, hash: string): Promise<Uint8Array> {
  const stored = await backup.read(copyKey(hash));
  if (stored !== undefined && sha256(stored.body) === hash) return stored.body;
  const what = stored === undefined ? "missing" : "damaged";
  throw new UnreadableFile(
    `${copyKey(hash)} of the backup is ${what}. Try an earlier snapshot (\`--list\`). If vault and site still have the file, remove the copy and run \`almanac backup\` again`,
  );
}

const format = 1;

const backupNoteSchema = z.object({ format: z.literal(format), site: z.string() });

const snapshotSchema = z.object({
  format: z.literal(format),
  /** Orders the snapshots, independent of clocks. */
  number: z.int().min(1),
  at: z.iso.datetime(),
  /** The manifest of the published state, of which the backup has every file; null before the first publish. */
  state: hashShape.nullable(),
  version: z.int().min(0),
  /** The lists of the vault's files, by the beginning of their keys: each is a copy. */
  lists: z.record(z.string(), hashShape),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

const copiedFile = z.object({
  copy: hashShape,
  size: z.int().min(0),
  /** The tag of these bytes in a listing of the vault: while it is the same, they need not be read again. */
  tag: z.string().optional(),
});
export type CopiedFile = z.infer<typeof copiedFile>;

const fileListSchema = z.object({ files: z.record(z.string(), copiedFile) });
