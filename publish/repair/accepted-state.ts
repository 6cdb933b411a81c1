// A person's word for the state that the pointer names, where the vault came back from a copy that is older than the site: it
// is taken as ours if a key of ours has signed it, it is newer than all that the vault knows, and every hash of it is right.
import { unlessDamaged } from "../../vault/json.ts";
import { manifestSchema } from "../state/manifest.schema.ts";
import { createPartReader, groupsIn } from "../state/parts.ts";
import type { PublishContext } from "../state/publish-context.ts";
import { manifestPath, parseFormat, pointerPath, readHashed } from "../state/state.ts";
import { becoming, writeManifestCopy } from "../step/record.ts";
import type { Owned } from "../step/recovery.ts";
import { withSite } from "../step/site-owner.ts";
import { signedByUs } from "../step/site-state.ts";

/** Thrown where the word can't be taken. */
export class StateNotAccepted extends Error {
  override readonly name = "StateNotAccepted";
}

/** Part of a hash could be made by trying. */
const hashLength = 64;

export function acceptState(context: PublishContext, wanted: string): Promise<void> {
  return withSite(context, "accept a state", (owned) => acceptOwned(owned, wanted));
}

export async function acceptOwned(context: Owned, wanted: string): Promise<void> {
  const { owner } = context;
  const { pointer, refusal } = owner.found;
  const { highest, current } = owner.record.value;
  if (refusal === undefined)
    throw new StateNotAccepted("this vault published the current version, so there is nothing to accept");
  if (pointer === undefined) throw new StateNotAccepted(`${refusal.message}. There is no version to accept`);
  if (wanted.length !== hashLength || wanted !== pointer.manifest) {
    throw new StateNotAccepted(`${pointerPath} names manifest ${pointer.manifest}, not ${wanted}`);
  }
  if (signedByUs(context, pointer) === false) {
    throw new StateNotAccepted(`${pointerPath} is not signed by a key of publishing.publicKeys`);
  }
  const { site } = context;
  const bytes = await unlessDamaged(() => readHashed(site, wanted));
  const manifest =
    bytes && (await unlessDamaged(async () => parseFormat(manifestPath(wanted), bytes, manifestSchema)));
  if (bytes === undefined || manifest === undefined || manifest.version !== pointer.version) {
    throw new StateNotAccepted(`the manifest ${wanted} is missing or damaged, or has another version`);
  }
  if (manifest.version <= highest) {
    throw new StateNotAccepted(
      `version ${manifest.version} is not newer than version ${highest}, which this vault knows. \`almanac repair\` continues from version ${current?.version}`,
    );
  }
  const reader = createPartReader(site);
  for (const group of groupsIn(manifest)) await reader.files(manifest, group); // throws where a part is not right
  const state = { version: manifest.version, manifest: wanted };
  await writeManifestCopy(context.vault.own, state, bytes);
  // Nothing is known of the public paths.
  await owner.record.note((before) => ({
    ...becoming(before, state),
    highest: manifest.version,
    written: null,
    partlyWritten: [],
  }));
  owner.found = { ...owner.found, judgement: "current", refusal: undefined };
}
