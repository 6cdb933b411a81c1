// Tells caches and builders what changed on the site: the addresses themselves, or a language as a whole where they are
// many. It never names the whole site: to clear everything for one text would send every reader to the origin.
import type { ShownChange } from "../../publish/state/publishing-place.ts";
import { groupOf, languageGroup } from "../../publish/state/parts.ts";
import { pointerPath } from "../../publish/state/state.ts";
import { addressOf } from "../../site/address.ts";
import type { Webhook } from "./webhook.ts";
import { beginningOf } from "../../site/paths.ts";

/** The most paths of one language that are named one by one; beyond that the language is named as `/hi/*`. */
export const mostPaths = 100;

export function createAnnouncing(site: string, webhook: Webhook, now: () => Date) {
  return async ({ manifest, version, paths }: ShownChange) => {
    const folded = foldedPaths([...paths, pointerPath]);
    if (paths.length === 0) return;
    const at = now().toISOString();
    await webhook.send(() => ({ kind: "published", site, version, manifest, at, paths: folded }));
  };
}

/** The addresses as browsers ask for them: a page's folder and its file, because a cache may know it by either. */
export function foldedPaths(paths: readonly string[]): string[] {
  const groups = [...Map.groupBy(new Set(paths), folderOf)];
  return groups
    .flatMap(([folder, own]) =>
      folder !== undefined && own.length > mostPaths ? [`/${folder}/*`] : own.flatMap(addressesOf),
    )
    .sort();
}

/** The folder that may be named as a whole: a language's pages, its data, or the assets. */
function folderOf(path: string) {
  const language = languageGroup(groupOf(path))?.language;
  const folder = language ?? "assets";
  const folders = [folder, beginningOf("languageIndex") + folder];
  return folders.find((one) => path.startsWith(`${one}/`));
}

function addressesOf(path: string) {
  return [...new Set([addressOf(path), path])].map((address) => `/${address}`);
}
