// What the pointer names, judged: whether it is the state that this vault published last (judgement.ts), and what is if not.
import { lastPublished } from "./last-published.ts";
import { UnreadableFile, unlessDamaged } from "../../vault/json.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import type { Stored } from "../../store/store.ts";
import { isRootFile, parsePath } from "../../site/paths.ts";
import { type Manifest, type Pointer, pointerSchema } from "../state/manifest.schema.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import {
  type Manifests,
  manifestPath,
  NewerFormat,
  parseFormat,
  pointerPath,
  readManifest,
} from "../state/state.ts";
import { readIntents, writeIntent } from "./intents.ts";
import { readJournal } from "./journal.ts";
import type { NamedState } from "./record.ts";
import { signedByUs } from "./site-state.ts";
import { refusalOf, refusalOfLost, refusalOfNewer, type StateRefused } from "./refusal.ts";
import {
  judge,
  type Judgement,
  lastConfirmed,
  maybeCleared,
  versionIntended,
  type VaultWord,
} from "./judgement.ts";

/** What was found in the site's store, and what the vault says of it. */
export interface FoundState {
  /** The pointer's bytes as they lie there. */
  readonly stored: Stored | undefined;
  /** Undefined where it is not there or damaged. */
  readonly pointer: Pointer | undefined;
  readonly word: VaultWord;
  /** The newest confirmed state. */
  readonly confirmed: NamedState | undefined;
  /** The last state that is ours by the vault's word: the confirmed one, or what may have come in its place. */
  readonly last: NamedState | undefined;
  /** Why nothing may be built on it; undefined where it is ours, or nothing was published yet. */
  readonly refusal: StateRefused | undefined;
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
  const read = stored && pointerIn(stored);
  const word = await vaultWord(place, known);
  const confirmed = lastConfirmed(word);
  const found = { stored, pointer: read?.pointer, word, confirmed };
  const judgement = read?.pointer && (await judged(place, read.pointer, word, known));
  const isNothing = stored === undefined && (confirmed === undefined || (await isEmptied(place)));
  if (judgement === "ours" || isNothing) return { ...found, last: confirmed, refusal: undefined };
  const last = await lastPublished(place, confirmed, word, known);
  const refusal =
    read?.pointer !== undefined && judgement !== undefined
      ? refusalOf(read.pointer, judgement, signedByUs(place, read.pointer), last)
      : read?.isNewer === true
        ? refusalOfNewer(last)
        : refusalOfLost(stored, last);
  return { ...found, last, refusal };
}

/** `isNewer`: it says that a newer version wrote it, which is not to be taken for damage, nor to be believed. */
function pointerIn({ body }: Stored): { readonly pointer?: Pointer; readonly isNewer: boolean } {
  try {
    return { pointer: parseFormat(pointerPath, body, pointerSchema), isNewer: false };
  } catch (error) {
    if (error instanceof UnreadableFile) return { isNewer: error instanceof NewerFormat };
    throw error;
  }
}

/** Whether somebody emptied the store, to begin anew: nothing of ours is left in it. */
async function isEmptied({ site }: PublishingPlace) {
  for await (const { key } of site.list("")) {
    const at = parsePath(key);
    if (at !== undefined && !isRootFile(at)) return false;
  }
  return true;
}

export async function vaultWord(place: PublishingPlace, known: Manifests = new Map()): Promise<VaultWord> {
  const intents = await readIntents(place);
  const { journal } = await readJournal(place);
  const byManifest = (manifest: string) =>
    unlessDamaged(() => readManifest(place.site, manifest, known)).then((found) => found?.version);
  const hashes = new Set([journal.shown, ...journal.underWay.map(({ to }) => to)]);
  const named = await inParallel(hashes, async (manifest): Promise<NamedState[]> => {
    if (manifest === null) return [];
    const version = versionIntended(manifest, intents) ?? (await byManifest(manifest));
    return [{ manifest, version: version ?? 0 }];
  });
  const word = { intents, journal: named.flat() };
  const cleared = await inParallel(maybeCleared(word), async (manifest): Promise<NamedState[]> => {
    const version = await byManifest(manifest);
    return version === undefined ? [] : [{ manifest, version }];
  });
  return { ...word, cleared: cleared.flat() };
}

async function judged(
  place: PublishingPlace,
  pointer: Pointer,
  word: VaultWord,
  known: Manifests,
): Promise<Exclude<Judgement, "taken over">> {
  const isSigned = signedByUs(place, pointer);
  const manifest = await unlessDamaged(() => readManifest(place.site, pointer.manifest, known));
  const judgement = judge({ manifest: pointer.manifest, parent: manifest?.parent, isSigned }, word);
  if (judgement !== "taken over") return judgement;
  await takeOver(place, pointer.manifest, manifest, word);
  return "ours";
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
