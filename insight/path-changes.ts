// The files that the first publish with this code would change. The current pages are rendered once; on trial stores nothing is written.
import { type ArchiveInput, renderArchive } from "../publish/archive.ts";
import { groupOf, changesBetween } from "../publish/state/parts.ts";
import type { Publishing } from "../publish/state/publish-context.ts";
import { parsePath } from "../site/paths.ts";
import { tree } from "../site/tree.ts";
import { readWithheld } from "../vault/withheld.ts";

interface ChangedPath {
  readonly path: string;
  readonly kind: string;
  /** The hash of the new content; absent for a removed file. */
  readonly hash?: string | undefined;
}

/** In every language except those that a rollback pins, which no publish changes. */
export async function changedPaths(publishing: Publishing): Promise<ChangedPath[]> {
  const { pins } = (await readWithheld(publishing.vault.own)).note;
  const pinned = new Set(pins.map(({ language }) => language));
  const languages = publishing.configuration.languages.filter((one) => !pinned.has(one));
  if (languages.length === 0) return [];
  const changes = new Map<string, ChangedPath>();
  const onProposed: ArchiveInput["onProposed"] = async (next, { manifest, reader }) => {
    for (const { path } of await changesBetween(reader, manifest, next)) {
      const hash = (await reader.files(next, groupOf(path)))[path]?.object;
      changes.set(path, { path, kind: kindOfPath(path), hash });
    }
  };
  await renderArchive({ languages, evenMany: false, onProposed }, publishing);
  return [...changes.values()];
}

/** Such as `{lang}/daily/{sign}/{key}/index.html`. */
export function kindOfPath(path: string): string {
  const at = parsePath(path);
  if (at === undefined) return path;
  const kind = tree[at.row].path.replace("{language}", "{lang}");
  return "kind" in at
    ? kind.replace("{kind}", at.kind)
    : "operation" in at
      ? kind.replace("{operation}", at.operation)
      : kind;
}
