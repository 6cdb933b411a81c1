// The clean-up: removes the objects, parts and manifests that no kept state reaches. It makes a plan as a value first, and then
// removes in batches, in turns as the owner of the site. The record names what is being removed: if the owner stalls, its last removal
// may arrive late, and a later publish looks whether something is missing (repair/late-writes.ts).
import { inParallel, type Listed, type Store } from "../../store/store.ts";
import { beginningOf, parsePath, shows } from "../../site/paths.ts";
import { believedTime } from "../state/published-files.ts";
import { keptSince, type KeptState, keptStates } from "./past-states.ts";
import type { PublishContext } from "../state/publish-context.ts";
import { letOthersIn, withSite } from "../step/site-owner.ts";
import { minuteOf } from "../../readings/calendar.ts";
import { parseJson, UnreadableFile } from "../../vault/files.ts";
import { readStateRecord } from "../step/record.ts";
import { type BaseState, findBase, type Owned } from "../step/site-state.ts";
import { type Manifest, partSchema } from "../../site/manifest.schema.ts";
import { manifestPath, objectPath, pointerPath, readHashed, readManifest } from "../state/state.ts";

interface CleanUpSettings {
  /** For how many days an earlier state can be rolled back to. */
  readonly keepDays: number;
  /** Files that are younger than this are left alone, and earlier states are kept for so much longer. */
  readonly graceMs: number;
}

interface PlannedRemoval {
  readonly key: string;
  readonly sizeBytes: number;
  readonly reason: string;
}

export interface CleanUpPlan {
  readonly removals: readonly PlannedRemoval[];
  /** All files of ours under v1/objects/ and v1/manifests/. */
  readonly all: { readonly files: number; readonly bytes: number };
  /** Files that no state reaches, but that are young: a publish may be about to use them. */
  readonly young: number;
  /** Removals that were written within keepDays. A usual plan has few: a publish was cut off, or the history is damaged. */
  readonly recent: number;
  /** Files written before this are removed. */
  readonly before: Date;
  readonly reached: ReachableFiles;
}

export interface FreedFiles {
  readonly files: number;
  readonly bytes: number;
  /** Files that were not removed after all: in use or renewed by now, or gone already. */
  readonly spared: number;
}

const folders = ["manifest", "object"] as const; // in this order: a state is removed before the files that it needs
/** The length of one page of a bucket's listing, and of one removal. */
const mostInBatch = 1_000;
/** After this long, it releases the lease, so that waiting processes can take it. */
const sliceMs = 10_000;

export async function planCleanUp(context: PublishContext, settings: CleanUpSettings): Promise<CleanUpPlan> {
  const now = await believedTime(context); // with a clock that is ahead, all earlier states would seem old
  const keptFrom = keptSince(now, settings.keepDays);
  const since = new Date(keptFrom.getTime() - settings.graceMs);
  const before = new Date(now.getTime() - settings.graceMs);
  const listed: Listed[] = [];
  for (const folder of folders) {
    for await (const one of context.site.list(beginningOf(folder))) {
      // Any other file there is foreign.
      const at = parsePath(one.key);
      if (at !== undefined && shows(at, "record")) listed.push(one);
    }
  }
  const reached = await reachableFiles(context, since);
  const unreached = listed.filter(({ key }) => !reached.has(key));
  const old = unreached.filter(({ modifiedAt }) => modifiedAt < before);
  return {
    removals: old.map(({ key, sizeBytes, modifiedAt }) => {
      const reason = `no version since ${minuteOf(since)} needs it, written ${minuteOf(modifiedAt)}`;
      return { key, sizeBytes, reason };
    }),
    all: { files: listed.length, bytes: bytesOf(listed) },
    young: unreached.length - old.length,
    recent: old.filter(({ modifiedAt }) => modifiedAt >= keptFrom).length,
    before,
    reached,
  };
}

export async function cleanUpSite(
  context: PublishContext,
  plan: CleanUpPlan,
  onProgress?: (done: number) => void,
): Promise<FreedFiles> {
  const batches = batchesOf(plan);
  let done = 0;
  let freed: FreedFiles = { files: 0, bytes: 0, spared: 0 };
  const removeNext = async (owned: Owned) => {
    const beganMs = performance.now();
    do {
      const batch = batches.shift();
      if (batch === undefined) return;
      const removed = await removeBatch(owned, plan, batch);
      freed = {
        files: freed.files + removed.length,
        bytes: freed.bytes + bytesOf(removed),
        spared: freed.spared + batch.keys.length - removed.length,
      };
      done += batch.keys.length;
      onProgress?.(done);
    } while (performance.now() - beganMs < sliceMs);
  };
  while (batches.length > 0) {
    await withSite(context, "clean up", removeNext, { finishes: false });
    if (batches.length > 0) await letOthersIn(context);
  }
  return freed;
}

interface KeyBatch {
  readonly prefixes: readonly string[];
  readonly keys: readonly string[];
}

/** The batches of a plan. Its keys share prefixes, so that a few short listings give their ages. */
function batchesOf({ removals, all }: CleanUpPlan): KeyBatch[] {
  const digits = Math.max(0, Math.ceil(Math.log2(all.files / mostInBatch) / 4)); // hashes spread evenly
  const prefixOf = (key: string) => key.slice(0, key.lastIndexOf("/") + 1 + digits);
  const sorted = removals.map(({ key }) => key).sort();
  return Array.from({ length: Math.ceil(sorted.length / mostInBatch) }, (_, index) => {
    const keys = sorted.slice(index * mostInBatch, (index + 1) * mostInBatch);
    return { prefixes: [...new Set(keys.map(prefixOf))], keys };
  });
}

/** A state that was published since the plan was made spares what it needs, and a file that was written again is young. */
async function removeBatch(
  context: Owned,
  { reached, before }: CleanUpPlan,
  { prefixes, keys }: KeyBatch,
): Promise<readonly Listed[]> {
  const { site, owner } = context;
  await reached.renew();
  const doomed = new Set(keys.filter((key) => !reached.has(key)));
  const listed = (await inParallel(prefixes, (prefix) => Array.fromAsync(site.list(prefix)))).flat();
  const old = listed.filter((one) => doomed.has(one.key) && one.modifiedAt < before);
  if (old.length === 0) return old;
  await owner.record.note((record) => ({ ...record, removing: commonBeginning(keys) }));
  await site.remove(old.map(({ key }) => key));
  await owner.record.note((record) => ({ ...record, removing: null }));
  return old;
}

/** Longest common prefix of sorted keys. */
function commonBeginning(keys: readonly string[]): string {
  const [first = "", last = ""] = [keys[0], keys.at(-1)];
  let length = 0;
  while (length < first.length && first[length] === last[length]) length += 1;
  return first.slice(0, length);
}

export function bytesOf(files: readonly Pick<Listed, "sizeBytes">[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

type ReachableFiles = Awaited<ReturnType<typeof reachableFiles>>;

/** Throws where a kept manifest or part can't be read, because the files that it reaches are not known then. */
async function reachableFiles(context: PublishContext, since: Date) {
  const { site } = context;
  const keys = new Set<string>();
  const known = new Set<string>();
  const include = async (hash: string, { parts }: Manifest) => {
    known.add(hash);
    keys.add(manifestPath(hash));
    const unread = Object.entries(parts).filter(([, part]) => !keys.has(manifestPath(part)));
    await inParallel(unread, async ([name, part]) => {
      for (const key of await reachedByPart(site, name, part)) keys.add(key);
    });
  };
  const chain = async () => {
    const pointed = (await pointedState(context)).hash;
    const found: KeptState[] = [];
    if (known.has(pointed)) return found;
    for await (const state of keptStates(site, pointed, since)) {
      if (known.has(state.hash)) break;
      await include(state.hash, state.manifest);
      found.push(state);
    }
    return found;
  };
  const states = await chain();
  for (const hash of await inRecord(context)) {
    const manifest = known.has(hash) ? undefined : await readManifest(site, hash);
    if (manifest !== undefined) await include(hash, manifest);
  }
  return {
    has: (key: string) => keys.has(key),
    /** The kept states, newest first, as they were when this was opened. */
    states,
    /** Reads the pointer again: the files that it has come to reach meanwhile must stay as well. */
    renew: async () => void (await chain()),
  };
}

async function pointedState(context: PublishContext): Promise<BaseState> {
  const isThere = (await context.site.read(pointerPath)) !== undefined;
  const state = isThere ? await findBase(context) : undefined;
  if (state !== undefined) return state;
  throw new UnreadableFile(
    `${pointerPath} is missing, so the needed files are unknown and nothing is deleted. Check that this is the right store. \`almanac repair\` restores a lost pointer`,
  );
}

async function reachedByPart(site: Store, name: string, part: string) {
  const body = await readHashed(site, part);
  if (body === undefined) {
    throw new UnreadableFile(
      `${manifestPath(part)}, which a kept version names for ${name}, is missing, so its files are unknown and nothing is deleted. Run \`almanac repair\``,
    );
  }
  const { files } = parseJson(manifestPath(part), body, partSchema);
  const objects = Object.entries(files).map(([path, { object }]) => objectPath(object, path));
  return [manifestPath(part), ...objects];
}

/** The manifests in the record: a recovery may point to them, and the public paths are compared with them. */
async function inRecord(context: PublishContext): Promise<string[]> {
  const { value } = await readStateRecord(context, undefined);
  const { current, pending, written, partlyWritten, dropped, unclean } = value;
  const late = dropped.filter(({ version }) => version > (current?.version ?? 0));
  const states = [current, pending, written, ...late].flatMap((one) => one?.manifest ?? []);
  return [...states, ...partlyWritten, ...unclean.flatMap((one) => one.states)];
}
