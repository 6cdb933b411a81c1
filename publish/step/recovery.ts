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
import { unlessChanged } from "../../store/store.ts";
import { canonical } from "../../vault/json.ts";
import { pointerHeaders } from "../state/headers.ts";
import { createPartReader, type PartReader } from "../state/parts.ts";
import type { PublishContext } from "../state/publish-context.ts";
import { type Manifests, pointerPath } from "../state/state.ts";
import { pointerAfter } from "./pointer.ts";
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
export interface TakenLease {
  /** Undefined without a lease: the record keeps its epoch. */
  readonly epoch?: number;
  /** Whether the owner before released it: nothing of that owner is under way then. */
  readonly wasReleased: boolean;
}

/** Thrown by an operation that may not finish a publish: it has no key to sign a pointer with, and no right to write to the site. */
export class UnfinishedPublish extends Error {
  override readonly name = "UnfinishedPublish";
  constructor() {
    super(
      "a publish was interrupted, and nothing is deleted before it is finished. Finish it with `almanac publish`; a worker does so every 15 minutes",
    );
  }
}

/** A site in the hands of the owner of its lease. */
export interface SiteOwner {
  /** The site as it was found, or as this owner has left it since. */
  found: FoundSite;
  readonly record: OwnRecord;
  readonly manifests: Manifests;
  readonly reader: PartReader;
  /** Bytes of objects that the public paths get, as far as there is room. */
  readonly held: Map<string, Uint8Array>;
}

export type Owned<Context extends PublishContext = PublishContext> = Context & { readonly owner: SiteOwner };

/** `finishes`: whether this owner may finish the publish of the one before. */
export async function recover(
  context: PublishContext,
  lease: TakenLease,
  finishes = true,
): Promise<SiteOwner> {
  let found = await lookAtSite(context);
  const record = ownRecord(context.vault.own, found.record, lease.epoch ?? found.record.value.epoch);
  // Even without a change: this write is what refuses every write of the record that is still under way.
  if (!lease.wasReleased || !found.record.isWhole || record.value.removing !== null) {
    const at = context.now().toISOString();
    await record.note((before) => takenOver(before, at, lease.wasReleased));
  }
  if (!finishes && !isFinished(found, record.value)) throw new UnfinishedPublish();
  while (!(await isSettled(context, found, record))) found = await lookAtSite(context);
  return newOwner(context, found, record);
}

export function newOwner({ site }: PublishContext, found: FoundSite, record: OwnRecord): SiteOwner {
  return { found, record, manifests: new Map(), reader: createPartReader(site), held: new Map() };
}

/** Whether the next owner has nothing to finish. A foreign state is not to be finished. */
export function isFinished({ judgement }: FoundSite, record: StateRecord): boolean {
  const { current, pending, written, partlyWritten } = record;
  if (judgement === "nothing") return current === null && pending === null;
  if (judgement === "foreign") return true;
  const isWritten = written?.manifest === current?.manifest && partlyWritten.length === 0;
  return judgement === "current" && pending === null && isWritten;
}

/** Notes what the owner before may still write to the public paths, and remove. */
function takenOver(record: StateRecord, at: string, wasReleased: boolean): StateRecord {
  const { current, pending, partlyWritten, removing } = record;
  const cleared = { ...record, removing: null };
  if (wasReleased) return cleared;
  const shown = [current?.manifest, pending?.manifest, ...partlyWritten].filter((one) => one !== undefined);
  if (shown.length === 0 && removing === null) return cleared;
  return withUnclean(cleared, { at, states: [...new Set(shown)], prefix: removing });
}

/** Does the next thing that is to be done; true if there is none. */
async function isSettled(context: PublishContext, found: FoundSite, record: OwnRecord): Promise<boolean> {
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
      if (await rewrite(context, found, current)) await dropPending();
      return false;
    case "pending":
      if (pending !== null) await makeCurrent(context, record, pending);
      return false;
    case "late": {
      const late = dropped.find(({ manifest }) => manifest === found.pointer?.manifest);
      const isNewest = late !== undefined && late.version > (current?.version ?? 0);
      if (isNewest) await makeCurrent(context, record, late);
      else if (current !== null) await rewrite(context, found, current);
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
  context: PublishContext,
  record: OwnRecord,
  state: NamedState,
): Promise<void> {
  const before = record.value;
  await record.note((one) => becoming(one, state));
  const old = [...(before.current === null ? [] : [before.current]), ...before.dropped];
  await dropManifestCopies(
    context.vault.own,
    old.filter(({ version }) => version < state.version),
  );
}

/** Writes the pointer to a state of ours in place of what was found. False if the pointer moved. */
async function rewrite(
  context: PublishContext,
  { stored, pointer }: FoundSite,
  state: NamedState,
): Promise<boolean> {
  const next = canonical(await pointerAfter(context, pointer, state));
  const { kind } = await context.site.write(
    pointerPath,
    next,
    pointerHeaders,
    unlessChanged(stored?.version),
  );
  return kind === "written";
}
