// The files of the vault that a backup of a site contains: those of the account, and the site's own. Files that only a run under way
// needs are left out, because they would name runs and workers that no longer exist. The restore writes the record of the site's states.
import { z } from "zod";
import { parseJson, sha256 } from "../../vault/json.ts";
import { folders, isOfOtherSite, layout, siteFolder, siteFolders, siteLayout } from "../../vault/layout.ts";

const pictures = layout.picture("", "").slice(0, -1);

export function isLeftOut(key: string, site: string): boolean {
  const { plans, record, manifests } = siteFolders;
  const own = [siteLayout.lease, siteLayout.upkeep, plans, record, manifests];
  const left = [folders.leases, folders.endpoints, ...own.map((within) => siteFolder(site) + within)];
  return isOfOtherSite(key, site) || left.some((beginning) => key.startsWith(beginning));
}

/** Whether the bytes can be those that were written there. */
export function isSound(key: string, bytes: Uint8Array): boolean {
  if (key.startsWith(pictures)) return key.includes(sha256(bytes));
  if (!key.endsWith(".json") || key.startsWith(folders.damaged)) return true; // a copy of damaged bytes, as they were found
  try {
    parseJson(key, bytes, z.unknown());
    return true;
  } catch {
    return false;
  }
}
