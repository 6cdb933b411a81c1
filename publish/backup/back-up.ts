// Copies vault and site into a backup, while publishers and runs continue. Files that the backup already has are not copied again.
//
// Each snapshot shows one moment: the site's state is read first, and again after the vault. The record names a state before the
// pointer does, and every response is stored before it is on a page, so the files read in between contain everything that this
// state needs, and claim no later state as published. If the state has changed meanwhile, the copy starts again, which costs only
// the new files.
import { inParallel, type Store, StoreFailure } from "../../store/store.ts";
import { beginningOf, parsePath } from "../../site/paths.ts";
import { sha256, unlessDamaged } from "../../vault/files.ts";
import { createPartReader, groupsIn } from "../state/parts.ts";
import type { PublishContext } from "../state/publish-context.ts";
import { manifestPath, objectPath, readManifest } from "../state/state.ts";
import { lookAtSite } from "../step/site-state.ts";
import {
  type Copies,
  openCopies,
  putCopy,
  type CopiedFile,
  type Snapshot,
  filesIn,
  readSnapshot,
  snapshotsIn,
  writeSnapshot,
  removeCopies,
  type NamedSnapshot,
} from "./snapshots.ts";
import { isLeftOut, isSound, recordsOf } from "./backed-up-files.ts";
import { believedTime } from "../state/published-files.ts";
import { keptSince } from "../history/past-states.ts";

export interface BackedUp {
  readonly snapshot: Snapshot;
  /** Files of the vault in this snapshot. */
  readonly files: number;
  readonly added: Copies["added"];
  readonly forgotten: Forgotten;
  /** Damaged files, and files that the published state lacks: earlier copies replace them if there are any. */
  readonly damaged: readonly string[];
  /** Why the state in the snapshot is not the one that the pointer names. */
  readonly refusal: string | undefined;
}

/** Number of rounds. Others publish meanwhile, at most every half minute, and the second round takes seconds. */
const mostRounds = 20;

export async function backUp(
  context: PublishContext,
  backup: Store,
  keepDays: number,
  onProgress: (words: string) => void = () => undefined,
): Promise<BackedUp> {
  const copies = await openCopies(backup);
  let before = await lastFiles(copies);
  for (let round = 0; round < mostRounds; round += 1) {
    const at = context.now().toISOString();
    const own = await publishedNow(context);
    const damaged = new Set<string>();
    const tell = () => onProgress(`${copies.added.files} files`);
    const used = await copyRecords(context.site, copies, damaged, tell);
    for (const path of await lackingOf(context.site, own.state, copies)) damaged.add(path);
    before = await copyVault(context.vault, copies, before, damaged, tell);
    if ((await publishedNow(context)).state !== own.state) continue;
    const { state, version, refusal } = own;
    const snapshot = await writeSnapshot(copies, before, { at, state, version });
    const forgotten = await forgetOld(context, copies, used, keepDays);
    const { added } = copies;
    return { snapshot, files: before.size, added, forgotten, damaged: [...damaged].sort(), refusal };
  }
  throw new Error(
    `the site was published ${mostRounds} times during the backup. Start the backup again: it keeps the files that it copied`,
  );
}

/** The published state according to the vault, whatever the pointer says. */
async function publishedNow(context: PublishContext) {
  const { pointer, refusal, record } = await lookAtSite(context);
  const state = refusal === undefined ? pointer : record.value.current;
  return { state: state?.manifest ?? null, version: state?.version ?? 0, refusal: refusal?.message };
}

/** The files of the newest snapshot that can be read. */
async function lastFiles({ backup, there }: Copies): Promise<ReadonlyMap<string, CopiedFile>> {
  for (const named of (await snapshotsIn(backup)).toReversed()) {
    const files = await unlessDamaged(async () => filesIn(backup, await readSnapshot(backup, named)));
    if (files !== undefined) return new Map([...files].filter(([, { copy }]) => there.has(copy)));
  }
  return new Map();
}

/** Manifests, parts and objects: their names are the hashes of their bytes, which are answered. */
async function copyRecords(
  site: Store,
  copies: Copies,
  damaged: Set<string>,
  tell: () => void,
): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const folder of ["manifest", "object"] as const) {
    const missing: string[] = [];
    for await (const { key } of site.list(beginningOf(folder))) {
      const at = parsePath(key);
      if (at?.row !== folder) continue;
      used.add(at.hash);
      if (!copies.there.has(at.hash)) missing.push(key);
    }
    const copy = async (key: string) => {
      const stored = await site.read(key);
      if (stored === undefined) return; // removed by a clean-up, and no kept state needs it
      if (key.includes(sha256(stored.body))) await putCopy(copies, stored.body);
      else damaged.add(key);
      tell();
    };
    await inParallel(missing, copy, copies.backup.writesAtOnce);
  }
  return used;
}

/** The files that the state needs and the backup lacks. */
async function lackingOf(site: Store, state: string | null, { there }: Copies): Promise<string[]> {
  if (state === null) return [];
  const manifest = await unlessDamaged(() => readManifest(site, state));
  if (manifest === undefined) return [manifestPath(state)];
  const lacking: string[] = [];
  for (const hash of Object.values(manifest.parts)) if (!there.has(hash)) lacking.push(manifestPath(hash));
  const reader = createPartReader(site);
  for (const group of groupsIn(manifest)) {
    const files = await unlessDamaged(() => reader.files(manifest, group));
    for (const [path, { object }] of Object.entries(files ?? {}))
      if (!there.has(object)) lacking.push(objectPath(object, path));
  }
  return lacking;
}

/** The vault's files as they are now. One that is damaged stays as it was copied before. */
async function copyVault(
  { store: vault, siteId }: PublishContext["vault"],
  copies: Copies,
  before: ReadonlyMap<string, CopiedFile>,
  damaged: Set<string>,
  tell: () => void,
): Promise<ReadonlyMap<string, CopiedFile>> {
  const listed = (await Array.fromAsync(vault.list(""))).filter(({ key }) => !isLeftOut(key, siteId));
  const files = await inParallel(
    listed,
    async ({ key, sizeBytes: size, tag }): Promise<[string, CopiedFile][]> => {
      const earlier = before.get(key);
      if (earlier !== undefined && tag !== undefined && earlier.tag === tag && earlier.size === size)
        return [[key, earlier]];
      const stored = await vault.read(key);
      if (stored === undefined) return []; // removed meanwhile
      if (!isSound(key, stored.body)) {
        damaged.add(key);
        return earlier === undefined ? [] : [[key, earlier]];
      }
      const copy = await putCopy(copies, stored.body);
      tell();
      // The listing came before the read: where the bytes have changed in between, the next listing has another tag.
      return [[key, { copy, size, tag }]];
    },
    copies.backup.writesAtOnce,
  );
  return new Map(files.flat());
}

const graceMs = 24 * 60 * 60_000;

interface Forgotten {
  readonly snapshots: number;
  readonly copies: number;
}

/** `used` are the hashes that the site has now: they would only be copied again. */
async function forgetOld(
  context: PublishContext,
  copies: Copies,
  used: ReadonlySet<string>,
  keepDays: number,
): Promise<Forgotten> {
  const now = await believedTime(context);
  const all = await snapshotsIn(copies.backup);
  const since = keptSince(now, keepDays).toISOString();
  const old = all.slice(0, -1).filter(({ at }) => at < since);
  if (old.length === 0) return { snapshots: 0, copies: 0 };
  try {
    await copies.backup.remove(old.map(({ key }) => key));
  } catch (error) {
    if (error instanceof StoreFailure) return { snapshots: 0, copies: 0 }; // credentials that may not remove
    throw error;
  }
  const kept = all.filter((one) => !old.includes(one));
  const needed = await neededBy(copies, kept, keepDays);
  if (needed === undefined) return { snapshots: old.length, copies: 0 };
  const isNeeded = (hash: string) => needed.has(hash) || used.has(hash);
  const removed = await removeCopies(copies, isNeeded, new Date(now.getTime() - graceMs));
  return { snapshots: old.length, copies: removed };
}

/** Undefined where a list or a part can't be read: what it needs is not known then, and every copy stays. */
async function neededBy(
  { backup }: Copies,
  kept: readonly NamedSnapshot[],
  keepDays: number,
): Promise<Set<string> | undefined> {
  const known = new Set<string>();
  let isWhole = true;
  const ifLost = () => void (isWhole = false);
  // The oldest goes furthest back: the others end where they meet it.
  for (const named of kept) {
    const snapshot = await unlessDamaged(() => readSnapshot(backup, named));
    if (snapshot === undefined) return undefined;
    const lists = Object.fromEntries(Object.entries(snapshot.lists).filter(([, hash]) => !known.has(hash)));
    for (const { copy } of (await filesIn(backup, { ...snapshot, lists }, ifLost)).values()) known.add(copy);
    for (const hash of Object.values(lists)) known.add(hash);
    const records = await recordsOf(backup, snapshot.state, keepDays, ifLost, known);
    for (const { copy } of records.flat()) known.add(copy);
  }
  return isWhole ? known : undefined;
}
