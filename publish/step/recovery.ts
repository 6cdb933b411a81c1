// What a new owner of the site's lease does first: it brings pointer and record into agreement, wherever the owner before it has
// stopped, and invalidates what that owner may still write. It leaves the public paths to the end of its own work.
//
// | the pointer names        | then
// | pending                  | the publish is finished: it is current
// | current, pending is set  | the pointer is rewritten with other bytes, so that a late write to pending is refused; then pending is
// |                          | dropped, and its version is not used again
// | nothing                  | there is nothing to rewrite: pending is dropped. If it comes late, the pointer names a dropped state
// | a dropped state          | current, if nothing was published since; else the pointer is rewritten to current
// | a foreign state          | nothing: the caller stops, or continues from current
import { mostAheadMs } from "../../readings/dates-ahead.ts";
import { unlessChanged } from "../../store/store.ts";
import { believedTime } from "../state/believed-time.ts";
import { canonical } from "../state/canonical.ts";
import { pointerHeaders } from "../state/headers.ts";
import type { Pointer } from "../state/manifest.schema.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { signed } from "../state/signature.ts";
import { pointerPath } from "../state/state.ts";
import { expiresAfterMs } from "./pointer-swap.ts";
import {
  becoming,
  dropManifestCopies,
  dropping,
  type NamedState,
  type OwnRecord,
  ownRecord,
  type StateRecord,
  withUnclean,
} from "./record.ts";
import { type FoundSite, lookAtSite } from "./site-state.ts";

/** The part of a lease that a recovery needs. */
interface TakenLease {
  readonly epoch: number;
  /** Whether the owner before released it: nothing of that owner is under way then. */
  readonly wasReleased: boolean;
}

export interface RecoveredSite {
  readonly found: FoundSite;
  readonly record: OwnRecord;
}

export async function recover(place: PublishingPlace, lease: TakenLease): Promise<RecoveredSite> {
  let found = await lookAtSite(place);
  const record = ownRecord(place.vault.store, found.record, lease.epoch);
  // Even without a change: this write is what refuses every write of the record that is still under way.
  if (!lease.wasReleased || !found.record.isWhole || record.value.removing !== null) {
    const at = place.now().toISOString();
    await record.note((before) => takenOver(before, at, lease.wasReleased));
  }
  while (!(await isSettled(place, found, record))) found = await lookAtSite(place);
  return { found, record };
}

/** Notes what the owner before may still write to the public paths, and remove. */
function takenOver(record: StateRecord, at: string, wasReleased: boolean): StateRecord {
  const { current, pending, written, partlyWritten, removing, states } = record;
  const cleared = { ...record, removing: null };
  if (wasReleased) return cleared;
  // A write that was given up may still arrive after its publish has ended.
  const isDone = written?.manifest === current?.manifest;
  const from = (isDone ? states[1]?.manifest : written?.manifest) ?? null;
  const shown = [current?.manifest, pending?.manifest, ...partlyWritten].filter((one) => one !== undefined);
  const to = [...new Set(shown)].filter((one) => one !== from);
  if (to.length === 0 && removing === null) return cleared;
  return withUnclean(cleared, { at, from, to, prefix: removing });
}

/** Does the next thing that is to be done; true if there is none. */
async function isSettled(place: PublishingPlace, found: FoundSite, record: OwnRecord): Promise<boolean> {
  const { current, pending, dropped } = record.value;
  const stale = pending === null ? [] : [pending];
  const dropPending = () => record.note((before) => dropping({ ...before, pending: null }, stale));
  switch (found.judgement) {
    case "foreign":
      return true;
    case "nothing":
      if (current === null && pending === null) return true;
      await record.note((before) => dropping(emptied(before), stale));
      return false;
    case "current":
      if (pending === null || current === null) return true;
      if (await rewrite(place, found, current)) await dropPending();
      return false;
    case "pending":
      if (pending !== null) await makeCurrent(place, record, pending);
      return false;
    case "late": {
      const late = dropped.find(({ manifest }) => manifest === found.pointer?.manifest);
      const isNewest = late !== undefined && late.version > (current?.version ?? 0);
      if (isNewest) await makeCurrent(place, record, late);
      else if (current !== null) await rewrite(place, found, current);
      return false;
    }
  }
}

/** Nothing is left of what was published; versions stay used. */
function emptied(record: StateRecord): StateRecord {
  return { ...record, current: null, pending: null, written: null, partlyWritten: [] };
}

/** Notes that the pointer names this state, and removes the manifest copies that nobody needs any more. */
export async function makeCurrent(
  place: PublishingPlace,
  record: OwnRecord,
  state: NamedState,
): Promise<void> {
  const before = record.value;
  await record.note((one) => becoming(one, state));
  const old = [...(before.current === null ? [] : [before.current]), ...before.dropped];
  await dropManifestCopies(
    place.vault.store,
    old.filter(({ version }) => version < state.version),
  );
}

/** Writes the pointer to a state of ours in place of what was found. False if the pointer moved. */
async function rewrite(
  place: PublishingPlace,
  { stored, pointer }: FoundSite,
  state: NamedState,
): Promise<boolean> {
  const next = canonical(await pointerAfter(place, pointer, state));
  const { kind } = await place.site.write(pointerPath, next, pointerHeaders, unlessChanged(stored?.version));
  return kind === "written";
}

/**
 * The pointer to a state in place of another pointer. It is later than that one, also while the clock stands still or goes back: a
 * late write expects bytes that were there before, and these must never come back.
 */
export async function pointerAfter(
  place: PublishingPlace,
  before: Pointer | undefined,
  { manifest, version }: NamedState,
): Promise<Pointer> {
  const nowMs = (await believedTime(place)).getTime();
  const beforeMs = before === undefined ? 0 : Date.parse(before.publishedAt);
  const isAhead = beforeMs > nowMs + mostAheadMs; // no publisher of ours wrote that
  const atMs = isAhead ? nowMs : Math.max(nowMs, beforeMs + 1);
  const publishedAt = new Date(atMs).toISOString();
  const expires = new Date(atMs + expiresAfterMs).toISOString();
  return signed({ format: 1, manifest, version, publishedAt, expires }, place.signer);
}
