// The files of the site that a snapshot has: manifests, parts and objects, from its state back as far as a rollback may go.
// The public paths are made of them (repair/repair.ts).
import { z } from "zod";
import { inParallel, type ObjectHeaders, type Store } from "../../store/store.ts";
import {
  parseJson,
  UnreadableFile,
  sha256,
  folders,
  isOfOtherSite,
  layout,
  siteFolder,
  siteFolders,
  siteLayout,
} from "../../vault/files.ts";
import { manifestHeaders, objectHeaders } from "../state/headers.ts";
import { keptSince } from "../history/past-states.ts";
import { type Manifest, manifestSchema, partSchema } from "../../site/manifest.schema.ts";
import { manifestPath, objectPath, parseFormat } from "../state/state.ts";
import { readCopy } from "./snapshots.ts";

export interface SiteRecord {
  readonly key: string;
  readonly copy: string;
  readonly headers: ObjectHeaders;
}

/**
 * In steps, to be written one after the other: a manifest comes when all that it names is there. Known manifests and parts are not
 * read, and neither is anything that they name.
 */
export async function recordsOf(
  backup: Store,
  state: string | null,
  keepDays: number,
  ifLost: (path: string, reason: string) => void,
  known: ReadonlySet<string> = new Set(),
): Promise<SiteRecord[][]> {
  const manifests = await manifestsFrom(backup, state, keepDays, ifLost, known);
  const parts = new Set(manifests.flatMap(({ manifest }) => Object.values(manifest.parts))).difference(known);
  const objects = new Map<string, SiteRecord>();
  await inParallel(parts, async (part) => {
    const path = manifestPath(part);
    const read = async () => parseJson(path, await readCopy(backup, part), partSchema);
    const found = await unlessLost(path, ifLost, read);
    for (const [shownAt, { object, type }] of Object.entries(found?.files ?? {})) {
      const key = objectPath(object, shownAt);
      objects.set(key, { key, copy: object, headers: objectHeaders(type) });
    }
  });
  const recordOf = (hash: string) => ({ key: manifestPath(hash), copy: hash, headers: manifestHeaders });
  const oldestFirst = manifests.toReversed().map(({ hash }) => [recordOf(hash)]);
  return [[...objects.values()], [...parts].map(recordOf), ...oldestFirst];
}

async function manifestsFrom(
  backup: Store,
  state: string | null,
  keepDays: number,
  ifLost: (path: string, reason: string) => void,
  known: ReadonlySet<string>,
) {
  const found: { readonly hash: string; readonly manifest: Manifest }[] = [];
  for (let hash = state; hash !== null && !known.has(hash);) {
    const path = manifestPath(hash);
    const copy = hash;
    const read = async () => parseFormat(path, await readCopy(backup, copy), manifestSchema);
    // A clean-up may have taken an earlier state before it was ever copied.
    const manifest = await unlessLost(path, hash === state ? ifLost : () => undefined, read);
    if (manifest === undefined) break;
    const newest = found[0]?.manifest ?? manifest;
    if (manifest.asOf < keptSince(new Date(newest.asOf), keepDays).toISOString()) break;
    found.push({ hash, manifest });
    hash = manifest.parent;
  }
  return found;
}

/** Undefined if a copy is lost or damaged; `ifLost` is called with it. */
export async function unlessLost<Result>(
  path: string,
  ifLost: (path: string, reason: string) => void,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    ifLost(path, error.message);
    return undefined;
  }
}

const pictures = layout.picture("", "").slice(0, -1);

export function isLeftOut(key: string, site: string): boolean {
  const { plans, record, manifests } = siteFolders;
  const own = [siteLayout.lease, siteLayout.upkeep, plans, record, manifests];
  const left = [folders.leases, folders.endpoints, ...own.map((within) => siteFolder(site) + within)];
  return isOfOtherSite(key, site) || left.some((beginning) => key.startsWith(beginning));
}

/** Whether the bytes can be those that were written there. */
export function isSound(key: string, bytes: Uint8Array): boolean {
  if (key.startsWith(pictures)) return key.includes(sha256(bytes));
  if (!key.endsWith(".json") || key.startsWith(folders.damaged)) return true; // a copy of damaged bytes, as they were found
  try {
    parseJson(key, bytes, z.unknown());
    return true;
  } catch {
    return false;
  }
}
