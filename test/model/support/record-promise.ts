// Promise of the record about the public paths: each path shows the state that the record names as written, except paths where that
// state, or another that a path may show, differs from the current one.
import { ownOf } from "../../support/places.ts";
import { pointerPath } from "../../../publish/state/state.ts";
import type { FileEntry } from "../../../site/manifest.schema.ts";
import { siteRecord } from "../../../publish/step/record.ts";
import { readKept } from "../../../vault/note.ts";
import { sha256 } from "../../../vault/files.ts";
import type { Stores } from "../../support/stores.ts";
import type { Trees } from "./trees.ts";

export async function pathsNobodyKnowsOf({ site, vault }: Stores, trees: Trees): Promise<string[]> {
  const { current, written, partlyWritten, unclean } = (await readKept(ownOf(vault), siteRecord)).value;
  if (written === null || current === null) return [];
  let isAnyGone = false;
  const filesOf = async (hash: string): Promise<ReadonlyMap<string, FileEntry>> => {
    const { files: found, holes } = await trees.read(hash);
    isAnyGone ||= holes.length > 0;
    return found;
  };
  const files = await filesOf(written.manifest);
  const wanted = await filesOf(current.manifest);
  const doubtful = new Set<string>();
  const late = unclean.flatMap(({ states }) => states);
  for (const from of [written.manifest, ...partlyWritten, ...late]) {
    const before = await filesOf(from);
    for (const path of [...before.keys(), ...wanted.keys()])
      if (before.get(path)?.object !== wanted.get(path)?.object) doubtful.add(path);
  }
  if (isAnyGone) return []; // a state that a dead owner wrote was cleaned up
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
