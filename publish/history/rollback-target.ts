// The earlier state that a rollback goes to: it is found by version or by the beginning of its hash, and checked before
// anything is changed.
import { type Store, inParallel } from "../../store/store.ts";
import { keptSince, type KeptState, keptStates } from "./past-states.ts";
import type { Manifest } from "../../site/manifest.schema.ts";
import { createPartReader, groupsIn } from "../state/parts.ts";
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

/** `wanted` is a version or the beginning of a manifest's hash; the state before the current one unless said. */
export async function chooseState(wanted: string | undefined, choice: TargetInput): Promise<RollbackTarget> {
  const current = await readState(choice.site);
  if (current === undefined)
    throw new NoSuchState("nothing is published yet, so there is no version to return to");
  const { version, parent, run } = current.manifest;
  if (wanted !== undefined) return named(wanted, { hash: current.pointer.manifest, version }, choice);
  if (parent === null) throw new NoSuchState(`version ${version} is the first one`);
  // The parent of a rollback's state is the state that was taken back: a second rollback must name where it goes.
  if (run === "rollback") {
    throw new NoSuchState(
      `version ${version} is a rollback itself. Name a version: ${version - 1} to undo it, or an earlier one. ` +
        "`almanac log` lists them",
    );
  }
  return walkTo((state) => state.hash === parent, "the previous version", current.pointer.manifest, choice);
}

const shortestPrefix = 4;

async function named(
  wanted: string,
  current: { readonly hash: string; readonly version: number },
  choice: TargetInput,
): Promise<RollbackTarget> {
  const prefix = wanted.toLowerCase();
  const isVersion = /^\d+$/.test(prefix) && Number(prefix) <= current.version;
  if (isVersion ? Number(prefix) === current.version : prefix === current.hash) {
    throw new NoSuchState(`${wanted} is already the current version`);
  }
  if (isVersion) {
    return walkTo(
      ({ manifest }) => manifest.version === Number(prefix),
      `version ${prefix}`,
      current.hash,
      choice,
    );
  }
  if (!/^[0-9a-f]{1,64}$/.test(prefix) || prefix.length < shortestPrefix) {
    throw new NoSuchState(
      `"${wanted}" is not a version up to ${current.version}, or the beginning of a manifest's hash ` +
        `(${shortestPrefix} characters or more). \`almanac log\` lists both`,
    );
  }
  const found = await walkAll(({ hash }) => hash.startsWith(prefix), prefix, current.hash, choice);
  const [state, other] = found;
  if (state === undefined) throw noLonger(`a manifest that begins with ${prefix}`, choice);
  if (other !== undefined) {
    throw new NoSuchState(
      `${prefix} is ambiguous. It matches the manifests of versions ` +
        `${found.map(({ manifest }) => manifest.version).join(", ")}. Give more characters`,
    );
  }
  if (state.hash === current.hash) throw new NoSuchState(`${wanted} is already the current version`);
  return state;
}

type Test = (state: KeptState) => boolean;

async function walkTo(test: Test, what: string, from: string, choice: TargetInput): Promise<RollbackTarget> {
  for await (const state of statesFrom(from, choice)) if (test(state)) return state;
  throw noLonger(what, choice);
}

/** All states whose hashes begin with `prefix`. Few files do, parts among them, so the walk ends when all were seen. */
async function walkAll(test: Test, prefix: string, from: string, choice: TargetInput) {
  const alike = await Array.fromAsync(choice.site.list(beginningOf("manifest") + prefix));
  const found: KeptState[] = [];
  if (alike.length === 0) return found;
  for await (const state of statesFrom(from, choice)) {
    if (test(state)) found.push(state);
    if (found.length === alike.length) break;
  }
  return found;
}

function statesFrom(hash: string, { site, now, keepDays }: TargetInput): AsyncGenerator<KeptState> {
  return keptStates(site, hash, keptSince(now, keepDays));
}

function noLonger(what: string, { keepDays }: TargetInput): NoSuchState {
  return new NoSuchState(
    `${what} is not available for a rollback. Versions are kept for ${keepDays} ` +
      "days (publishing.keepDays). `almanac log` lists them",
  );
}

const hexadecimal = "0123456789abcdef".split("");

/** Reads every part and looks for every object in a listing, with one listing for many objects in place of a call for each. */
export async function requireWhole(
  site: Store,
  { manifest }: RollbackTarget,
  isNeeded: (group: string) => boolean,
): Promise<void> {
  const reader = createPartReader(site);
  const needed = new Map<string, { readonly path: string; readonly size: number }>();
  await inParallel(groupsIn(manifest).filter(isNeeded), async (group) => {
    for (const [path, { object, size }] of Object.entries(await reader.files(manifest, group))) {
      needed.set(objectPath(object, path), { path, size });
    }
  });
  await inParallel(hexadecimal, async (digit) => {
    for await (const { key, sizeBytes } of site.list(beginningOf("object") + digit)) {
      if (needed.get(key)?.size === sizeBytes) needed.delete(key);
    }
  });
  const [missing] = needed;
  if (missing === undefined) return;
  const [object, { path }] = missing;
  throw new StateNotWhole(
    `version ${manifest.version} is incomplete: ${needed.size} of its objects are missing or damaged, such as ${object} for ` +
      `${path}. Nothing was changed. Choose another version (\`almanac log\`)`,
  );
}
