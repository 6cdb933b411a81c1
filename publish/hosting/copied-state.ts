// Copies the published state for a host that takes a folder and few files: its stable paths with pointer, manifest and parts, and
// neither objects nor states of before. Each file is held against its hash as it is read, so that a copy is whole or there is none.
//
// With the whole archive the records are the published ones, byte for byte. Where older texts are left out, the copy is a state of
// its own, of the same version: its manifest lists what is there and nothing else, and its pointer is signed anew.
import type { KeyObject } from "node:crypto";
import { pathOf } from "../../site/paths.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import type { Store } from "../../store/store.ts";
import { UnreadableFile } from "../../vault/json.ts";
import { sha256 } from "../../vault/sha256.ts";
import { canonical } from "../state/canonical.ts";
import type { FileEntry, Manifest, Pointer } from "../state/manifest.schema.ts";
import { createPartReader, groupsIn, type PartReader, withGroup } from "../state/parts.ts";
import { signed } from "../state/signature.ts";
import {
  entryOf,
  hashed,
  manifestPath,
  objectPath,
  pointerPath,
  readHashed,
  readManifest,
} from "../state/state.ts";
import { daysIn } from "./recent-paths.ts";
import { type IsLeftOut, relinked } from "./relinked.ts";

export interface StateToCopy {
  readonly site: Store;
  readonly pointer: Pointer;
  readonly manifest: Manifest;
  readonly reader: PartReader;
  /** All of its files, by group. */
  readonly groups: ReadonlyMap<string, Readonly<Record<string, FileEntry>>>;
}

interface CopySettings {
  readonly siteUrl: string;
  /** How many days of the archive are copied; all of it unless said. */
  readonly days: number | undefined;
  /** Signs the pointer of a copy that is a state of its own. */
  readonly signer: KeyObject | undefined;
  /** Takes the files of the copy, each once. */
  readonly put: (path: string, bytes: Uint8Array) => Promise<void>;
  readonly onProgress?: (done: number, of: number) => void;
}

export interface CopiedState {
  readonly version: number;
  readonly manifest: string;
  /** How many files of the archive were left out. */
  readonly leftOut: number;
}

/** Thrown where a copy can't be made as it was asked for. */
export class NotCopied extends Error {
  override readonly name = "NotCopied";
}

export async function stateToCopy(site: Store, pointer: Pointer): Promise<StateToCopy> {
  const manifest = await readManifest(site, pointer.manifest);
  if (manifest === undefined) throw lost(manifestPath(pointer.manifest), "not there");
  const reader = createPartReader(site);
  const read = async (group: string) => [group, await reader.files(manifest, group)] as const;
  return { site, pointer, manifest, reader, groups: new Map(await inParallel(groupsIn(manifest), read)) };
}

export async function copyState(state: StateToCopy, settings: CopySettings): Promise<CopiedState> {
  const { days, signer, put } = settings;
  const { pointer, groups } = state;
  const daysOf = await daysIn(state);
  const isLeftOut: IsLeftOut = (path) => days !== undefined && daysOf(path) > days;
  const all = [...groups.values()].flatMap((files) => Object.entries(files));
  const wanted = all.filter(([path]) => !isLeftOut(path));
  const isWhole = wanted.length === all.length;
  if (!isWhole && pointer.signature !== undefined && signer === undefined)
    throw new NotCopied(
      "the site is signed, and without all of its archive it has to be signed anew: run it where ALMANAC_SIGNING_KEY is set, or without --days",
    );
  const kept = await copyFiles(state, wanted, isWhole ? undefined : isLeftOut, settings);
  const records = isWhole ? await publishedRecords(state) : ownRecords(state, kept, signer);
  // The pointer comes last, as in a publish: whoever sees it finds all that it leads to.
  for (const [path, bytes] of records.files) await put(path, bytes);
  return { version: pointer.version, manifest: records.manifest, leftOut: all.length - kept.size };
}

/** Without what leads to files that are left out, where some are. */
async function copyFiles(
  { site }: StateToCopy,
  wanted: readonly (readonly [string, FileEntry])[],
  isLeftOut: IsLeftOut | undefined,
  { siteUrl, put, onProgress }: CopySettings,
): Promise<Map<string, FileEntry>> {
  const kept = new Map<string, FileEntry>();
  const empty = new Set<string>();
  const isGone: IsLeftOut = (path) => empty.has(path) || isLeftOut?.(path) === true;
  const copy = async ([path, entry]: readonly [string, FileEntry]) => {
    const bytes = await readObject(site, path, entry);
    const left = isLeftOut === undefined ? bytes : relinked(path, bytes, isGone, siteUrl);
    if (left === undefined) return void empty.add(path);
    await put(path, left);
    kept.set(path, left === bytes ? entry : entryOf(left, entry.type));
    onProgress?.(kept.size, wanted.length);
  };
  // The index of the sitemaps comes last, because it lists those that list something.
  const index = pathOf({ row: "sitemapIndex" });
  await inParallel(
    wanted.filter(([path]) => path !== index),
    copy,
  );
  await inParallel(
    wanted.filter(([path]) => path === index),
    copy,
  );
  return kept;
}

async function readObject(site: Store, path: string, { object }: FileEntry): Promise<Uint8Array> {
  const key = objectPath(object, path);
  const stored = await site.read(key);
  if (stored !== undefined && sha256(stored.body) === object) return stored.body;
  throw lost(key, stored === undefined ? "not there" : "damaged");
}

function lost(path: string, fault: string) {
  return new UnreadableFile(`${path} of the published state is ${fault}: \`almanac repair\` mends it`);
}

interface Records {
  readonly manifest: string;
  readonly files: readonly (readonly [path: string, bytes: Uint8Array])[];
}

async function publishedRecords({ site, pointer, manifest }: StateToCopy): Promise<Records> {
  const hashes = new Set([...Object.values(manifest.parts), pointer.manifest]);
  const files = await inParallel(hashes, async (hash) => {
    const bytes = await readHashed(site, hash);
    if (bytes === undefined) throw lost(manifestPath(hash), "not there");
    return [manifestPath(hash), bytes] as const;
  });
  return { manifest: pointer.manifest, files: [...files, [pointerPath, canonical(pointer)]] };
}

/** `parent` is left out, because the state before is not there. */
function ownRecords(
  { pointer, manifest, groups }: StateToCopy,
  kept: ReadonlyMap<string, FileEntry>,
  signer: KeyObject | undefined,
): Records {
  let parts: Manifest["parts"] = {};
  const files: [string, Uint8Array][] = [];
  for (const [group, before] of groups) {
    const own = Object.fromEntries(
      Object.keys(before).flatMap((path) => {
        const entry = kept.get(path);
        return entry === undefined ? [] : [[path, entry]];
      }),
    );
    const next = withGroup(parts, group, own);
    for (const { hash, bytes } of next.made) files.push([manifestPath(hash), bytes]);
    ({ parts } = next);
  }
  const { hash, bytes } = hashed(canonical({ ...manifest, parent: null, parts }));
  const { signature: _old, ...unsigned } = pointer;
  const own = signed({ ...unsigned, manifest: hash }, signer);
  return { manifest: hash, files: [...files, [manifestPath(hash), bytes], [pointerPath, canonical(own)]] };
}
