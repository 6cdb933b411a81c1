// The right to change a site. Every operation that does so (a night's publish, `publish`, `render`, a withdrawal, a rollback, a repair, a
// clean-up, a restore) holds the site's lease while it does so, as an activity or a command, in any process. It begins where the owner
// before it has stopped (recovery.ts), and ends with the public paths.
import { setTimeout as delay } from "node:timers/promises";
import { createFence, fenced } from "../../store/fence.ts";
import { holderWords, withLease } from "../../store/lease.ts";
import { readKept } from "../../vault/note.ts";
import { siteFolder, siteLayout } from "../../vault/layout.ts";
import type { PublishContext } from "../state/publish-context.ts";
import { finishPublicPaths } from "./public-paths.ts";
import { siteRecord } from "./record.ts";
import { newOwner, type Owned, recover, type SiteOwner, type TakenLease } from "./recovery.ts";
import { lookAtSite } from "./site-state.ts";

/** A command waits this long: an activity holds the lease for 10 minutes at most. */
const mostWaitMs = 30 * 60_000;

interface OwnerOptions {
  /** False for an operation that may not finish the publish of the owner before. */
  readonly finishes?: boolean;
}

/**
 * Does the work as the owner of the site's lease; `purpose` is for people who wait. Without leases nobody else is at work, or this is a
 * trial run. Throws `LeaseHeld` after the longest wait, `LeaseLost` and `UnfinishedPublish`.
 */
export async function withSite<Context extends PublishContext, Result>(
  context: Context,
  purpose: string,
  work: (owned: Owned<Context>) => Promise<Result>,
  { finishes = true }: OwnerOptions = {},
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

/** Of a trial run whose stores forget what is written: nothing is noted there. */
async function lookOnly(context: PublishContext): Promise<SiteOwner> {
  const found = await lookAtSite(context);
  return newOwner(context, found, { value: found.record.value, note: () => Promise.resolve() });
}

/** Between two holdings of one operation, others come in: who waits for the lease looks every 2 s. */
export async function letOthersIn({ leases }: PublishContext): Promise<void> {
  if (leases !== undefined) await delay(2_500);
}
