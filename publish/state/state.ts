// The published state: pointer -> manifest -> parts -> files. Readers follow it, and so do we before we write the next.
import { z } from "zod";
import { pathOf } from "../../site/paths.ts";
import type { Store } from "../../store/store.ts";
import { parseJson, UnreadableFile, sha256 } from "../../vault/files.ts";
import {
  type FileEntry,
  format,
  type Manifest,
  manifestSchema,
  type Pointer,
  pointerSchema,
} from "../../site/manifest.schema.ts";

export const pointerPath = pathOf({ row: "pointer" });

export interface SiteState {
  readonly pointer: Pointer;
  readonly manifest: Manifest;
}

export function manifestPath(hash: string): string {
  return pathOf({ row: "manifest", hash });
}

/** Objects keep the extension of their path, so that a plain web server knows their type. */
export function objectPath(hash: string, path: string): string {
  return pathOf({ row: "object", hash, ending: path.slice(path.lastIndexOf(".") + 1) });
}

/** Manifests by hash. They never change, so each is read once. */
export type Manifests = Map<string, Manifest>;

/** The published state; undefined before the first publish. */
export async function readState(site: Store, known: Manifests = new Map()): Promise<SiteState | undefined> {
  const stored = await site.read(pointerPath);
  if (stored === undefined) return undefined;
  const pointer = parseFormat(pointerPath, stored.body, pointerSchema);
  const manifest = await readManifest(site, pointer.manifest, known);
  if (manifest !== undefined) return { pointer, manifest };
  throw new UnreadableFile(
    `${pointerPath} names ${manifestPath(pointer.manifest)}, which is missing. \`almanac repair\` restores it, or continues from the previous version`,
  );
}

export async function readManifest(
  site: Store,
  hash: string,
  known: Manifests = new Map(),
): Promise<Manifest | undefined> {
  const before = known.get(hash);
  if (before !== undefined) return before;
  const body = await readHashed(site, hash);
  if (body === undefined) return undefined;
  const manifest = parseFormat(manifestPath(hash), body, manifestSchema);
  known.set(hash, manifest);
  return manifest;
}

/** Whether a state came out of that earlier one, step by step. */
export async function isBuiltOn(
  state: Manifest,
  before: { readonly manifest: string; readonly version: number },
  site: Store,
  known?: Manifests,
): Promise<boolean> {
  let { parent, version } = state;
  while (parent !== null && parent !== before.manifest && version > before.version) {
    const step = await readManifest(site, parent, known);
    if (step === undefined) return false;
    ({ parent, version } = step);
  }
  return parent === before.manifest;
}

/** A manifest or part, whose bytes have the hash in its name: whoever can write to the site can put others there. */
export async function readHashed(site: Store, hash: string): Promise<Uint8Array | undefined> {
  const path = manifestPath(hash);
  const stored = await site.read(path);
  if (stored === undefined || sha256(stored.body) === hash) return stored?.body;
  throw new UnreadableFile(`${path} is damaged: its hash differs from its name. Run \`almanac repair\``);
}

const formatOnly = z.object({ format: z.int() });

/** Thrown for a file that is not damaged, but of a format that only a newer version can read. */
export class NewerFormat extends UnreadableFile {}

/** Reads a file that has a `format`; throws NewerFormat for a format that this version does not know. */
export function parseFormat<Schema extends z.ZodType>(
  path: string,
  body: Uint8Array,
  schema: Schema,
): z.infer<Schema> {
  const found = parseJson(path, body, formatOnly);
  if (found.format <= format) return parseJson(path, body, schema);
  throw new NewerFormat(
    `${path} has format ${found.format}, but this version reads format ${format}. Use the newer Almanac that wrote it`,
  );
}

export function entryOf(bytes: Uint8Array, type: string): FileEntry {
  return { object: sha256(bytes), size: bytes.length, type };
}

export interface HashedFile {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

export function hashed(bytes: Uint8Array): HashedFile {
  return { hash: sha256(bytes), bytes };
}
