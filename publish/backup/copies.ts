// The copies in a backup: bytes under their own hash. So what is there is not copied again, one kind of file holds stored responses,
// objects, manifests and lists alike, and a copy that a disk has changed is seen when it is read.
import { UnreadableFile, sha256 } from "../../vault/json.ts";
import { always, type Store } from "../../store/store.ts";

/** A backup with the hashes of all that it has. */
export interface Copies {
  readonly backup: Store;
  readonly there: Set<string>;
  /** What was added since it was opened. */
  readonly added: { files: number; bytes: number };
}

const folder = "copies/";
const headers = { type: "application/octet-stream" } as const;

function copyKey(hash: string): string {
  return `${folder}${hash.slice(0, 2)}/${hash}.bin`;
}

export async function openCopies(backup: Store): Promise<Copies> {
  const there = new Set<string>();
  for await (const { key } of backup.list(folder)) there.add(hashIn(key));
  return { backup, there, added: { files: 0, bytes: 0 } };
}

/** Removes unneeded copies, except young ones: an interrupted backup continues with the copies that it made. */
export async function removeCopies(
  { backup, there }: Copies,
  isNeeded: (hash: string) => boolean,
  before: Date,
): Promise<number> {
  const removed: string[] = [];
  for await (const { key, modifiedAt } of backup.list(folder)) {
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
