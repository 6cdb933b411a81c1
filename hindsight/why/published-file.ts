// A published path in its manifest, and since when it has its present bytes. It goes back from state to state and reads only
// the parts that differ.
import type { Manifest } from "../../publish/state/manifest.schema.ts";
import { groupOf, sameGroup } from "../../publish/state/parts.ts";
import { manifestPath, objectPath, readManifest } from "../../publish/state/state.ts";
import type { PublishedFile } from "./answer.ts";
import type { WhySources } from "./sources.ts";

/** How many states it goes back: each is a read that has to wait for the one before. */
const mostStates = 40;

export async function fileAt(path: string, look: WhySources): Promise<PublishedFile | undefined> {
  const { state, published } = look;
  if (state === undefined) return undefined;
  const part = groupOf(path);
  const entry = (await published.reader.files(state.manifest, part))[path];
  if (entry === undefined) return undefined;
  return {
    part,
    object: objectPath(entry.object, path),
    sizeBytes: entry.size,
    type: entry.type,
    since: await sinceWhen(
      path,
      entry.object,
      { manifest: state.manifest, hash: state.pointer.manifest },
      look,
    ),
  };
}

interface StateAndHash {
  readonly manifest: Manifest;
  readonly hash: string;
}

async function sinceWhen(path: string, object: string, newest: StateAndHash, look: WhySources) {
  let state = newest;
  for (let looked = 1; looked < mostStates; looked += 1) {
    const { parent } = state.manifest;
    if (parent === null) return sinceOf(state, true);
    const before = await look.unlessNoted(manifestPath(parent), () => stateBefore(path, parent, state, look));
    if (before === undefined) return sinceOf(state, false);
    if (before.object !== object) return sinceOf(state, true);
    state = before;
  }
  return sinceOf(state, false);
}

/** The state before one, with the file on the path; undefined where that state was removed. */
async function stateBefore(path: string, hash: string, after: StateAndHash, { published }: WhySources) {
  const manifest = await readManifest(published.site, hash);
  if (manifest === undefined) return undefined;
  const group = groupOf(path);
  const same = sameGroup(manifest, after.manifest, group) ? after.manifest : manifest;
  return { manifest, hash, object: (await published.reader.files(same, group))[path]?.object };
}

function sinceOf({ manifest: { version, run, asOf }, hash }: StateAndHash, isKnown: boolean) {
  return { version, manifest: hash, run, asOf, isKnown };
}
