// The published states, newest first, from the pointer back by each manifest's parent: with the changes from one to the next, or as far
// back as a rollback may go. Only parts that differ are read, and nothing is read before it is needed.
//
// An earlier state's time runs from the moment when the next one took its place, which is when that one's manifest was written.
import type { Store } from "../../store/store.ts";
import type { Language } from "../../readings/tables.ts";
import { unlessDamaged } from "../../vault/files.ts";
import type { Manifest } from "../../site/manifest.schema.ts";
import {
  createPartReader,
  languageOf,
  type PartReader,
  changesBetween,
  type PathChange,
} from "../state/parts.ts";
import { readManifest, readState, manifestPath } from "../state/state.ts";

export interface PastState {
  /** The hash of its manifest. */
  readonly manifest: string;
  readonly version: number;
  readonly run: string;
  /** The version that a rollback published again. */
  readonly rolledBackTo?: number | undefined;
  readonly asOf: string;
  /** Known only for the current state: a manifest has no time of its own. */
  readonly publishedAt?: string;
  readonly expires?: string;
  /** Changes against the previous state; undefined if that is missing or incomplete. */
  readonly changes: readonly CountedChanges[] | undefined;
  readonly parent: "there" | "none" | "removed";
}

export interface CountedChanges {
  readonly of: Language | "shared";
  readonly new: number;
  readonly changed: number;
  readonly gone: number;
}

/** The run of a version that a rollback published. */
export const rollbackRun = "rollback";

/** `rollbacks`: the version that each rollback published again, by its time. */
export async function* history(
  site: Store,
  rollbacks: ReadonlyMap<string, number> = new Map(),
): AsyncGenerator<PastState> {
  const state = await readState(site);
  if (state === undefined) return;
  const { publishedAt, expires } = state.pointer;
  let own: { readonly publishedAt?: string; readonly expires?: string } = { publishedAt, expires };
  let hash: string = state.pointer.manifest;
  for (let manifest: Manifest = state.manifest; ;) {
    const { version, run, asOf, parent } = manifest;
    const before: Manifest | undefined = parent === null ? undefined : await readManifest(site, parent);
    const isRemoved = parent !== null && before === undefined;
    // Each comparison has a reader of its own: one reader for a long history would keep every part in memory.
    const changes = isRemoved ? undefined : await countedBetween(createPartReader(site), before, manifest);
    const kind = parent === null ? "none" : isRemoved ? "removed" : "there";
    const rolledBackTo = run === rollbackRun ? rollbacks.get(asOf) : undefined;
    yield { manifest: hash, version, run, rolledBackTo, asOf, ...own, changes, parent: kind };
    if (parent === null || before === undefined) return;
    own = {};
    hash = parent;
    manifest = before;
  }
}

function countedBetween(
  reader: PartReader,
  before: Manifest | undefined,
  after: Manifest,
): Promise<CountedChanges[] | undefined> {
  return unlessDamaged(async () => countChanges(await changesBetween(reader, before, after)));
}

/** Counts by language, in the order in which the changes come; files that belong to no language come last. */
export function countChanges(changes: readonly PathChange[]): CountedChanges[] {
  const groups = Map.groupBy(changes, ({ path }): CountedChanges["of"] => languageOf(path) ?? "shared");
  const counts = [...groups].map(([of, own]) => {
    const count = (wanted: PathChange["reason"]) => own.filter(({ reason }) => reason === wanted).length;
    return { of, new: count("new"), changed: count("changed"), gone: count("gone") };
  });
  return counts.sort((one, other) => Number(one.of === "shared") - Number(other.of === "shared"));
}

const dayMs = 24 * 60 * 60_000;

export interface KeptState {
  readonly hash: string;
  readonly manifest: Manifest;
  /** When the next state took its place; undefined for the current one. */
  readonly supersededAt: Date | undefined;
}

/** The moment after which a state must have been superseded to be kept (`publishing.keepDays`). */
export function keptSince(now: Date, keepDays: number): Date {
  return new Date(now.getTime() - keepDays * dayMs);
}

/**
 * From the state that the pointer names back by `parent`, newest first. A rollback may go to those superseded within
 * keepDays; a clean-up keeps them for the grace period longer, so that it never takes what a rollback has just chosen.
 * The walk ends where the time is over, or where an earlier clean-up took the manifest.
 */
export async function* keptStates(site: Store, pointed: string, since: Date): AsyncGenerator<KeptState> {
  let hash: string | null = pointed;
  let supersededAt: Date | undefined;
  while (hash !== null && (supersededAt === undefined || supersededAt > since)) {
    const manifest: Manifest | undefined = await readManifest(site, hash);
    if (manifest === undefined) return;
    yield { hash, manifest, supersededAt };
    supersededAt = await modifiedAt(site, manifestPath(hash));
    if (supersededAt === undefined) return; // removed meanwhile
    hash = manifest.parent;
  }
}

export async function modifiedAt(store: Store, key: string): Promise<Date | undefined> {
  for await (const listed of store.list(key)) if (listed.key === key) return listed.modifiedAt;
  return undefined;
}
