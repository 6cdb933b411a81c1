// Tells caches and builders what changed on the site: the addresses themselves, or a language as a whole where they are
// many. Never all of the site: to clear everything for one text would send every reader to the origin.
import type { ShownChange } from "../../publish/state/publishing-place.ts";
import { groupOf, languageIn } from "../../publish/state/parts.ts";
import { pointerPath } from "../../publish/state/state.ts";
import { addressOf } from "../../site/address.ts";
import type { Webhook } from "./webhook.ts";

/** Of one language; beyond it is told as `/hi/*`. */
export const mostPaths = 100;

export function createAnnouncing(site: string, webhook: Webhook, now: () => Date) {
  return async ({ manifest, version, paths }: ShownChange): Promise<void> => {
    const folded = foldedPaths([...paths, pointerPath]);
    if (paths.length === 0) return;
    const at = now().toISOString();
    await webhook.send(() => ({ kind: "published", site, version, manifest, at, paths: folded }));
  };
}

/** As a browser asks for them; a page's folder and its file, because a cache may know it by either. */
export function foldedPaths(paths: readonly string[]): string[] {
  const groups = [...Map.groupBy(new Set(paths), folderOf)];
  return groups
    .flatMap(([folder, own]) =>
      folder !== undefined && own.length > mostPaths ? [`/${folder}/*`] : own.flatMap(addressesOf),
    )
    .sort();
}

/** What may be told as a whole: a language's pages, its data, the assets. */
function folderOf(path: string): string | undefined {
  const language = languageIn(groupOf(path))?.language;
  const folders = language === undefined ? ["assets"] : [language, `v1/${language}`];
  return folders.find((folder) => path.startsWith(`${folder}/`));
}

function addressesOf(path: string): string[] {
  return [...new Set([addressOf(path), path])].map((address) => `/${address}`);
}
