// The two webhooks after a publish: one rebuilds other sites and gets the changed addresses, the other purges a cache of any kind and
// gets the changed parts, as tags and as paths.
import { tagOf } from "../../publish/state/cache-parts.ts";
import { groupOf, languageGroup } from "../../publish/state/parts.ts";
import { pointerPath } from "../../publish/state/state.ts";
import { addressOf } from "../../site/address.ts";
import { beginningOf } from "../../site/paths.ts";
import type { Webhook } from "../webhook.ts";
import { notifiedByPart, type Notifier, NotNotified, pathsOfParts } from "./notifier.ts";

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
      if (await webhook.send(() => ({ kind: "published", site, version, manifest, at, paths }))) return;
      const seen = "the server at ALMANAC_PUBLISHED_URL did not accept the changes";
      throw new NotNotified({
        seen,
        remedy: "check the URL, and the reason in the log",
        again: false,
      });
    },
  };
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
      if (await webhook.send(() => ({ kind: "purge", site, tags, paths }))) return;
      const seen = "the server at ALMANAC_PURGE_URL did not accept the purge";
      throw new NotNotified({
        seen,
        remedy: "check the URL, and the reason in the log",
        again: false,
      });
    },
  };
}
