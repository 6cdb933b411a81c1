// The site as a reader sees it: from the pointer over manifest and parts to every object, and the public paths beside it.
import { ownOf } from "../../support/places.ts";
import type { Store } from "../../../store/store.ts";
import {
  type FileEntry,
  type Manifest,
  manifestSchema,
  partSchema,
  type Pointer,
  pointerSchema,
} from "../../../site/manifest.schema.ts";
import { manifestPath, objectPath, pointerPath } from "../../../publish/state/state.ts";
import { siteRecord } from "../../../publish/step/record.ts";
import { pathOf } from "../../../site/paths.ts";
import { parseJson, sha256 } from "../../../vault/files.ts";
import { readKept } from "../../../vault/note.ts";
import type { Stores } from "../../support/stores.ts";

/** Contents of a manifest, with its parts. */
export interface State {
  readonly hash: string;
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, FileEntry>;
  /** A hash of all paths with their objects. */
  readonly tree: string;
}

export interface Seen extends State {
  readonly pointer: Pointer;
}

/** Bytes by their hash, taken once: a comparison is cheaper. */
const known = new Map<string, Uint8Array>();
const states = new Map<string, State>();

/** Throws where anything is missing or does not match its hash. Undefined before the first publish. */
export async function follow(site: Store): Promise<Seen | undefined> {
  const stored = await site.read(pointerPath);
  if (stored === undefined) return undefined;
  const pointer = parseJson(pointerPath, stored.body, pointerSchema);
  return { ...(await wholeState(site, pointer.manifest)), pointer };
}

/** A state with its manifest, parts and objects; throws as above. */
export async function wholeState(site: Store, hash: string): Promise<State> {
  const state = await stateOf(site, hash);
  await Promise.all(
    [...state.files].map(async ([path, { object, size }]) => {
      const body = await bytesAt(site, objectPath(object, path), object);
      if (body.length !== size) throw new Error(`${path} has ${body.length} bytes and not ${size}`);
    }),
  );
  return state;
}

async function stateOf(site: Store, hash: string): Promise<State> {
  const body = await bytesAt(site, manifestPath(hash), hash);
  const manifest = states.get(hash)?.manifest ?? parseJson(manifestPath(hash), body, manifestSchema);
  const parts = await Promise.all(
    Object.values(manifest.parts).map((part) => bytesAt(site, manifestPath(part), part)),
  );
  const before = states.get(hash);
  if (before !== undefined) return before;
  const files = new Map(parts.flatMap((part) => Object.entries(parseJson(hash, part, partSchema).files)));
  const lines = [...files].map(([path, { object, type }]) => `${path} ${object} ${type}`);
  const state = { hash, manifest, files, tree: lines.sort().join("\n") };
  states.set(hash, state);
  return state;
}

async function bytesAt(site: Store, key: string, hash: string): Promise<Uint8Array> {
  const stored = await site.read(key);
  if (stored === undefined) throw new Error(`${key} is not there`);
  if (!matches(stored.body, hash)) throw new Error(`${key} does not match its hash`);
  return stored.body;
}

export function matches(body: Uint8Array, hash: string): boolean {
  const before = known.get(hash);
  if (before !== undefined && Buffer.compare(before, body) === 0) return true;
  if (sha256(body) !== hash) return false;
  known.set(hash, body);
  return true;
}

/** Violations of the record's promise: each public path shows the state that the record names, unless it says otherwise. */
export async function brokenPromises({ site, vault }: Stores): Promise<string[]> {
  const { current, written, partlyWritten } = (await readKept(ownOf(vault), siteRecord)).value;
  if (written === null || current === null) return [];
  const to = (await stateOf(site, current.manifest)).files;
  const doubtful = new Set<string>();
  for (const from of [written.manifest, ...partlyWritten]) {
    const before = (await stateOf(site, from)).files;
    for (const path of [...before.keys(), ...to.keys()]) {
      if (before.get(path)?.object !== to.get(path)?.object) doubtful.add(path);
    }
  }
  const wrong = await wrongPaths(site, await stateOf(site, written.manifest));
  return wrong.filter((told) => !doubtful.has(told.slice(0, told.indexOf(" "))));
}

/** Errors among all published states: versions that do not increase, and states missing from the record. */
export async function usedTwice({ site, vault }: Stores, id?: string): Promise<string[]> {
  const { states: noted, highest, dropped } = (await readKept(ownOf(vault, id), siteRecord)).value;
  const wrong: string[] = [];
  const oldest = Math.min(...noted.map(({ version }) => version)); // the record forgets the states before
  for (const { version } of dropped)
    if (noted.some((one) => one.version === version)) wrong.push(`version ${version} was used twice`);
  let after = highest + 1;
  for (let hash = (await follow(site))?.pointer.manifest ?? null; hash !== null;) {
    if ((await site.read(manifestPath(hash))) === undefined) break; // a clean-up took it
    const { version, parent } = (await stateOf(site, hash)).manifest;
    if (version >= after) wrong.push(`version ${version} came before version ${after}`);
    const own = noted.some((one) => one.version === version && one.manifest === hash);
    if (version >= oldest && !own) wrong.push(`version ${version} is not in the record`);
    [after, hash] = [version, parent];
  }
  return wrong;
}

const markerPath = pathOf({ row: "marker" });

/** Errors of the public paths: missing, stale, and not in the manifest. */
export async function wrongPaths(site: Store, { files }: Pick<State, "files">): Promise<string[]> {
  const wrong: string[] = [];
  const left = new Map(files);
  for await (const { key } of site.list("")) {
    if (
      key === pointerPath ||
      key === markerPath ||
      key.startsWith("v1/objects/") ||
      key.startsWith("v1/manifests/")
    )
      continue;
    const entry = left.get(key);
    left.delete(key);
    if (entry === undefined) wrong.push(`${key} is not in the manifest`);
    else if (!matches((await site.read(key))?.body ?? new Uint8Array(), entry.object))
      wrong.push(`${key} is stale`);
  }
  return [...wrong, ...[...left.keys()].map((path) => `${path} is missing`)];
}
