// The snapshots of a backup, and whose backup it is.
import { absent, type Store } from "../../store/store.ts";
import { parseJson, readJson, UnreadableFile, writeJson } from "../../vault/json.ts";
import { folderOf } from "../../vault/layout.ts";
import { type Copies, putCopy, readCopy } from "./copies.ts";
import {
  backupNoteSchema,
  type CopiedFile,
  fileListSchema,
  format,
  type Snapshot,
  snapshotSchema,
} from "./snapshot.schema.ts";

const noteKey = "backup.json";
const folder = "snapshots/";
const form = /^snapshots\/(\d{10})~(.+)\.json$/;

/** Thrown for a place that has no backup of this site. */
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

/** Responses are listed by day, week, month or year, so that a list of the past stays as it is. */
function listOf(key: string) {
  return folderOf(key, /^(?:responses|superseded|quarantine)\//.test(key) ? 3 : 2);
}
