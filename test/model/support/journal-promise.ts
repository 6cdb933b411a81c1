// What the journal promises of the stable paths: each shows the state that the journal names, but for those that a line of it
// says are being rewritten.
import { journalNote } from "../../../publish/step/journal.ts";
import { pointerPath } from "../../../publish/state/state.ts";
import type { FileEntry } from "../../../publish/state/manifest.schema.ts";
import { readNote } from "../../../vault/note.ts";
import { sha256 } from "../../../vault/sha256.ts";
import type { Stores } from "../../support/stores.ts";
import type { Trees } from "./trees.ts";

export async function pathsNobodyKnowsOf({ site, vault }: Stores, trees: Trees): Promise<string[]> {
  const { shown, underWay } = await readNote(vault, journalNote);
  if (shown === null) return [];
  let isAnyGone = false;
  const filesOf = async (hash: string | null): Promise<ReadonlyMap<string, FileEntry>> => {
    if (hash === null) return new Map<string, FileEntry>();
    const { files: found, holes } = await trees.read(hash);
    isAnyGone ||= holes.length > 0;
    return found;
  };
  const files = await filesOf(shown);
  const doubtful = new Set<string>();
  for (const { from, to } of underWay) {
    const [before, after] = [await filesOf(from), await filesOf(to)];
    for (const path of [...before.keys(), ...after.keys()])
      if (before.get(path)?.object !== after.get(path)?.object) doubtful.add(path);
  }
  if (isAnyGone) return []; // a state of a dead publisher's line was cleaned up: it may have written any path
  const wrong: string[] = [];
  const missing = new Set(files.keys());
  for await (const { key, tag } of site.list("")) {
    missing.delete(key);
    const isStable = key !== pointerPath && !/^v1\/(?:objects|manifests)\//.test(key);
    if (!isStable || doubtful.has(key)) continue;
    const body = tag === undefined ? (await site.read(key))?.body : undefined;
    if ((body === undefined ? tag : sha256(body)) !== files.get(key)?.object) wrong.push(key);
  }
  return [...wrong, ...[...missing].filter((path) => !doubtful.has(path))];
}
