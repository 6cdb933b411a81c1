// Notifies servers of changes. A publish only records its change in the vault before it completes, so that no change is lost if the
// process is killed or a server is down for days. A separate step then notifies, and cannot fail the publish: a change that a server
// does not accept raises an alert, stays recorded, and is sent with the next publish.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { Alert } from "../../activities/alert-kinds.ts";
import type { PublishContext, ShownChange } from "../../publish/state/publish-context.ts";
import { type Store, StoreFailure } from "../../store/store.ts";
import { reportingWait } from "../../store/clock.ts";
import { siteLayout } from "../../vault/files.ts";
import type { Log } from "../../vault/vault.ts";
import { changeNote, type Note, readNote } from "../../vault/note.ts";
import { CredentialsUnreadable, readerOf } from "../settings/credentials.ts";
import { type News, type Notifier, notifierAlerts, NotNotified } from "./notifier.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { webhookFrom } from "../webhook.ts";
import { type Environment, WrongSettings } from "../settings/environment.ts";
import type { SiteLocation } from "../opened-site.ts";
import { createCloudflare, type CloudflareSettings } from "./cloudflare.ts";
import { type CloudFrontSettings, createCloudFront } from "./cloudfront.ts";
import { createIndexNow } from "./index-now.ts";
import { createHub, createPublishedWebhook, createPurgeWebhook } from "./webhooks.ts";

/** Short compared with the 15 minutes after which a publish tries again. A longer pause that a server requests is in the backlog. */
const pausesMs = [1_000, 3_000, 6_000];
const longestPauseMs = 10_000;
const mostMs = 45_000;
/** While a process notifies, others leave that notifier alone. If the process dies, the next publish after this time takes over. */
const takenMs = 60_000;
/** A longer pause comes from a wrong clock. */
const mostPausedMs = 24 * 60 * 60_000;

interface NotifyingSettings {
  readonly vault: Store;
  readonly caches: readonly Notifier[];
  /** Notified after the caches, because hub and search engines fetch the changes at once and must not get cached ones. */
  readonly fetchers?: readonly Notifier[];
  /** Notified after the caches, because a build reads the site through them, but even if a cache could not be purged. */
  readonly builder?: Notifier;
  readonly alert: (alert: Alert) => Promise<void>;
  readonly log: Log;
  readonly now: () => Date;
}

export type Notifying = Required<Pick<PublishContext, "noteChange" | "notifyChanges">>;

/** Undefined without notifiers: a publish then reads and writes no backlog. */
export function createNotifying(settings: NotifyingSettings): Notifying | undefined {
  const { vault, caches, fetchers = [], builder, log } = settings;
  const notifiers = [...caches, ...fetchers, builder].filter((one) => one !== undefined);
  if (notifiers.length === 0) return undefined;
  return {
    noteChange: (shown) => addToBacklog(vault, notifiers, shown),
    async notifyChanges() {
      try {
        const backlog = await readBacklog(vault);
        const signal = AbortSignal.timeout(mostMs);
        const notifyOne = async (notifier: Notifier) =>
          !backlog.has(notifier.name) || notify(notifier, signal, settings);
        const areNotified = await Promise.all(caches.map(notifyOne));
        const others = areNotified.every(Boolean) ? fetchers : [];
        await Promise.all([...others, ...(builder === undefined ? [] : [builder])].map(notifyOne));
      } catch (error) {
        // The publish has succeeded, and the next one sends the backlog. Only store errors are sure to contain no secrets.
        const facts = error instanceof Error ? error : new Error("unknown");
        const seen = facts instanceof StoreFailure ? facts.message : facts.name;
        log.warn({ error: seen }, "cannot notify of changes; the next publish tries again");
      }
    },
  };
}

/** True once the notifier's backlog is empty. */
async function notify(
  notifier: Notifier,
  signal: AbortSignal,
  { vault, log, alert, now }: NotifyingSettings,
): Promise<boolean> {
  const { name } = notifier;
  for (;;) {
    const waiting = await takeNext(vault, notifier, now());
    if (waiting === undefined) return true;
    if (waiting === "taken") return false;
    const failure = await reportingWait(name, mostMs, () => tried(notifier, waiting, signal));
    if (failure === undefined) {
      await removeNotified(vault, name, waiting);
      log.info({ notifier: name, items: waiting.items.length }, "changes notified");
      continue;
    }
    const { seen, remedy, afterMs = 0 } = failure.facts;
    await pause(vault, name, new Date(now().getTime() + Math.min(afterMs, mostPausedMs)));
    const once = `${now().toISOString().slice(0, 10)} ${name}`;
    const { kind, impact } = notifierAlerts[name];
    const text = `A notification of the last publish failed: ${seen}. ${impact}. Next: ${remedy}. Each publish tries again.`;
    await alert({ kind, text, once });
    return false;
  }
}

async function tried(notifier: Notifier, { items, reference, shown }: Waiting, signal: AbortSignal) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await notifier.tell({ items, reference, shown, signal });
      return undefined;
    } catch (error) {
      if (error instanceof CredentialsUnreadable)
        return new NotNotified({ seen: error.message, remedy: "fix that file", again: false });
      if (!(error instanceof NotNotified)) throw error;
      const pauseMs = pausesMs[attempt];
      const waitMs = Math.max(pauseMs ?? 0, error.facts.afterMs ?? 0);
      if (!error.facts.again || pauseMs === undefined || waitMs > longestPauseMs || signal.aborted)
        return error;
      await delay(waitMs);
    }
  }
}

const backlogSchema = z.object({
  /** Distinguishes this note's numbers from those of a lost note. */
  id: z.string(),
  /** Number of changes recorded. */
  count: z.int().min(0),
  /** Items by notifier name, each with the number of the last change that recorded it. */
  waiting: z.record(z.string(), z.record(z.string(), z.int())),
  /** The newest recorded state. */
  shown: z.object({ manifest: z.string(), version: z.int() }),
  /** Notifiers that may not be notified before this time: a process does so, or their server requested a pause. */
  paused: z.record(z.string(), z.iso.datetime()).default({}),
});
type Backlog = z.infer<typeof backlogSchema>;

export const backlogNote: Note<Backlog, undefined> = {
  key: siteLayout.backlog,
  schema: backlogSchema,
  empty: undefined,
};

/** Records a change's items for each notifier. Drops the items of notifiers that are no longer configured. */
async function addToBacklog(
  vault: Store,
  notifiers: readonly Notifier[],
  { manifest, version, paths }: ShownChange,
): Promise<void> {
  const news = notifiers.map((notifier) => ({ notifier, items: new Set(notifier.itemsOf(paths)) }));
  if (news.every(({ items }) => items.size === 0)) return;
  await changeNote(vault, backlogNote, (before) => {
    const count = (before?.count ?? 0) + 1;
    const waiting = news.map(({ notifier, items }) => {
      const known = before?.waiting[notifier.name] ?? {};
      const folded = notifier.folded([...Object.keys(known), ...items]);
      // If a new item was merged into a wider one, any of the waiting items may contain it, so all count as new.
      const isFolded = !items.isSubsetOf(new Set(folded));
      const isNew = (item: string) => isFolded || items.has(item);
      const numbered = folded.map((item) => [item, isNew(item) ? count : (known[item] ?? count)] as const);
      return [notifier.name, Object.fromEntries(numbered)] as const;
    });
    const shown =
      before !== undefined && before.shown.version > version ? before.shown : { manifest, version };
    const { id = randomUUID(), paused = {} } = before ?? {};
    return { id, count, waiting: Object.fromEntries(waiting), shown, paused };
  });
}

export interface Waiting extends Pick<News, "items" | "reference" | "shown"> {
  readonly noted: Readonly<Record<string, number>>;
}

/** Pending items by notifier, without notifiers that have none. */
export async function readBacklog(vault: Store): Promise<ReadonlyMap<string, Waiting>> {
  const note = await readNote(vault, backlogNote);
  const names = Object.keys(note?.waiting ?? {});
  return new Map(
    names.flatMap((name) => {
      const waiting = waitingFor(name, note);
      return waiting === undefined ? [] : [[name, waiting]];
    }),
  );
}

function waitingFor(
  name: string,
  note: Backlog | undefined,
  most = Number.POSITIVE_INFINITY,
): Waiting | undefined {
  const noted = Object.entries(note?.waiting[name] ?? {})
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, most);
  if (note === undefined || noted.length === 0) return undefined;
  const newest = noted.reduce((highest, [, count]) => Math.max(highest, count), 0);
  const items = noted.map(([item]) => item);
  return { noted: Object.fromEntries(noted), items, reference: `${note.id} ${newest}`, shown: note.shown };
}

/** The next items for this process alone; "taken" if another process notifies, or the server requested a pause. */
async function takeNext(
  vault: Store,
  { name, mostAtOnce }: Notifier,
  now: Date,
): Promise<Waiting | "taken" | undefined> {
  let taken: Waiting | "taken" | undefined;
  await changeNote(vault, backlogNote, (before) => {
    taken = waitingFor(name, before, mostAtOnce);
    if (before === undefined || taken === undefined) return undefined;
    const pausedMs = Date.parse(before.paused[name] ?? "") - now.getTime();
    if (pausedMs > 0 && pausedMs <= mostPausedMs) {
      taken = "taken";
      return undefined;
    }
    const until = new Date(now.getTime() + takenMs).toISOString();
    return { ...before, paused: { ...before.paused, [name]: until } };
  });
  return taken;
}

async function pause(vault: Store, name: string, until: Date): Promise<void> {
  await changeNote(
    vault,
    backlogNote,
    (before) => before && { ...before, paused: { ...before.paused, [name]: until.toISOString() } },
  );
}

/** Removes the delivered items, except those noted again in the meantime. */
async function removeNotified(vault: Store, name: string, { noted }: Waiting): Promise<void> {
  await changeNote(vault, backlogNote, (before) => {
    if (before === undefined) return undefined;
    const left = Object.entries(before.waiting[name] ?? {}).filter(([item, count]) => noted[item] !== count);
    const { [name]: _, ...paused } = before.paused;
    return { ...before, waiting: { ...before.waiting, [name]: Object.fromEntries(left) }, paused };
  });
}

interface NotifierSettings {
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly location: SiteLocation;
  readonly site: Store;
  readonly log: Log;
  readonly now: () => Date;
}

export function notifyingFor(
  settings: NotifierSettings,
  vault: Store,
  alert: (alert: Alert) => Promise<void>,
): Notifying | undefined {
  const { environment, configuration, location, site, log, now } = settings;
  if (location.kind === "sandbox") return undefined;
  const { id, hub, indexNow, url } = configuration.site;
  const { purgeUrl, publishedUrl, proxies } = environment;
  const [cloudFront, cloudflare] = [cloudFrontOf(settings), cloudflareOf(settings)];
  const purged = webhookFrom("ALMANAC_PURGE_URL", purgeUrl, { proxies, log });
  const published = webhookFrom("ALMANAC_PUBLISHED_URL", publishedUrl, { proxies, log });
  const caches = [
    cloudFront && createCloudFront(cloudFront),
    cloudflare && createCloudflare(cloudflare),
    purged && createPurgeWebhook(id, purged),
  ];
  const fetchers = [
    hub === undefined ? undefined : createHub(hub, url, proxies),
    indexNow &&
      createIndexNow({ ...indexNow, siteUrl: url, site, indexing: configuration.indexing, now, proxies }),
  ];
  return createNotifying({
    vault,
    caches: caches.filter((one) => one !== undefined),
    fetchers: fetchers.filter((one) => one !== undefined),
    builder: published && createPublishedWebhook(id, published, now),
    alert,
    log,
    now,
  });
}

type Named = Pick<NotifierSettings, "environment" | "configuration">;

export function cloudFrontOf({ environment, configuration }: Named): CloudFrontSettings | undefined {
  const { cdn, site } = configuration;
  const { proxies } = environment;
  return cdn.cloudfront && { ...cdn.cloudfront, siteUrl: site.url, siteId: site.id, proxies };
}

/** Throws WrongSettings where the token is missing. */
export function cloudflareOf({ environment, configuration }: Named): CloudflareSettings | undefined {
  const { cdn, site } = configuration;
  const { proxies, cloudflareToken } = environment;
  if (cdn.cloudflare === undefined) return undefined;
  if (cloudflareToken === undefined) {
    const problem = "not set, and neither is ALMANAC_CLOUDFLARE_TOKEN_FILE, but cdn.cloudflare needs it";
    throw new WrongSettings([{ name: "ALMANAC_CLOUDFLARE_TOKEN", problem }]);
  }
  const token = readerOf(cloudflareToken);
  return { ...cdn.cloudflare, token, siteUrl: site.url, siteId: site.id, proxies };
}
