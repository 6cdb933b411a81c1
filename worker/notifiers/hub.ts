// WebSub hub of the site's feeds: we notify it of changed feeds; it fetches them and pushes them to all subscribers.
import { parsePath } from "../../site/paths.ts";
import { siteRootOf } from "../../site/address.ts";
import { tree } from "../../site/tree.ts";
import type { Environment } from "../settings/environment.ts";
import { passes } from "../webhook.ts";
import { type Notifier, NotNotified, callOutside } from "./notifier.ts";

interface HubSettings {
  readonly hub: string;
  readonly siteUrl: string;
  readonly proxies: Environment["proxies"];
}

/** A language has 26 feeds, which fit in one message. */
const mostFeeds = 50;

export function createHub({ hub, siteUrl, proxies }: HubSettings): Notifier {
  const { full } = siteRootOf(siteUrl);
  const url = new URL(hub);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return {
    name: "hub",
    itemsOf: (paths) => paths.filter(isFeed).sort(),
    folded: (items) => [...new Set(items)].sort(),
    async tell({ items, signal }) {
      for (let at = 0; at < items.length; at += mostFeeds) {
        const fields = new URLSearchParams({ "hub.mode": "publish" });
        for (const path of items.slice(at, at + mostFeeds)) fields.append("hub.url", full + path);
        const body = fields.toString();
        const { status, afterMs } = await callOutside(
          { url, method: "POST", headers, body },
          proxies,
          signal,
        );
        if (status >= 200 && status < 300) continue;
        const seen = `the hub ${url.host} answered ${status}`;
        throw new NotNotified({
          seen,
          remedy: "check site.hub",
          again: passes(status),
          afterMs,
        });
      }
    },
  };
}

function isFeed(path: string) {
  const at = parsePath(path);
  return at !== undefined && tree[at.row].isFeed === true;
}
