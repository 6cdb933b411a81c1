// A published path in its manifest, and since when its bytes are these: back from state to state, of which only those parts
// are read that differ.
import type { Manifest } from "../publish/manifest.schema.ts";
import { groupOf, sameGroup } from "../publish/parts.ts";
import type { Published } from "../publish/published.ts";
import { objectPath, readManifest, type SiteState } from "../publish/state.ts";
import type { PublishedFile, Since } from "./answer.ts";

/** Each is a read that has to wait for the one before. */
const mostStates = 40;

export async function fileAt(
  path: string,
  { manifest }: Pick<SiteState, "manifest">,
  hash: string,
  published: Published,
): Promise<PublishedFile | undefined> {
  const part = groupOf(path);
  const entry = (await published.reader.files(manifest, part))[path];
  if (entry === undefined) return undefined;
  return {
    part,
    object: objectPath(entry.object, path),
    sizeBytes: entry.size,
    type: entry.type,
    since: await sinceWhen(path, entry.object, { manifest, hash }, published),
  };
}

interface State {
  readonly manifest: Manifest;
  readonly hash: string;
}

async function sinceWhen(
  path: string,
  object: string,
  newest: State,
  { site, reader }: Published,
): Promise<Since> {
  const group = groupOf(path);
  let state = newest;
  for (let looked = 1; ; looked += 1) {
    const { parent } = state.manifest;
    if (parent === null) return sinceOf(state, true);
    const before = looked < mostStates ? await readManifest(site, parent) : undefined;
    if (before === undefined) return sinceOf(state, false);
    const isSame =
      sameGroup(before, state.manifest, group) ||
      (await reader.files(before, group))[path]?.object === object;
    if (!isSame) return sinceOf(state, true);
    state = { manifest: before, hash: parent };
  }
}

function sinceOf({ manifest: { version, run, asOf }, hash }: State, isKnown: boolean): Since {
  return { version, manifest: hash, run, asOf, isKnown };
}
