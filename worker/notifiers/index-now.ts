// IndexNow (indexnow.org) notifies search engines of changed and removed pages, each by its own URL. The site's key file proves that
// the sender may publish there. Pages that search engines are not to list are left out.
import { createPartReader, groupOf, sitemapOf } from "../../publish/state/parts.ts";
import { publishedBytes } from "../../publish/state/published-files.ts";
import { readState } from "../../publish/state/state.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { addressOf, siteRootOf } from "../../site/address.ts";
import { indexPolicy } from "../../site/index-policy.ts";
import { parsePath, pathOf } from "../../site/paths.ts";
import { readSitemap } from "../../site/root-files.ts";
import { tree } from "../../site/tree.ts";
import { inParallel, type Store } from "../../store/store.ts";
import type { Environment } from "../settings/environment.ts";
import { passes } from "../webhook.ts";
import { callOutside, type Notifier, NotNotified } from "./notifier.ts";

interface IndexNowSettings {
  readonly key: string;
  readonly server: string;
  readonly siteUrl: string;
  readonly site: Store;
  readonly indexing: Configuration["indexing"];
  readonly now: () => Date;
  readonly proxies: Environment["proxies"];
}

/** The protocol's limit on URLs in a request. */
const mostUrls = 10_000;
/** A server that rejects requests may count each further one as spam. */
const rejectedMs = 60 * 60_000;

export function keyLocationOf(siteUrl: string): URL {
  return new URL(siteRootOf(siteUrl).full + pathOf({ row: "indexNowKey" }));
}

export function createIndexNow(settings: IndexNowSettings): Notifier {
  const { key, server, siteUrl, proxies } = settings;
  const { full } = siteRootOf(siteUrl);
  const keyLocation = keyLocationOf(siteUrl);
  const url = new URL(server);
  const headers = { "content-type": "application/json; charset=utf-8" };
  return {
    name: "indexNow",
    mostAtOnce: mostUrls,
    itemsOf: (paths) => paths.filter(isPage).sort(),
    folded: (items) => [...new Set(items)].sort(),
    async tell({ items, signal }) {
      const urlList = (await listedOrGone(items, settings)).map((path) => full + addressOf(path));
      if (urlList.length === 0) return;
      const body = JSON.stringify({ host: keyLocation.host, key, keyLocation: keyLocation.href, urlList });
      const { status, afterMs } = await callOutside({ url, method: "POST", headers, body, signal }, proxies);
      // 202: the server accepts the URLs, and reads the key file later.
      if (status === 200 || status === 202) return;
      throw new NotNotified({
        seen: `the IndexNow server ${url.host} answered ${status}`,
        remedy:
          status === 403
            ? `check that ${keyLocation.href} shows the key`
            : "check site.indexNow and site.url",
        again: passes(status),
        afterMs: afterMs ?? (status < 500 ? rejectedMs : undefined),
      });
    },
  };
}

function isPage(path: string): boolean {
  const at = parsePath(path);
  return at !== undefined && tree[at.row].isListed === true;
}

/** Those of these pages that the published sitemaps list, or would list if they had not left the site. */
async function listedOrGone(
  pages: readonly string[],
  { site, indexing, now }: IndexNowSettings,
): Promise<string[]> {
  const date = now().toISOString().slice(0, "2026-11-21".length);
  const wasListed = (page: string) => {
    const at = parsePath(page);
    return at !== undefined && indexPolicy({ at, date }, indexing) === "listed";
  };
  const published = { site, manifest: (await readState(site))?.manifest, reader: createPartReader(site) };
  const found = await inParallel(Map.groupBy(pages, groupOf), async ([group, own]) => {
    const files = await published.reader.files(published.manifest, group);
    const sitemap = await publishedBytes(published, pathOf(sitemapOf(group)));
    const listed = readSitemap(new TextDecoder().decode(sitemap));
    return own.filter((page) => listed.has(page) || (!Object.hasOwn(files, page) && wasListed(page)));
  });
  return found.flat().sort();
}
