// Notifiers of a publish by one message each: the WebSub hub fetches the changed feeds, a webhook rebuilds other sites from the changed
// addresses, and another purges a cache of any kind by the changed parts, as tags and as paths.
import { tagOf } from "../../publish/state/headers.ts";
import { groupOf, languageGroup } from "../../publish/state/parts.ts";
import { pointerPath } from "../../publish/state/state.ts";
import { addressOf, siteRootOf } from "../../site/address.ts";
import { beginningOf, parsePath } from "../../site/paths.ts";
import { type Webhook, passes } from "../webhook.ts";
import { notifiedByPart, type Notifier, NotNotified, pathsOfParts, callOutside } from "./notifier.ts";
import { tree } from "../../site/tree.ts";
import type { Environment } from "../settings/environment.ts";

/** The most paths of one language that are named one by one; beyond that the language is named as `hi/*`. */
export const mostPaths = 100;

export function createPublishedWebhook(site: string, webhook: Webhook, now: () => Date): Notifier {
  return {
    name: "published",
    itemsOf: (paths) => (paths.length === 0 ? [] : foldedPaths([...paths, pointerPath])),
    folded: foldedPaths,
    async tell({ items, shown: { manifest, version } }) {
      const at = now().toISOString();
      const paths = items.flatMap(addressesOf).sort();
      const isSent = await webhook.send(() => ({ kind: "published", site, version, manifest, at, paths }));
      if (!isSent) throw notAccepted("the server at ALMANAC_PUBLISHED_URL did not accept the changes");
    },
  };
}

function notAccepted(seen: string) {
  return new NotNotified({ seen, remedy: "check the URL, and the reason in the log", again: false });
}

/** Paths, and folders as `hi/*` if more of their paths changed than are named one by one. */
export function foldedPaths(items: readonly string[]): string[] {
  const groups = [...Map.groupBy(new Set(items), folderOf)];
  return groups
    .flatMap(([folder, own]) => {
      if (folder === undefined) return own;
      const whole = `${folder}/*`;
      return own.length > mostPaths || own.includes(whole) ? [whole] : own;
    })
    .sort();
}

/** The folder that may be named as a whole: a language's pages, its data, or the assets. */
function folderOf(path: string) {
  const language = languageGroup(groupOf(path))?.language;
  const folder = language ?? "assets";
  const folders = [folder, beginningOf("languageIndex") + folder];
  return folders.find((one) => path.startsWith(`${one}/`));
}

/** The addresses as browsers request them: a page's folder and its file, because a cache may know it by either. */
export function addressesOf(item: string): string[] {
  if (item.endsWith("/*")) return [`/${item}`];
  return [...new Set([addressOf(item), item])].map((address) => `/${address}`);
}

export function createPurgeWebhook(site: string, webhook: Webhook): Notifier {
  return {
    name: "webhook",
    ...notifiedByPart,
    async tell({ items: parts }) {
      const { exact, beginnings } = pathsOfParts(parts);
      const paths = [...exact.map((path) => `/${path}`), ...beginnings.map((path) => `/${path}*`)];
      const tags = parts.map((part) => tagOf(site, part));
      const isSent = await webhook.send(() => ({ kind: "purge", site, tags, paths }));
      if (!isSent) throw notAccepted("the server at ALMANAC_PURGE_URL did not accept the purge");
    },
  };
}

/** A language has 26 feeds, which fit in one message. */
const mostFeeds = 50;

export function createHub(hub: string, siteUrl: string, proxies: Environment["proxies"]): Notifier {
  const { full } = siteRootOf(siteUrl);
  const url = new URL(hub);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return {
    name: "hub",
    mostAtOnce: mostFeeds,
    itemsOf: (paths) => paths.filter(isFeed).sort(),
    folded: (items) => [...new Set(items)].sort(),
    async tell({ items, signal }) {
      const fields = new URLSearchParams({ "hub.mode": "publish" });
      for (const path of items) fields.append("hub.url", full + path);
      const body = fields.toString();
      const { status, afterMs } = await callOutside({ url, method: "POST", headers, body, signal }, proxies);
      if (status >= 200 && status < 300) return;
      const seen = `the hub ${url.host} answered ${status}`;
      throw new NotNotified({ seen, remedy: "check site.hub", again: passes(status), afterMs });
    },
  };
}

function isFeed(path: string) {
  const at = parsePath(path);
  return at !== undefined && tree[at.row].isFeed === true;
}
