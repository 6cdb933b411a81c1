// The intents: each state that this vault was about to publish, noted before the pointer names it. So a publisher can tell
// what it finds in the site's store, to which others may be able to write, from what it wrote itself.
//
// An intent's name says all that judging needs: its version, its manifest's hash, and the state whose place it takes. Its
// bytes are the manifest's own, so that a lost manifest can be put back. No version is used twice: a publisher writes its
// intent and then lists them; of two at once with the same version at least one sees the other, and takes another number.
import { folders, layout } from "../../vault/layout.ts";
import { always } from "../../store/store.ts";
import { sha256 } from "../../vault/sha256.ts";
import { manifestHeaders } from "../state/headers.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import type { HashedFile } from "../state/state.ts";

export interface Intent {
  readonly version: number;
  readonly manifest: string;
  /** The manifest in whose place it was to come; null at the first. */
  readonly after: string | null;
}

const nothing = "none";
const name = /\/(\d{10,16})~([0-9a-f]{64})~([0-9a-f]{64}|none)\.json$/;

export async function readIntents({ vault }: PublishingPlace): Promise<Intent[]> {
  const intents: Intent[] = [];
  for await (const { key } of vault.store.list(folders.intents)) {
    const [, version, manifest, after] = name.exec(key) ?? [];
    if (version === undefined || manifest === undefined || after === undefined) continue;
    intents.push({ version: Number(version), manifest, after: after === nothing ? null : after });
  }
  return intents;
}

export function intentKey({ version, manifest, after }: Intent): string {
  return layout.intent(String(version).padStart(10, "0"), manifest, after ?? nothing);
}

export async function writeIntent(place: PublishingPlace, intent: Intent, bytes: Uint8Array): Promise<void> {
  await place.vault.store.write(intentKey(intent), bytes, manifestHeaders, always);
}

/** The bytes of a manifest as its intent has them; undefined where none has them right. */
export async function keptManifest(
  { vault }: PublishingPlace,
  hash: string,
  intents: readonly Intent[],
): Promise<Uint8Array | undefined> {
  for (const intent of intents.filter(({ manifest }) => manifest === hash)) {
    const stored = await vault.store.read(intentKey(intent));
    if (stored !== undefined && sha256(stored.body) === hash) return stored.body;
  }
  return undefined;
}

export interface Intended {
  readonly version: number;
  readonly root: HashedFile;
}

/**
 * Notes the state that is to come after another one, under a version above `above` and above all that was ever noted. `make`
 * gives its manifest. A retry finds its intent and goes on with it.
 */
export async function intend(
  place: PublishingPlace,
  after: string | null,
  above: number,
  make: (version: number) => HashedFile,
): Promise<Intended> {
  let intents = await readIntents(place);
  const isAlone = (intent: Intent) =>
    !intents.some(({ version, manifest }) => version === intent.version && manifest !== intent.manifest);
  for (const intent of intents.filter((one) => one.after === after && one.version > above)) {
    const root = make(intent.version);
    if (root.hash === intent.manifest && isAlone(intent)) return { version: intent.version, root };
  }
  for (let rank = 0; ;) {
    const version = Math.max(above, ...intents.map((one) => one.version)) + 1 + rank;
    const root = make(version);
    const intent = { version, manifest: root.hash, after };
    await writeIntent(place, intent, root.bytes);
    intents = await readIntents(place);
    if (isAlone(intent)) return { version, root };
    // All that have met on this number go on to different ones.
    const met = intents.filter((one) => one.version === version).map(({ manifest }) => manifest);
    rank = met.sort().indexOf(root.hash);
  }
}

const mostKept = 50;
const forgottenEvery = 10;

/** Clears away old intents, with every tenth version: none that is as new as that one. */
export async function forgetIntents(place: PublishingPlace, version: number): Promise<void> {
  if (version % forgottenEvery !== 0) return;
  const intents = await readIntents(place);
  const old = intents.sort((one, other) => other.version - one.version).slice(mostKept);
  const keys = old.filter((one) => one.version < version).map(intentKey);
  if (keys.length > 0) await place.vault.store.remove(keys);
}
