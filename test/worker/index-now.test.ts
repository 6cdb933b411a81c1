// Search engines are notified of changed pages through IndexNow: exactly of those, each once, and not more often than they allow.
import { expect, onTestFinished, test } from "vitest";
import type { Alert } from "../../activities/alert-kinds.ts";
import { publish } from "../../publish/publish.ts";
import { withdraw } from "../../publish/withdraw.ts";
import { configurationSchema } from "../../readings/configuration.schema.ts";
import { addDays } from "../../readings/calendar.ts";
import { addressOf } from "../../site/address.ts";
import { parsePath } from "../../site/paths.ts";
import { readSitemap } from "../../site/root-files.ts";
import { tree } from "../../site/tree.ts";
import { type Operation, signs } from "../../readings/tables.ts";
import { checkNotifiers } from "../../worker/checks/notifiers.ts";
import { createIndexNow } from "../../worker/notifiers/index-now.ts";
import { createNotifying, readBacklog } from "../../worker/notifiers/notifying.ts";
import { readEnvironment } from "../../worker/settings/environment.ts";
import { startPublishedServer } from "../../worker/site-server.ts";
import { freePorts } from "../../worker/temporal/ports.ts";
import { newSite, type PublishedSite, recordOf, requestAt } from "../publish/support/published-site.ts";
import { settings } from "../site/editions.ts";
import { openMemory } from "../support/memory.ts";
import { fill, inMemory, snapshotOf, watched } from "../support/stores.ts";
import { createVault } from "../../vault/vault.ts";
import { startIndexNow } from "./support/cdn-servers.ts";

const proxies = { http: undefined, https: undefined, none: "127.0.0.1" };
const logged: unknown[] = [];
const note = (...line: readonly unknown[]): void => void logged.push(line);
const log = { info: note, warn: note, error: note };
const key = "0f26d5e892544f74b806ec5c5522e6a1";
/** An outage after which nothing is tried again before the next publish. */
const away = { status: 503, headers: { "retry-after": "60" } };
const operations: Operation[] = ["daily-horoscope", "daily-tarot"];
const night = { run: "almanac-nightly", languages: ["en"] } as const;

/** A site on a web server, with an IndexNow server that reads its key file. */
async function world() {
  const server = await startIndexNow(onTestFinished);
  const [port = 0] = await freePorts([undefined]);
  const url = `http://127.0.0.1:${port}/stars`;
  const indexNow = { key, server: server.server };
  const site = newSite({
    languages: ["en"],
    operations,
    site: { ...settings, url, indexNow },
  });
  const web = await startPublishedServer(site.site, port, url);
  onTestFinished(() => web.close());
  const alerts: Alert[] = [];
  const now = { at: new Date("2026-11-21T12:00:00Z") };
  const facts = {
    key,
    server: server.server,
    siteUrl: url,
    site: site.site,
    indexing: [],
    now: () => now.at,
    proxies,
  };
  const create = (more: Partial<Parameters<typeof createIndexNow>[0]> = {}) => {
    const fetcher = createIndexNow({ ...facts, ...more });
    const notifying = createNotifying({
      vault: site.publishing.vault.store,
      caches: [],
      fetchers: [fetcher],
      alert: async (one) => void alerts.push(one),
      log,
      now: () => now.at,
    });
    if (notifying === undefined) throw new Error("no Notifying although there is a notifier");
    return notifying;
  };
  const notifying = create();
  return { server, site, url, alerts, now, notifying, create, indexNow, facts };
}

/** URLs of the pages that have changed since and are in a sitemap, or have gone. */
async function expectedOf(before: ReadonlyMap<string, string>, site: PublishedSite, url: string) {
  const after = await site.paths();
  const listed = new Set<string>();
  for (const path of after.keys())
    if (/sitemap(?:-[\w-]+)?\.xml$/.test(path))
      for (const page of readSitemap(await site.text(path)).keys()) listed.add(page);
  const isPage = (path: string): boolean => tree[parsePath(path)?.row ?? "robots"].isListed === true;
  const changed = [...after].filter(([path, object]) => listed.has(path) && before.get(path) !== object);
  const gone = [...before.keys()].filter((path) => !after.has(path));
  const paths = [...changed.map(([path]) => path), ...gone].filter(isPage);
  return paths.map((path) => `${url}/${addressOf(path)}`).sort();
}

test("each page that changed and is listed, or has gone, is submitted once, over nights, failures and repeated publishes", async () => {
  const { server, site, url, alerts, now, notifying, create } = await world();
  const nights = new Map<string, string[]>();
  await site.gather("2026-11-20", "2026-11-23");
  const publishing = { ...site.publishing, ...notifying };
  for (const date of ["2026-11-21", "2026-11-22", "2026-11-23"]) {
    const before = await site.paths();
    const asOf = `${date}T12:00:00.000Z`;
    site.setClock(asOf);
    now.at = new Date(asOf);
    await publish({ ...night, asOf }, publishing);
    if (date === "2026-11-22") {
      server.refusals.push(away);
      await notifying.notifyChanges();
      now.at = new Date(now.at.getTime() + 60_000);
    }
    await Promise.all([notifying.notifyChanges(), create().notifyChanges()]); // two processes at once
    await publish({ ...night, asOf }, publishing);
    await notifying.notifyChanges();
    nights.set(date, await expectedOf(before, site, url));
  }
  expect(server.submitted.map((urls) => urls.toSorted())).toEqual([...nights.values()]);
  expect(nights.get("2026-11-22")).toContain(`${url}/en/daily/leo/2026-11-21/`);
  expect(nights.get("2026-11-22")).not.toContain(`${url}/en/daily/leo/2026-11-22/`);
  expect(alerts.map(({ kind }) => kind)).toEqual(["search-not-notified"]);
  const removed = "daily/2026-11-21/en/daily-horoscope/leo";
  await withdraw(recordOf(removed), requestAt(removed), publishing);
  await notifying.notifyChanges();
  expect(server.submitted.at(-1)).toContain(`${url}/en/daily/leo/2026-11-21/`);
  const unlisted = ["en/daily/leo/2026-01-31/index.html", "en/archive/leo/2026-01/index.html"];
  const times = server.submitted.length;
  await notifying.noteChange({ manifest: "a".repeat(64), version: 9, paths: unlisted });
  await notifying.notifyChanges();
  expect(server.submitted).toHaveLength(times);
  expect(await readBacklog(site.publishing.vault.store)).toEqual(new Map());
});

test("a publish that fails at any write and is repeated submits each changed page once", async () => {
  const { server, site, url, facts, indexNow } = await world();
  await site.gather("2026-11-20", "2026-11-22");
  await site.night();
  const ground = await snapshotOf({ site: site.site, vault: site.publishing.vault.store });
  const before = await site.paths();
  const asOf = "2026-11-22T12:00:00.000Z";
  const now = () => new Date(asOf);
  const play = async (failsAt: number): Promise<number> => {
    const stores = inMemory();
    await fill(stores, ground);
    const repeated = newSite({ languages: ["en"], operations, site: { ...settings, url, indexNow } }, stores);
    repeated.setClock(asOf);
    let writes = 0;
    const fail = (call: string): void => {
      if ((call === "write" || call === "remove") && (writes += 1) === failsAt)
        throw new Error("disk failed");
    };
    const vault = watched(stores.vault, fail);
    const fetcher = createIndexNow({ ...facts, now, site: stores.site });
    const alert = async () => undefined;
    const notifying = createNotifying({ vault, caches: [], fetchers: [fetcher], alert, log, now });
    const { publishing } = repeated;
    const own = createVault(vault, publishing.configuration.site.id);
    const failing = { ...publishing, ...notifying, site: watched(stores.site, fail), vault: own };
    await publish({ ...night, asOf }, failing).catch(() => undefined);
    await notifying?.notifyChanges();
    await publish({ ...night, asOf }, failing);
    await notifying?.notifyChanges();
    expect(server.submitted.splice(0).flat().toSorted()).toEqual(await expectedOf(before, repeated, url));
    return writes;
  };
  const writes = await play(0);
  const positions = Array.from({ length: 12 }, (_, by) => Math.round((by / 11) * (writes - 1)) + 1);
  for (const position of new Set([...positions, writes - 2, writes - 1])) await play(position);
});

test("no request has over 10,000 URLs, and a retry repeats none that were accepted", async () => {
  const { server, site, url, now, create } = await world();
  const notifying = create({ indexing: [{ as: "listed" }] });
  await site.gather("2026-11-21");
  await site.night();
  const days = Array.from({ length: 875 }, (_, by) => addDays("2020-01-01", by));
  const paths = days.flatMap((day) => signs.map((sign) => `en/daily/${sign}/${day}/index.html`));
  await notifying.noteChange({ manifest: "a".repeat(64), version: 1, paths });
  server.refusals.push({ status: 200 }, away);
  await notifying.notifyChanges();
  expect((await readBacklog(site.publishing.vault.store)).get("indexNow")?.items).toHaveLength(500);
  now.at = new Date(now.at.getTime() + 60_000);
  await notifying.notifyChanges();
  const left = paths.toSorted().slice(10_000);
  expect(server.submitted).toEqual([left.map((path) => `${url}/${addressOf(path)}`)]);
});

test.each([
  ["of a minute that the server requests", { "retry-after": "60" }, 60],
  ["of an hour if the server names no time", {}, 3_600],
])("a 429 response is followed by a pause %s", async (_, headers, seconds) => {
  const { server, site, alerts, now, notifying } = await world();
  await site.gather("2026-11-21");
  await site.night();
  await notifying.noteChange({ manifest: "a".repeat(64), version: 1, paths: ["en/index.html"] });
  server.refusals.push({ status: 429, headers });
  const begun = now.at.getTime();
  for (const after of [0, 1, seconds - 1]) {
    now.at = new Date(begun + after * 1_000);
    await notifying.notifyChanges();
  }
  expect(server.calls).toHaveLength(1);
  expect(alerts).toHaveLength(1);
  now.at = new Date(begun + seconds * 1_000);
  await notifying.notifyChanges();
  expect(server.submitted).toHaveLength(1);
});

test("a rejected key or URL raises an alert with its remedy", async () => {
  const { server, site, url, alerts, create, facts } = await world();
  await site.gather("2026-11-21");
  await site.night();
  const other = create({ key: "another-key" });
  await other.noteChange({ manifest: "a".repeat(64), version: 1, paths: ["en/index.html"] });
  await other.notifyChanges();
  expect(alerts.at(-1)?.text).toContain(
    `answered 403. Search engines find changed pages later. Next: check that ${url}/indexnow.txt shows the key`,
  );
  server.refusals.push({ status: 422 });
  const vault = openMemory();
  const fetcher = createIndexNow(facts);
  const alert = async (one: Alert): Promise<void> => void alerts.push(one);
  const alone = createNotifying({
    vault,
    caches: [],
    fetchers: [fetcher],
    alert,
    log,
    now: () => new Date(),
  });
  await alone?.noteChange({ manifest: "a".repeat(64), version: 1, paths: ["en/index.html"] });
  await alone?.notifyChanges();
  expect(alerts.at(-1)?.text).toContain(
    "answered 422. Search engines find changed pages later. Next: check site.indexNow and site.url",
  );
  expect(JSON.stringify([alerts, logged])).not.toContain(key);
});

test("the key file is in the site as long as the configuration has a key, and a check finds it", async () => {
  const { site, url, indexNow } = await world();
  const checked = async () =>
    checkNotifiers(
      readEnvironment({ NO_PROXY: "127.0.0.1" }),
      configurationSchema.parse({ site: { url, indexNow } }),
    );
  expect(await checked()).toMatchObject([
    { ok: true, seen: `warning: ${url}/indexnow.txt answers HTTP 404` },
  ]);
  await site.gather("2026-11-21");
  await site.night();
  expect(await site.text("indexnow.txt")).toBe(key);
  expect(await checked()).toMatchObject([{ ok: true, seen: `${url}/indexnow.txt contains the key` }]);
  await site.with({ site: { ...settings, url } }).night();
  expect((await site.paths()).has("indexnow.txt")).toBe(false);
});
