// Makes a lost pointer or part again from the journal and the stable paths. A part's own hash says whether it came out right.
import { type Store, always } from "../../store/store.ts";
import { typeOf } from "../../site/draft.ts";
import { UnreadableFile } from "../../vault/json.ts";
import { sha256 } from "../../vault/sha256.ts";
import { manifestHeaders } from "../state/headers.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { readJournal } from "../step/journal.ts";
import { type FileEntry, type Manifest, pointerSchema } from "../state/manifest.schema.ts";
import { isOwnPath } from "../../site/paths.ts";
import { groupOf, withGroup } from "../state/parts.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { manifestPath, NewerFormat, parseFormat, pointerPath, readManifest } from "../state/state.ts";
import { pointerTo, writePointer } from "../step/pointer-swap.ts";

/** Puts the pointer back to the newest state that the journal names as shown or about to be; true when it could. */
export async function remakePointer(place: PublishingPlace): Promise<boolean> {
  const { site } = place;
  const stored = await site.read(pointerPath);
  if (stored !== undefined && isReadable(stored.body)) return false;
  const { journal } = await readJournal(place);
  let newest: { readonly hash: string; readonly manifest: Manifest } | undefined;
  for (const hash of [journal.shown, ...journal.underWay.map(({ to }) => to)]) {
    const manifest = hash === null ? undefined : await readManifest(site, hash);
    if (hash === null || manifest === undefined) continue;
    if (newest === undefined || manifest.version > newest.manifest.version) newest = { hash, manifest };
  }
  if (newest === undefined) {
    throw new UnreadableFile(
      `${pointerPath} is ${stored === undefined ? "not there" : "damaged"}, and the vault has no note of what was shown: nothing was published from this vault, or it is another site's`,
    );
  }
  const pointer = pointerTo(newest.hash, newest.manifest.version, place);
  return writePointer(place, pointer, stored?.version);
}

/** Whether the pointer can be read. Throws for the pointer of a newer version, which is not lost. */
function isReadable(body: Uint8Array) {
  try {
    parseFormat(pointerPath, body, pointerSchema);
    return true;
  } catch (error) {
    if (error instanceof NewerFormat || !(error instanceof UnreadableFile)) throw error;
    return false;
  }
}

/** Makes lost parts again, whose entries the stable paths show; returns the paths of those that were put back. */
export async function remakeParts(site: Store, manifest: Manifest): Promise<string[]> {
  const lost = new Set<string>();
  await inParallel(new Set(Object.values(manifest.parts)), async (hash) => {
    const stored = await site.read(manifestPath(hash));
    if (stored === undefined || sha256(stored.body) !== hash) lost.add(hash);
  });
  if (lost.size === 0) return [];
  const groups = new Map<string, Record<string, FileEntry>>();
  const paths = await Array.fromAsync(site.list(""), ({ key }) => key);
  await inParallel(paths.filter(isOwnPath), async (path) => {
    const stored = await site.read(path);
    if (stored === undefined) return;
    const files = groups.get(groupOf(path)) ?? {};
    files[path] = { object: sha256(stored.body), size: stored.body.length, type: typeOf(path) };
    groups.set(groupOf(path), files);
  });
  const made = [...groups].flatMap(([group, files]) => withGroup({}, group, files).made);
  const right = made.filter(({ hash }) => lost.delete(hash));
  await inParallel(right, ({ hash, bytes }) =>
    site.write(manifestPath(hash), bytes, manifestHeaders, always),
  );
  const [first] = lost;
  if (first === undefined) return right.map(({ hash }) => manifestPath(hash));
  throw new UnreadableFile(
    `${manifestPath(first)}${lost.size > 1 ? ` and ${lost.size - 1} more parts are` : " is"} missing or damaged, and the stable paths do not make it again: bring it back from a copy of the store (the name is its SHA-256)`,
  );
}
