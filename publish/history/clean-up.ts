// The clean-up: removes the objects, parts and manifests that no kept state reaches. It is safe beside a publish and beside
// another clean-up; sweeping.ts says why. It makes a plan as a value first, and then removes in small batches.
import { inParallel } from "../../store/parallel-calls.ts";
import type { Listed } from "../../store/store.ts";
import { beginningOf, parsePath } from "../../site/paths.ts";
import { shows } from "../../site/shown-texts.ts";
import { believedTime } from "../state/believed-time.ts";
import { keptSince } from "../state/kept-states.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { type ReachableFiles, reachableFiles } from "./reachable-files.ts";
import { announceSweep, endSweep, forgetSweeps, sweepHasTime } from "../state/sweeping.ts";
import { minuteOf } from "../../readings/instant-words.ts";

export interface CleanUpSettings {
  /** For how many days an earlier state can be rolled back to. */
  readonly keepDays: number;
  /** Files that are younger than this are left alone, and earlier states are kept for so much longer. */
  readonly graceMs: number;
}

export interface PlannedRemoval {
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
  /** Files that were not looked at, because the store was too slow for a batch to be safe. */
  readonly left: number;
}

const folders = ["manifest", "object"] as const; // in this order: a state goes before what it needs
const mostInBatch = 200;
/** The length of one page of a bucket's listing. */
const listedAtOnce = 1_000;

export async function planCleanUp(place: PublishingPlace, settings: CleanUpSettings): Promise<CleanUpPlan> {
  const now = await believedTime(place); // with a clock that is ahead, all earlier states would seem old
  const keptFrom = keptSince(now, settings.keepDays);
  const since = new Date(keptFrom.getTime() - settings.graceMs);
  const before = new Date(now.getTime() - settings.graceMs);
  const listed: Listed[] = [];
  for (const folder of folders) {
    for await (const one of place.site.list(beginningOf(folder))) {
      // Whatever else lies there is somebody else's.
      const at = parsePath(one.key);
      if (at !== undefined && shows(at, "record")) listed.push(one);
    }
  }
  const reached = await reachableFiles(place, since);
  const unreached = listed.filter(({ key }) => !reached.has(key));
  const old = unreached.filter(({ modifiedAt }) => modifiedAt < before);
  return {
    removals: old.map(({ key, sizeBytes, modifiedAt }) => {
      const reason = `no state since ${minuteOf(since)} needs it, written ${minuteOf(modifiedAt)}`;
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
  place: PublishingPlace,
  plan: CleanUpPlan,
  onProgress?: (done: number) => void,
): Promise<FreedFiles> {
  await forgetSweeps(place);
  let freed: FreedFiles = { files: 0, bytes: 0, spared: 0, left: plan.removals.length };
  for (const batch of batchesOf(plan)) {
    const removed = await removeBatch(place, plan, batch);
    if (removed === undefined) return freed;
    freed = {
      files: freed.files + removed.length,
      bytes: freed.bytes + bytesOf(removed),
      spared: freed.spared + batch.keys.length - removed.length,
      left: freed.left - batch.keys.length,
    };
    onProgress?.(plan.removals.length - freed.left);
  }
  return freed;
}

interface KeyBatch {
  readonly prefixes: readonly string[];
  readonly keys: readonly string[];
}

/** The batches of a plan. Its keys share prefixes, so that a few short listings give their ages. */
function batchesOf({ removals, all }: CleanUpPlan): KeyBatch[] {
  const digits = Math.max(0, Math.ceil(Math.log2(all.files / listedAtOnce) / 4)); // hashes spread evenly
  const prefixOf = (key: string) => key.slice(0, key.lastIndexOf("/") + 1 + digits);
  const sorted = removals.map(({ key }) => key).sort();
  return Array.from({ length: Math.ceil(sorted.length / mostInBatch) }, (_, index) => {
    const keys = sorted.slice(index * mostInBatch, (index + 1) * mostInBatch);
    return { prefixes: [...new Set(keys.map(prefixOf))], keys };
  });
}

/** Undefined when it took too long for a removal to begin. sweeping.ts gives the reasons for the order of the steps. */
async function removeBatch(
  place: PublishingPlace,
  { reached, before }: CleanUpPlan,
  { prefixes, keys }: KeyBatch,
) {
  const sweep = await announceSweep(place, keys);
  await reached.renew();
  const doomed = new Set(keys.filter((key) => !reached.has(key)));
  const listed = (await inParallel(prefixes, (prefix) => Array.fromAsync(place.site.list(prefix)))).flat();
  const old = listed.filter((one) => doomed.has(one.key) && one.modifiedAt < before);
  const inTime = sweepHasTime(sweep, place);
  if (inTime && old.length > 0) await place.site.remove(old.map(({ key }) => key));
  await endSweep(place, sweep);
  return inTime ? old : undefined;
}

export function bytesOf(files: readonly Pick<Listed, "sizeBytes">[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
