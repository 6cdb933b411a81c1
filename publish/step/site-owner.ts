// The right to change a site. Every operation that does so (a night's publish, `publish`, `render`, a withdrawal, a rollback, a repair, a
// clean-up, a restore) holds the site's lease while it does so, as an activity or a command, in any process, and ends with the public
// paths. First it brings pointer and record into agreement, wherever the owner before it has stopped, and invalidates what that
// owner may still write:
//
// | the pointer names        | then
// | pending                  | the publish is finished: it is current
// | current, pending is set  | the pointer is rewritten with other bytes, so that a late write to pending is refused; then pending is
// |                          | dropped, and its version is not used again
// | nothing                  | there is nothing to rewrite: pending is dropped. If it comes late, the pointer names a dropped state
// | a dropped state          | current, if nothing was published since; else the pointer is rewritten to current
// | a foreign state          | nothing: the caller stops, or continues from current
import { setTimeout as delay } from "node:timers/promises";
import { createFence, fenced, holderWords, withLease } from "../../store/lease.ts";
import { readKept } from "../../vault/note.ts";
import { siteFolder, siteLayout, canonical } from "../../vault/files.ts";
import type { PublishContext } from "../state/publish-context.ts";
import { finishPublicPaths } from "./public-paths.ts";
import {
  siteRecord,
  makeCurrent,
  dropping,
  type NamedState,
  type OwnRecord,
  ownRecord,
  type StateRecord,
  withUnclean,
} from "./record.ts";
import { lookAtSite, type Owned, type SiteOwner, type FoundSite } from "./site-state.ts";
import { unlessChanged } from "../../store/store.ts";
import { pointerHeaders } from "../state/headers.ts";
import { createPartReader } from "../state/parts.ts";
import { pointerPath } from "../state/state.ts";
import { pointerAfter } from "./pointer.ts";

/** A command waits this long: an activity holds the lease for 10 minutes at most. */
const mostWaitMs = 30 * 60_000;

/**
 * Does the work as the owner of the site's lease; `purpose` is for people who wait. Without leases nobody else is at work, or this is a
 * trial run. `finishes`: whether it may finish the publish of the owner before. Throws `LeaseHeld` after the longest wait, `LeaseLost`
 * and `UnfinishedPublish`.
 */
export async function withSite<Context extends PublishContext, Result>(
  context: Context,
  purpose: string,
  work: (owned: Owned<Context>) => Promise<Result>,
  { finishes = true }: { readonly finishes?: boolean } = {},
): Promise<Result> {
  const { site, leases, log, waiting = {} } = context;
  if (leases === undefined) return workOn(context, { wasReleased: true }, finishes, work);
  const { signal, maxWaitMs = mostWaitMs, onWait } = waiting;
  const options = {
    purpose: waiting.purpose ?? purpose,
    signal,
    maxWaitMs,
    atLeastEpoch: async () => (await readKept(context.vault.own, siteRecord)).value.epoch + 1,
    onWait({ key, holder }: { readonly key: string; readonly holder: Parameters<typeof holderWords>[0] }) {
      const words = `waiting for the lease ${key}, held by ${holderWords(holder)}`;
      log.warn({ lease: key }, words);
      onWait?.(words);
    },
  };
  return withLease(leases, siteFolder(context.vault.siteId) + siteLayout.lease, options, async (lease) => {
    const fence = createFence(lease);
    const taken = { epoch: lease.epoch, wasReleased: lease.before !== "unreleased" };
    try {
      const held = { ...context, site: fenced(site, fence), leases: undefined };
      return await workOn(held, taken, finishes, work);
    } finally {
      await fence.idle();
    }
  });
}

async function workOn<Context extends PublishContext, Result>(
  context: Context,
  lease: TakenLease,
  finishes: boolean,
  work: (owned: Owned<Context>) => Promise<Result>,
): Promise<Result> {
  const isTrial = context.site.forgets === true;
  const owned = {
    ...context,
    owner: isTrial ? await lookOnly(context) : await recover(context, lease, finishes),
  };
  const result = await work(owned);
  await finishPublicPaths(owned);
  return result;
}

/** For a trial run, whose stores discard all writes: notes nothing. */
async function lookOnly(context: PublishContext): Promise<SiteOwner> {
  const found = await lookAtSite(context);
  return newOwner(context, found, { value: found.record.value, note: () => Promise.resolve() });
}

/** Between two holdings of one operation, others come in: who waits for the lease looks every 2 s. */
export async function letOthersIn({ leases }: PublishContext): Promise<void> {
  if (leases !== undefined) await delay(2_500);
}

/** The part of a lease that a recovery needs. */
interface TakenLease {
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

function newOwner({ site }: PublishContext, found: FoundSite, record: OwnRecord): SiteOwner {
  return {
    found,
    record,
    manifests: new Map(),
    reader: createPartReader(site),
    held: new Map(),
    put: new Set(),
  };
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
      // Nothing is left of the published files; versions stay used.
      await record.note((before) =>
        dropping({ ...before, current: null, pending: null, written: null, partlyWritten: [] }, stale),
      );
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
