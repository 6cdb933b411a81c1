// Removes from a backup the snapshots that are older than keepDays, and the copies that no other snapshot needs. One backup at a
// time: a second one could count on a copy that is removed here, which `almanac backup --check` would find.
import type { PublishContext } from "../state/publish-context.ts";
import { believedTime } from "../state/believed-time.ts";
import { keptSince } from "../state/kept-states.ts";
import { type Copies, removeCopies } from "./copies.ts";
import { addReached } from "./site-records.ts";
import { filesIn, type NamedSnapshot, readSnapshot, snapshotsIn } from "./snapshots.ts";
import { StoreFailure } from "../../store/store.ts";
import { unlessDamaged } from "../../vault/json.ts";

const graceMs = 24 * 60 * 60_000;

export interface Forgotten {
  readonly snapshots: number;
  readonly copies: number;
}

/** `used` are the hashes that the site has now: they would only be copied again. */
export async function forgetOld(
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
    await addReached(backup, snapshot.state, keepDays, known, ifLost);
  }
  return isWhole ? known : undefined;
}
