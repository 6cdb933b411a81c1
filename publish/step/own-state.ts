// The published state as a publisher may build on it: the one that this vault published last (judgement.ts), each file of it
// by its hash. Whoever can write to the site's store can put anything there, and what a publisher builds on it signs.
import type { KeyObject } from "node:crypto";
import { UnreadableFile, unlessDamaged } from "../../vault/json.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { always, type Stored } from "../../store/store.ts";
import { beginningOf } from "../../site/paths.ts";
import { manifestHeaders } from "../state/headers.ts";
import { type Manifest, manifestSchema, type Pointer, pointerSchema } from "../state/manifest.schema.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { isSignedBy } from "../state/signature.ts";
import {
  type Manifests,
  manifestPath,
  NewerFormat,
  parseFormat,
  pointerPath,
  readManifest,
  type SiteState,
} from "../state/state.ts";
import { type Intent, keptManifest, readIntents, writeIntent } from "./intents.ts";
import { readJournal } from "./journal.ts";
import { refusalOf, refusalOfLost, StateRefused } from "./refusal.ts";
import { judge, lastConfirmed, type NamedState, versionIntended, type VaultWord } from "./judgement.ts";

/** What was found in the site's store, and what the vault says of it. */
export interface FoundState {
  /** The pointer's bytes as they lie there. */
  readonly stored: Stored | undefined;
  /** Undefined where it is not there or damaged. */
  readonly pointer: Pointer | undefined;
  readonly word: VaultWord;
  /** The last state that is ours by the vault's word. */
  readonly last: NamedState | undefined;
  /** Why nothing may be built on it; undefined where it is ours, or nothing was published yet. */
  readonly refusal: StateRefused | undefined;
}

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

/**
 * Looks at the pointer first and at the vault then, which names a state before the pointer does. A refusal counts only where
 * the pointer still stands as it was: else somebody published in between.
 */
export async function findState(place: PublishingPlace, known: Manifests = new Map()): Promise<FoundState> {
  for (;;) {
    const found = await findOnce(place, known);
    if (found.refusal === undefined) return found;
    const again = await place.site.read(pointerPath);
    if (again?.version === found.stored?.version) return found;
  }
}

async function findOnce(place: PublishingPlace, known: Manifests): Promise<FoundState> {
  const stored = await place.site.read(pointerPath);
  const pointer = stored && (await unlessDamaged(async () => pointerIn(stored)));
  const word = await vaultWord(place, known);
  const last = lastConfirmed(word);
  const found = { stored, pointer, word, last };
  if (pointer !== undefined) {
    return { ...found, refusal: await judged(place, pointer, word, known) };
  }
  if (stored === undefined && (last === undefined || (await isEmptied(place)))) {
    return { ...found, refusal: undefined };
  }
  return { ...found, refusal: refusalOfLost(stored, last) };
}

/** Throws for the pointer of a newer version, which is not damaged. */
function pointerIn({ body }: Stored): Pointer | undefined {
  try {
    return parseFormat(pointerPath, body, pointerSchema);
  } catch (error) {
    if (error instanceof NewerFormat) throw new StateRefused(pointerPath, error.message, { cause: error });
    throw error;
  }
}

/** Whether somebody emptied the store, to begin anew. */
async function isEmptied({ site }: PublishingPlace) {
  for await (const _any of site.list(beginningOf("manifest"))) return false;
  return true;
}

export async function vaultWord(place: PublishingPlace, known: Manifests = new Map()): Promise<VaultWord> {
  const intents = await readIntents(place);
  const { journal } = await readJournal(place);
  const hashes = new Set([journal.shown, ...journal.underWay.map(({ to }) => to)]);
  const named = await inParallel(hashes, async (manifest): Promise<NamedState[]> => {
    if (manifest === null) return [];
    const version =
      versionIntended(manifest, intents) ??
      (await unlessDamaged(() => readManifest(place.site, manifest, known)))?.version;
    return [{ manifest, version: version ?? 0 }];
  });
  return { intents, journal: named.flat() };
}

async function judged(
  place: PublishingPlace,
  pointer: Pointer,
  word: VaultWord,
  known: Manifests,
): Promise<StateRefused | undefined> {
  const isSigned = signedByUs(place, pointer);
  const manifest = await unlessDamaged(() => readManifest(place.site, pointer.manifest, known));
  const judgement = judge({ manifest: pointer.manifest, parent: manifest?.parent, isSigned }, word);
  switch (judgement) {
    case "ours":
      return undefined;
    case "taken over":
      await takeOver(place, pointer.manifest, manifest, word);
      return undefined;
    case "unsigned":
    case "older":
    case "not ours":
      return refusalOf(pointer, judgement, isSigned, lastConfirmed(word));
  }
}

/** Undefined where there is no key to tell. */
export function signedByUs(
  { publicKeys = [], signer }: PublishingPlace,
  pointer: Pointer,
): boolean | undefined {
  const keys: KeyObject[] = [...publicKeys, ...(signer === undefined ? [] : [signer])];
  return keys.length === 0 ? undefined : isSignedBy(pointer, keys);
}

/** Notes, once, a state that a version of before has published. */
async function takeOver(
  place: PublishingPlace,
  hash: string,
  manifest: Manifest | undefined,
  { intents }: VaultWord,
) {
  if (manifest === undefined || intents.some((one) => one.manifest === hash)) return;
  const stored = await place.site.read(manifestPath(hash));
  if (stored === undefined) return;
  const { version, parent } = manifest;
  await writeIntent(place, { version, manifest: hash, after: parent }, stored.body);
  const facts = { version, manifest: hash };
  place.log.warn(
    facts,
    `version ${version} was published without an intent, as earlier versions of Almanac do, and counts as this vault's own from now on: \`almanac log\` shows what it is`,
  );
}

/** A manifest of ours, which is put back from its intent where it is lost or damaged. */
export async function ownManifest(
  place: PublishingPlace,
  hash: string,
  intents: readonly Intent[],
  known: Manifests,
): Promise<Manifest> {
  const there = await unlessDamaged(() => readManifest(place.site, hash, known));
  if (there !== undefined) return there;
  const path = manifestPath(hash);
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
