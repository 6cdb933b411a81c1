// What the first publish with this code would change: the current pages pressed once, each path that would come out otherwise than
// it is published, with its sizes. On trial stores nothing is written.
import { pressArchive } from "../publish/archive.ts";
import type { NextState } from "../publish/press/merged-state.ts";
import { groupOf } from "../publish/state/parts.ts";
import type { PublishedSite } from "../publish/state/published-files.ts";
import type { Publishing } from "../publish/state/publishing-place.ts";
import { changesBetween } from "../publish/step/changed-paths.ts";
import { parsePath } from "../site/paths.ts";
import { tree } from "../site/tree.ts";
import { readWithheld } from "../vault/withheld.ts";

interface ChangedPath {
  readonly path: string;
  readonly kind: string;
  readonly reason: "new" | "changed" | "gone";
  /** The hash of its bytes to come. */
  readonly object?: string | undefined;
  /** By how much it grows, or shrinks. */
  readonly growsBytes: number;
}

/** Of all languages but those that a rollback holds, which no publish changes. */
export async function changedPaths(publishing: Publishing): Promise<ChangedPath[]> {
  const { holds } = (await readWithheld(publishing.vault.own)).note;
  const languages = publishing.configuration.languages.filter(
    (one) => !holds.some(({ language }) => language === one),
  );
  if (languages.length === 0) return [];
  const changes = new Map<string, ChangedPath>();
  const onProposed = async (next: NextState, published: PublishedSite) => {
    for (const change of await sized(next, published)) changes.set(change.path, change);
  };
  await pressArchive({ languages, evenMany: false, onProposed }, publishing);
  return [...changes.values()];
}

async function sized(next: NextState, { manifest, reader }: PublishedSite): Promise<ChangedPath[]> {
  const changes = await changesBetween(reader, manifest, next);
  return Promise.all(
    changes.map(async ({ path, reason }) => {
      const before = (await reader.files(manifest, groupOf(path)))[path];
      const after = (await reader.files(next, groupOf(path)))[path];
      const growsBytes = (after?.size ?? 0) - (before?.size ?? 0);
      return { path, kind: kindOfPath(path), reason, object: after?.object, growsBytes };
    }),
  );
}

// What kind of file a path is: a changed template changes thousands of files of few kinds.

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
