// The published state: pointer -> manifest -> parts -> files. Readers follow it, and so do we before we write the next.
import { type Store } from "../store/store.ts";
import {
  type Files,
  type Manifest,
  manifestSchema,
  partSchema,
  type Pointer,
  pointerSchema,
} from "./manifest.schema.ts";
import { parseJson, readJson, sha256, UnreadableFile } from "./vault.ts";

export const pointerPath = "v1/pointer.json";

export interface SiteState {
  readonly pointer: Pointer;
  /** The store's version of the pointer's bytes: what a swap must find unchanged. */
  readonly pointerVersion: string;
  readonly manifest: Manifest;
}

export function manifestPath(hash: string): string {
  return `v1/manifests/${hash}.json`;
}

/** Objects keep the extension of their path, so that a plain web server knows their type. */
export function objectPath(hash: string, path: string): string {
  return `v1/objects/${hash}.${path.slice(path.lastIndexOf(".") + 1)}`;
}

/** Undefined before the first publish. */
export async function readState(site: Store): Promise<SiteState | undefined> {
  const stored = await site.read(pointerPath);
  if (stored === undefined) return undefined;
  const pointer = parseJson(pointerPath, stored.body, pointerSchema);
  const path = manifestPath(pointer.manifest);
  const manifest = await readJson(site, path, manifestSchema);
  if (manifest === undefined) throw new UnreadableFile(`${pointerPath} names ${path}, which is not there`);
  return { pointer, pointerVersion: stored.version, manifest };
}

export async function readPart(site: Store, manifest: Manifest | undefined, part: string): Promise<Files> {
  const hash = manifest?.parts[part];
  if (hash === undefined) return {};
  const path = manifestPath(hash);
  const found = await readJson(site, path, partSchema);
  if (found === undefined)
    throw new UnreadableFile(`the manifest names ${path} for ${part}, which is not there`);
  return found.files;
}

/** The bytes of a canonical JSON file: keys in order, so that equal content has an equal hash. */
export function canonical(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(sorted(value)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

export interface HashedFile {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

export function hashed(bytes: Uint8Array): HashedFile {
  return { hash: sha256(bytes), bytes };
}
