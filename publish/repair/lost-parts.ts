// Makes lost parts again from the public paths. A part's own hash says whether it came out right.
import { type Store, always } from "../../store/store.ts";
import { typeOf } from "../../site/draft.ts";
import { sha256 } from "../../vault/sha256.ts";
import { manifestHeaders } from "../state/headers.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import type { FileEntry, Manifest } from "../state/manifest.schema.ts";
import { isOwnPath } from "../../site/paths.ts";
import { groupOf, withGroup } from "../state/parts.ts";
import { manifestPath } from "../state/state.ts";

export interface RemadeParts {
  /** The paths of those that were put back. */
  readonly made: readonly string[];
  /** The hashes of those that can't be made again. */
  readonly lost: ReadonlySet<string>;
}

/** Makes lost parts again, whose entries the public paths show. */
export async function remakeParts(site: Store, manifest: Manifest): Promise<RemadeParts> {
  const lost = new Set<string>();
  await inParallel(new Set(Object.values(manifest.parts)), async (hash) => {
    const stored = await site.read(manifestPath(hash));
    if (stored === undefined || sha256(stored.body) !== hash) lost.add(hash);
  });
  if (lost.size === 0) return { made: [], lost };
  const groups = new Map<string, Record<string, FileEntry>>();
  const paths = await Array.fromAsync(site.list(""), ({ key }) => key);
  await inParallel(paths.filter(isOwnPath), async (path) => {
    const stored = await site.read(path);
    if (stored === undefined) return;
    const files = groups.get(groupOf(path)) ?? {};
    files[path] = { object: sha256(stored.body), size: stored.body.length, type: typeOf(path) };
    groups.set(groupOf(path), files);
  });
  const made = [...groups].flatMap(([group, files]) => withGroup({}, group, files).made);
  const right = made.filter(({ hash }) => lost.delete(hash));
  await inParallel(right, ({ hash, bytes }) =>
    site.write(manifestPath(hash), bytes, manifestHeaders, always),
  );
  return { made: right.map(({ hash }) => manifestPath(hash)), lost };
}
