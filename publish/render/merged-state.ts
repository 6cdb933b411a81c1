// Merges newly rendered files into the published state: whole parts, and the objects, which are put before them. Objects are put as
// soon as they are rendered, so a night of all languages holds the files of only one at a time.
import type { PublishingOn } from "../state/published-files.ts";
import { groupAt } from "../../site/paths.ts";
import { inParallel, always, type ObjectHeaders, type Store } from "../../store/store.ts";
import type { FileEntry, Manifest } from "../../site/manifest.schema.ts";
import { groupOf, type PartReader, withGroup } from "../state/parts.ts";
import type { RenderedFile } from "../../site/edition.ts";
import { objectHeaders, manifestHeaders } from "../state/headers.ts";
import { entryOf, type HashedFile, objectPath, manifestPath } from "../state/state.ts";

/** A file whose bytes are put or already in the base. */
export interface StoredFile extends Omit<RenderedFile, "bytes" | "type"> {
  readonly entry: FileEntry;
}

/** The changes that files bring to a state. */
interface MergedFiles {
  readonly parts: Manifest["parts"];
  /** The part files that the base does not have. */
  readonly newParts: readonly HashedFile[];
  /** The objects that are not put yet. */
  readonly newObjects: readonly Put[];
  /** Number of paths that differ from the base. */
  readonly changed: number;
}

/** The next state, before it is written. */
export interface NextState extends MergedFiles {
  /** The new fingerprint; absent for that of the state before, because a step seldom renders the whole tree. */
  readonly fingerprint?: string;
  /** Dependencies of all languages and months; absent if those of the previous state apply. */
  readonly dependencies?: Manifest["dependencies"];
}

/**
 * Paths that were not rendered this time stay as they are: a missing answer never removes a page. `leaves` names the ones
 * that the configuration or an operator takes away. The reader knows the new parts from then on.
 */
export async function merge(
  base: Pick<Manifest, "parts"> | undefined,
  rendered: readonly (RenderedFile | StoredFile)[],
  leaves: readonly string[],
  reader: PartReader,
): Promise<MergedFiles> {
  let parts = base?.parts ?? {};
  const newParts: HashedFile[] = [];
  let changed = 0;
  const newObjects = new Map<string, Put>();
  const groups = Map.groupBy(rendered, ({ at }) => groupAt(at));
  for (const path of leaves) if (!groups.has(groupOf(path))) groups.set(groupOf(path), []);
  // The groups are read in parallel here, which is quicker on a bucket; below the reader has them already.
  await inParallel(groups.keys(), (group) => reader.files(base, group));
  for (const [group, files] of groups) {
    const before = await reader.files(base, group);
    const leaving = new Set(leaves.filter((path) => before[path] !== undefined));
    const fresh = files.flatMap((file) => {
      const entry = "entry" in file ? file.entry : entryOf(file.bytes, file.type);
      const known = leaving.has(file.path) ? undefined : before[file.path];
      return known?.object === entry.object && known.type === entry.type ? [] : [{ file, entry }];
    });
    if (leaving.size + fresh.length === 0) continue; // nearly every group of a publish is unchanged
    changed += leaving.size + fresh.length;
    const after: Record<string, FileEntry> = { ...before };
    const held = new Set(Object.entries(before).map(([path, { object }]) => objectPath(object, path)));
    for (const path of leaving) delete after[path];
    for (const { file, entry } of fresh) {
      const { path } = file;
      after[path] = entry;
      // An object that the base lists is there; any other one is put, even if an old copy may be there.
      const key = objectPath(entry.object, path);
      if ("bytes" in file && !held.has(key))
        newObjects.set(key, { key, bytes: file.bytes, headers: objectHeaders(entry.type) });
    }
    const next = withGroup(parts, group, after);
    const had = new Set(Object.values(parts));
    newParts.push(...next.made.filter(({ hash }) => !had.has(hash)));
    parts = next.parts;
  }
  reader.know(newParts);
  return { parts, newParts, newObjects: [...newObjects.values()], changed };
}

interface Put {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly headers: ObjectHeaders;
}

/** A manifest, or a part of one. */
export function manifestPut({ hash, bytes }: HashedFile): Put {
  return { key: manifestPath(hash), bytes, headers: manifestHeaders };
}

export interface Puts {
  readonly keys: Set<string>;
  /** Cached bytes, as far as there is space: public paths get the same bytes, and need not read them. */
  readonly held: Map<string, Uint8Array>;
  roomBytes: number;
}

/** A step of a publish: the state that it builds on, and the objects that it has put. */
export type PublishStep = PublishingOn & { readonly puts: Puts };

export function newPuts(
  roomBytes: number,
  held = new Map<string, Uint8Array>(),
  keys = new Set<string>(),
): Puts {
  return { keys, held, roomBytes };
}

/** Writes without a condition: that renews the age of an object that is there, so that no clean-up takes it from us. */
export async function putMissing(site: Store, files: readonly Put[], puts: Puts): Promise<void> {
  const missing = files.filter(({ key }) => !puts.keys.has(key));
  const put = ({ key, bytes, headers }: Put) => site.write(key, bytes, headers, always);
  await inParallel(missing, put, site.writesAtOnce);
  for (const { key, bytes } of missing) {
    puts.keys.add(key);
    if (bytes.length > puts.roomBytes) continue;
    puts.held.set(key, bytes);
    puts.roomBytes -= bytes.length;
  }
}
