// The earlier state that a rollback goes to: it is found by version or by the beginning of its hash, and checked before
// anything is changed.
import { type Store, inParallel } from "../../store/store.ts";
import { keptSince, type KeptState, keptStates, rollbackRun } from "./past-states.ts";
import { sha256 } from "../../vault/files.ts";
import type { FileEntry, Manifest } from "../../site/manifest.schema.ts";
import { allFiles, createPartReader } from "../state/parts.ts";
import { objectPath, readState } from "../state/state.ts";
import { beginningOf } from "../../site/paths.ts";

export interface RollbackTarget {
  readonly hash: string;
  readonly manifest: Manifest;
}

/** Thrown where no state that a rollback can go to has that version or hash. */
export class NoSuchState extends Error {
  override readonly name = "NoSuchState";
}

/** Thrown where files of the state are gone, so that readers would find holes. */
export class StateNotWhole extends Error {
  override readonly name = "StateNotWhole";
}

interface TargetInput {
  readonly site: Store;
  readonly now: Date;
  readonly keepDays: number;
}

const shortestPrefix = 4;

/** `wanted` is a version or the beginning of a manifest's hash. Default: the state before the current one. */
export async function chooseState(wanted: string | undefined, choice: TargetInput): Promise<RollbackTarget> {
  const current = await readState(choice.site);
  if (current === undefined)
    throw new NoSuchState("nothing is published yet, so there is no version to return to");
  const { version, parent, run } = current.manifest;
  const { manifest: from } = current.pointer;
  const only = async (what: string, isIt: IsWanted) => {
    const [state] = await findStates(isIt, 1, from, choice);
    return state ?? notKept(what, choice);
  };
  if (wanted === undefined) {
    if (parent === null)
      throw new NoSuchState(`version ${version} is the first one, so there is no version to return to`);
    // The parent of a rollback's state is the state that was taken back: a second rollback must name its target.
    if (run === rollbackRun) {
      throw new NoSuchState(
        `version ${version} is a rollback itself. Name a version: ${version - 1} to undo it, or an earlier one. ` +
          "`almanac log` lists them",
      );
    }
    return only("the previous version", ({ hash }) => hash === parent);
  }
  const prefix = wanted.toLowerCase();
  const number = /^\d+$/.test(prefix) && Number(prefix) <= version ? Number(prefix) : undefined;
  if (number === version || (number === undefined && prefix === from))
    throw new NoSuchState(`${wanted} is already the current version`);
  if (number !== undefined) return only(`version ${prefix}`, ({ manifest }) => manifest.version === number);
  if (!/^[0-9a-f]{1,64}$/.test(prefix) || prefix.length < shortestPrefix) {
    throw new NoSuchState(
      `"${wanted}" is not a version up to ${version}, or the beginning of a manifest's hash ` +
        `(${shortestPrefix} characters or more). \`almanac log\` lists both`,
    );
  }
  // Few files begin so, parts among them, so the search ends when all were seen.
  const alike = await Array.fromAsync(choice.site.list(beginningOf("manifest") + prefix));
  const found = await findStates(({ hash }) => hash.startsWith(prefix), alike.length, from, choice);
  const [state, other] = found;
  if (other !== undefined) {
    throw new NoSuchState(
      `${prefix} is ambiguous. It matches the manifests of versions ` +
        `${found.map(({ manifest }) => manifest.version).join(", ")}. Give more characters`,
    );
  }
  if (state?.hash === from) throw new NoSuchState(`${wanted} is already the current version`);
  return state ?? notKept(`a manifest that begins with ${prefix}`, choice);
}

type IsWanted = (state: KeptState) => boolean;

/** The newest of the wanted states, as many as `most`. */
async function findStates(isWanted: IsWanted, most: number, from: string, choice: TargetInput) {
  const found: KeptState[] = [];
  if (most === 0) return found;
  for await (const state of keptStates(choice.site, from, keptSince(choice.now, choice.keepDays))) {
    if (isWanted(state)) found.push(state);
    if (found.length === most) break;
  }
  return found;
}

function notKept(what: string, { keepDays }: TargetInput): never {
  throw new NoSuchState(
    `${what} is not available for a rollback. Versions are kept for ${keepDays} ` +
      "days (publishing.keepDays). `almanac log` lists them",
  );
}

const hexadecimal = "0123456789abcdef".split("");

/**
 * Reads every part, looks for every object in listings, which cost fewer calls than a look at each, and reads the objects that the
 * current state does not show: a damaged one would stop the rollback after the pointer was written.
 */
export async function requireWhole(
  site: Store,
  { manifest }: RollbackTarget,
  isNeeded: (group: string) => boolean,
): Promise<void> {
  const reader = createPartReader(site);
  const current = (await readState(site))?.manifest;
  const shown = new Set(
    [...(await allFiles(reader, current, isNeeded)).values()].map(({ object }) => object),
  );
  const needed = new Map<string, FileEntry & { readonly path: string }>();
  for (const [path, entry] of await allFiles(reader, manifest, isNeeded))
    needed.set(objectPath(entry.object, path), { ...entry, path });
  const unread = new Map(needed);
  await inParallel(hexadecimal, async (digit) => {
    for await (const { key, sizeBytes } of site.list(beginningOf("object") + digit)) {
      if (needed.get(key)?.size === sizeBytes) needed.delete(key);
    }
  });
  await inParallel([...unread], async ([key, entry]) => {
    if (shown.has(entry.object) || needed.has(key)) return;
    const bytes = (await site.read(key))?.body;
    if (bytes === undefined || sha256(bytes) !== entry.object) needed.set(key, entry);
  });
  const [missing] = needed;
  if (missing === undefined) return;
  const [object, { path }] = missing;
  throw new StateNotWhole(
    `version ${manifest.version} is incomplete: ${needed.size} of its objects are missing or damaged, such as ${object} for ` +
      `${path}. Nothing was changed. Choose another version (\`almanac log\`)`,
  );
}
