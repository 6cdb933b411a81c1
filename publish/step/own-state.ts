// The published state as a publisher may build on it: the one that this vault published last (judgement.ts), each file of it
// by its hash. Whoever can write to the site's store can put anything there, and what a publisher builds on it signs.
import { findState } from "./found-state.ts";
import { UnreadableFile } from "../../vault/json.ts";
import { always } from "../../store/store.ts";
import { manifestHeaders } from "../state/headers.ts";
import { type Manifest, manifestSchema } from "../state/manifest.schema.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import {
  type Manifests,
  manifestPath,
  NewerFormat,
  parseFormat,
  readManifest,
  type SiteState,
} from "../state/state.ts";
import { type Intent, keptManifest } from "./intents.ts";

/** The state to build on; undefined before the first publish. Throws StateRefused where the pointer's state is not ours. */
export async function ownState(
  place: PublishingPlace,
  known: Manifests = new Map(),
): Promise<SiteState | undefined> {
  const { stored, pointer, refusal, word } = await findState(place, known);
  if (refusal !== undefined) throw refusal;
  if (stored === undefined || pointer === undefined) return undefined;
  const manifest = await ownManifest(place, pointer.manifest, word.intents, known);
  return { pointer, pointerVersion: stored.version, manifest };
}

/** A manifest of ours, which is put back from its intent where it is lost or damaged. */
export async function ownManifest(
  place: PublishingPlace,
  hash: string,
  intents: readonly Intent[],
  known: Manifests,
): Promise<Manifest> {
  const path = manifestPath(hash);
  try {
    const there = await readManifest(place.site, hash, known);
    if (there !== undefined) return there;
  } catch (error) {
    // One of ours in a newer form is not damaged.
    if (!(error instanceof UnreadableFile) || error instanceof NewerFormat) throw error;
  }
  const bytes = await keptManifest(place, hash, intents);
  if (bytes === undefined) {
    throw new UnreadableFile(
      `${path} is not there or damaged, and so is its copy in the vault: \`almanac repair\` goes on from the state before`,
    );
  }
  const manifest = parseFormat(path, bytes, manifestSchema);
  await place.site.write(path, bytes, manifestHeaders, always);
  place.log.warn({ manifest: hash }, `${path} was missing or damaged, and is back as the vault has it`);
  known.set(hash, manifest);
  return manifest;
}
