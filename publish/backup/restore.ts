// Puts back from a snapshot whatever vault and site lack. A file that is there and can be read stays as it is: it is the same,
// or newer. So a restore that was cut off is begun again and goes on where it stood.
//
// A vault that comes back does not know which versions its site has had since. Where the site is lost as well, nobody does:
// then a version is noted far above all that can have been used, before anything can be published.
import type { Owned } from "../step/site-state.ts";
import { inParallel, always, type Store } from "../../store/store.ts";
import { requireLayout } from "../../vault/installation.ts";
import { sha256 } from "../../vault/files.ts";
import type { Publishing } from "../state/publish-context.ts";
import { becoming, writeManifestCopy } from "../step/record.ts";
import { withSite } from "../step/site-owner.ts";
import { readCopy, type Snapshot, filesIn } from "./snapshots.ts";
import { recordsOf, type SiteRecord, unlessLost, isSound } from "./backed-up-files.ts";

export interface LostCopy {
  readonly path: string;
  readonly reason: string;
}

export interface Restored {
  /** How many files were put back. */
  readonly vault: number;
  readonly site: number;
  /** How many were there as they are in the snapshot. */
  readonly same: number;
  /** Files of the vault that exist with other bytes, and stay. */
  readonly newer: readonly string[];
  /** Files that the backup has lost or damaged. */
  readonly lost: readonly LostCopy[];
}

interface Restoring {
  readonly backup: Store;
  readonly count: { vault: number; site: number; same: number };
  readonly newer: string[];
  readonly ifLost: (path: string, reason: string) => void;
  readonly tell: () => void;
}

export async function restore(
  publishing: Publishing,
  backup: Store,
  snapshot: Snapshot,
  onProgress: (words: string) => void = () => undefined,
): Promise<Restored> {
  const count = { vault: 0, site: 0, same: 0 };
  const lost: LostCopy[] = [];
  const newer: string[] = [];
  const tell = () => onProgress(`${count.vault + count.site} files, ${count.same} already there`);
  const ifLost = (path: string, reason: string) => void lost.push({ path, reason });
  const restoring: Restoring = { backup, count, newer, ifLost, tell };
  await restoreVault(publishing.vault.store, snapshot, restoring);
  await withSite(publishing, "restore", (owned) => restoreSite(owned, snapshot, restoring));
  return { ...count, newer: newer.sort(), lost };
}

async function restoreVault(vault: Store, snapshot: Snapshot, restoring: Restoring): Promise<void> {
  const files = await filesIn(restoring.backup, snapshot, restoring.ifLost);
  requireLayout(files.keys());
  const there = new Set(await Array.fromAsync(vault.list(""), ({ key }) => key));
  const headers = { type: "application/octet-stream" };
  const copies = [...files].map(([key, { copy }]) => ({ key, copy, headers }));
  await putBack("vault", copies, { store: vault, isThere: (key) => there.has(key) }, restoring);
}

async function restoreSite(
  publishing: Owned<Publishing>,
  snapshot: Snapshot,
  restoring: Restoring,
): Promise<void> {
  const { backup, ifLost } = restoring;
  const { site, configuration } = publishing;
  for (const step of await recordsOf(backup, snapshot.state, configuration.publishing.keepDays, ifLost))
    await putBack("site", step, { store: site, isThere: () => true }, restoring);
  await noteState(publishing, backup, snapshot);
}

/** Writes the copies that are not in the store. The vault keeps a readable file that has other bytes: it is newer. */
async function putBack(
  where: "vault" | "site",
  copies: readonly SiteRecord[],
  { store, isThere }: { readonly store: Store; readonly isThere: (key: string) => boolean },
  { backup, count, newer, ifLost, tell }: Restoring,
): Promise<void> {
  const put = async ({ key, copy, headers }: SiteRecord) => {
    const stored = isThere(key) ? await store.read(key) : undefined;
    if (stored !== undefined && sha256(stored.body) === copy) count.same += 1;
    else if (where === "vault" && stored !== undefined && isSound(key, stored.body)) newer.push(key);
    else {
      await store.write(key, await readCopy(backup, copy), headers, always);
      count[where] += 1;
    }
    tell();
  };
  await inParallel(copies, (one) => unlessLost(one.key, ifLost, () => put(one)), store.writesAtOnce);
}

/** No site is published more often than once a second for long; the first thousand are for clocks that went back. */
const msAVersion = 1_000;
const leastVersions = 1_000;

/**
 * Ends a restored vault with a record that names the state and says nothing of the public paths. While there is none the vault is not
 * whole, and a restore that is begun again notes the versions again.
 */
async function noteState(
  { owner, vault, now }: Owned<Publishing>,
  backup: Store,
  { state, version, at }: Snapshot,
): Promise<void> {
  if (state === null || owner.record.value.current !== null) return;
  const since = Math.ceil((now().getTime() - Date.parse(at)) / msAVersion);
  const far = owner.found.pointer === undefined ? Math.max(leastVersions, since) : 0;
  const current = { version, manifest: state };
  await owner.record.note((before) => ({
    ...becoming(before, current),
    highest: Math.max(before.highest, version + far),
    written: null,
    partlyWritten: [],
  }));
  // Last: from the copy alone, an owner would make a record that knows of no later version.
  await writeManifestCopy(vault.own, current, await readCopy(backup, state));
}

/** Reads every copy that a snapshot needs; answers those that are lost or damaged, and how many there are. */
export async function checkSnapshot(
  backup: Store,
  snapshot: Snapshot,
  keepDays: number,
  onProgress: (words: string) => void = () => undefined,
): Promise<{ readonly copies: number; readonly lost: readonly LostCopy[] }> {
  const lost: LostCopy[] = [];
  const ifLost = (path: string, reason: string) => void lost.push({ path, reason });
  const files = [...(await filesIn(backup, snapshot, ifLost))].map(([key, { copy }]) => ({ key, copy }));
  const records = await recordsOf(backup, snapshot.state, keepDays, ifLost);
  const pathOf = new Map([...files, ...records.flat()].map(({ key, copy }) => [copy, key]));
  let read = 0;
  await inParallel(pathOf, async ([copy, key]) => {
    await unlessLost(key, ifLost, () => readCopy(backup, copy));
    read += 1;
    onProgress(`${read} of ${pathOf.size}`);
  });
  return {
    copies: pathOf.size,
    lost: lost.filter(({ path }, at) => lost.findIndex((one) => one.path === path) === at),
  };
}
