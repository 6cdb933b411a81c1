// Notifications after a publish, and their fate if no receiver responds.
import { expect, onTestFinished, test } from "vitest";
import type { Alert } from "../../activities/alert-kinds.ts";
import { publish } from "../../publish/publish.ts";
import type { Publishing } from "../../publish/state/publish-context.ts";
import { Secret } from "../../service/secret.ts";
import { always, type Store, StoreFailure } from "../../store/store.ts";
import { createCloudflare } from "../../worker/notifiers/cloudflare.ts";
import { createHub } from "../../worker/notifiers/webhooks.ts";
import { type Notifier, NotNotified } from "../../worker/notifiers/notifier.ts";
import { CredentialsUnreadable } from "../../worker/settings/credentials.ts";
import {
  createNotifying,
  type Notifying,
  readBacklog,
  backlogNote,
} from "../../worker/notifiers/notifying.ts";
import { newSite } from "../publish/support/published-site.ts";
import { startCollector } from "../support/collector.ts";
import { openMemory } from "../support/memory.ts";
import { startCloudflare } from "./support/cdn-servers.ts";

const zone = "0123456789abcdef0123456789abcdef";
const token = "cf-secret-token-0123456789";
const siteUrl = "https://almanac.example";
const proxies = { http: undefined, https: undefined, none: "127.0.0.1" };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const now = (): Date => new Date("2026-11-21T03:05:00.000Z");

interface Told {
  readonly alerts: Alert[];
  readonly notifying: Notifying;
}

function startNotifying(
  caches: readonly Notifier[],
  vault: Store,
  fetchers: readonly Notifier[] = [],
  clock = now,
): Told {
  const alerts: Alert[] = [];
  const alert = async (one: Alert): Promise<void> => void alerts.push(one);
  const notifying = createNotifying({ vault, caches, fetchers, alert, log, now: clock });
  if (notifying === undefined) throw new Error("no Notifying although there is a notifier");
  return { alerts, notifying };
}

async function cloudflareWorld() {
  const server = await startCloudflare(onTestFinished, zone, token);
  const cache = createCloudflare({
    zone,
    by: "tag",
    token: () => new Secret(token),
    siteUrl,
    siteId: "almanac",
    proxies,
    endpoint: server.url,
  });
  return { server, cache };
}

const changed = (...paths: readonly string[]) => ({ manifest: "a".repeat(64), version: 1, paths });
const night = { run: "almanac-nightly", asOf: "2026-11-21T12:00:00.000Z", languages: ["en", "hi"] } as const;

test("without a notifier, a publish neither reads nor writes notes about changes", () => {
  expect(
    createNotifying({ vault: openMemory(), caches: [], alert: async () => undefined, log, now }),
  ).toBeUndefined();
});

test("a publish is notified once, by its parts, and an unchanged one is not", async () => {
  const { server, cache } = await cloudflareWorld();
  const site = newSite({ operations: ["daily-tarot"] });
  await site.gather("2026-11-21");
  const { notifying, alerts } = startNotifying([cache], site.publishing.vault.store);
  const publishing: Publishing = { ...site.publishing, ...notifying };
  await publish(night, publishing);
  expect(server.purges).toEqual([]);
  await notifying.notifyChanges();
  await publish(night, publishing);
  await notifying.notifyChanges();
  expect(server.purges).toHaveLength(1);
  expect(server.purges[0]?.["tags"]).toEqual(
    expect.arrayContaining(["almanac.shared", "almanac.own", "almanac.en.front", "almanac.hi.daily-tarot"]),
  );
  expect(alerts).toEqual([]);
});

test("a throttled call is repeated after the given time, and the night continues", async () => {
  const { server, cache } = await cloudflareWorld();
  const { notifying, alerts } = startNotifying([cache], openMemory());
  server.refusals.push(server.busy(1), { status: 503 });
  await notifying.noteChange(changed("en/index.html"));
  await notifying.notifyChanges();
  expect(server.calls).toHaveLength(3);
  expect(server.purges).toEqual([{ tags: ["almanac.en.front"] }]);
  expect(alerts).toEqual([]);
});

test("a failed notification is reported with the remedy, stays in the vault, and is sent with the next publish that the server allows", async () => {
  const { server, cache } = await cloudflareWorld();
  const vault = openMemory();
  const { notifying, alerts } = startNotifying([cache], vault);
  await notifying.noteChange(changed("en/index.html"));
  server.refusals.push(server.busy(3_600));
  await notifying.notifyChanges();
  expect(server.calls).toHaveLength(1); // an hour is longer than a publish waits
  expect(alerts).toEqual([
    {
      kind: "cache-not-purged",
      once: "2026-11-21 cloudflare",
      text: expect.stringMatching(
        /Cloudflare answered 429 .*\. Readers may see outdated pages\. Next: .*Each publish tries again\.$/,
      ),
    },
  ]);
  // Another worker, or this one after its death.
  const early = startNotifying([cache], vault, [], () => new Date("2026-11-21T04:04:59.000Z"));
  await early.notifying.noteChange(changed("hi/index.html"));
  await early.notifying.notifyChanges();
  expect(server.calls).toHaveLength(1);
  await startNotifying(
    [cache],
    vault,
    [],
    () => new Date("2026-11-21T04:05:01.000Z"),
  ).notifying.notifyChanges();
  expect(server.purges).toEqual([{ tags: ["almanac.en.front", "almanac.hi.front"] }]);
  expect(await readBacklog(vault)).toEqual(new Map());
  expect(JSON.stringify([alerts, await vault.read(backlogNote.key)])).not.toContain(token);
});

test("changes during a notification are notified again", async () => {
  const vault = openMemory();
  const told: (readonly string[])[] = [];
  let meanwhile: readonly string[] = ["en/daily/leo/index.html"];
  const cache: Notifier = {
    ...(await cloudflareWorld()).cache,
    async tell({ items }) {
      told.push(items);
      if (meanwhile.length > 0) await notifying.noteChange(changed(...meanwhile));
      meanwhile = [];
    },
  };
  const { notifying } = startNotifying([cache], vault);
  await notifying.noteChange(changed("en/daily/leo/index.html", "hi/index.html"));
  await notifying.notifyChanges();
  await notifying.notifyChanges();
  await notifying.notifyChanges();
  expect(told).toEqual([["en.daily-horoscope", "hi.front"], ["en.daily-horoscope"]]);
});

test("a set merged into its language during a notification notifies the language again", async () => {
  const vault = openMemory();
  const told: (readonly string[])[] = [];
  const all = ["daily", "weekly", "monthly"].map((kind) => `en/${kind}/leo/index.html`);
  const cache: Notifier = {
    ...(await cloudflareWorld()).cache,
    async tell({ items }) {
      told.push(items);
      if (told.length === 1) await notifying.noteChange(changed("en/yearly/leo/index.html"));
    },
  };
  const { notifying } = startNotifying([cache], vault);
  await notifying.noteChange(changed(...all));
  await notifying.notifyChanges();
  await notifying.notifyChanges();
  expect(told).toEqual([["en"], ["en"]]);
});

test("the same changes keep their reference from try to try, and from worker to worker", async () => {
  const vault = openMemory();
  const references: string[] = [];
  let away = true;
  const cache: Notifier = {
    ...(await cloudflareWorld()).cache,
    async tell({ reference }) {
      references.push(reference);
      if (away) throw new NotNotified({ seen: "away", remedy: "wait", again: false });
    },
  };
  const [one, other] = [startNotifying([cache], vault), startNotifying([cache], vault)];
  await one.notifying.noteChange(changed("en/index.html"));
  await one.notifying.notifyChanges();
  await other.notifying.notifyChanges();
  await other.notifying.noteChange(changed("en/index.html"));
  away = false;
  await other.notifying.notifyChanges();
  expect(references[1]).toBe(references[0]);
  expect(references[2]).not.toBe(references[0]);
});

test("an unreadable note starts again", async () => {
  const { server, cache } = await cloudflareWorld();
  const vault = openMemory();
  await vault.write(backlogNote.key, Buffer.from("{damaged"), { type: "application/json" }, always);
  const { notifying } = startNotifying([cache], vault);
  await notifying.noteChange(changed("en/index.html"));
  await notifying.notifyChanges();
  expect(server.purges).toHaveLength(1);
});

test("an unreachable vault or unreadable token fails no completed publish", async () => {
  const { server, cache } = await cloudflareWorld();
  const vault = openMemory();
  let isAway = true;
  const facts = {
    doing: "read",
    key: backlogNote.key,
    place: "memory",
    seen: "away",
    remedy: "wait",
  } as const;
  const read: Store["read"] = async (key) => {
    if (isAway) throw new StoreFailure(facts);
    return vault.read(key);
  };
  const before = startNotifying([cache], vault);
  await before.notifying.noteChange(changed("en/index.html"));
  await startNotifying([cache], { ...vault, read }).notifying.notifyChanges();
  isAway = false;
  const unreadable: Notifier = {
    ...cache,
    tell: () =>
      Promise.reject(new CredentialsUnreadable("ALMANAC_CLOUDFLARE_TOKEN_FILE", "/run/token", "is empty")),
  };
  const other = startNotifying([unreadable], vault);
  await other.notifying.notifyChanges();
  expect(other.alerts.map(({ text }) => text).join()).toContain(
    "ALMANAC_CLOUDFLARE_TOKEN_FILE: /run/token is empty",
  );
  await before.notifying.notifyChanges();
  expect(server.purges).toHaveLength(1);
});

test("the hub is notified of feeds after the caches, and not while a cache may still serve old ones", async () => {
  const { server, cache } = await cloudflareWorld();
  const { url, received, statuses } = await startCollector(onTestFinished);
  const { notifying, alerts } = startNotifying([cache], openMemory(), [
    createHub(`${url}/`, siteUrl, proxies),
  ]);
  await notifying.noteChange(changed("en/feed.xml", "en/index.html", "en/daily/leo/feed.json"));
  server.refusals.push({ status: 403 });
  await notifying.notifyChanges();
  expect(received).toEqual([]);
  await notifying.notifyChanges();
  expect(received.map(({ method, body }) => [method, [...new URLSearchParams(body)]])).toEqual([
    [
      "POST",
      [
        ["hub.mode", "publish"],
        ["hub.url", `${siteUrl}/en/daily/leo/feed.json`],
        ["hub.url", `${siteUrl}/en/feed.xml`],
      ],
    ],
  ]);
  statuses.push(404);
  await notifying.noteChange(changed("hi/feed.xml"));
  await notifying.notifyChanges();
  expect(alerts.map(({ kind }) => kind)).toEqual(["cache-not-purged", "hub-not-notified"]);
  expect(alerts.at(-1)?.text).toContain("check site.hub");
  await notifying.notifyChanges();
  expect(received.at(-1)?.body).toContain("hi%2Ffeed.xml");
});
