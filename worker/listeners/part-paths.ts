// Parts of a site as paths, for a cache that is not told by tags. A language is two folders; a sheet is told as its language,
// since its paths are too many; of what belongs to no language only what each night makes anew is told one by one.
import { type CachePart, languageIn } from "../../publish/state/cache-parts.ts";
import { beginningOf, pathOf } from "../../site/paths.ts";
import { addressOf, isFolder } from "../../site/address.ts";
import type { TreePath } from "../../site/tree.ts";

/** Paths from the site's root on, without a slash at their beginning. */
export interface PurgedPaths {
  readonly exact: readonly string[];
  /** All paths that begin so. */
  readonly beginnings: readonly string[];
}

const sharedFiles: readonly TreePath[] = [
  { row: "chooserPage" },
  { row: "statusPage" },
  { row: "index" },
  { row: "status" },
  { row: "openApi" },
  { row: "sitemapIndex" },
  { row: "sitemapOfSite" },
];
const ownFiles: readonly TreePath[] = [
  { row: "notFoundPage" },
  { row: "robots" },
  { row: "favicon" },
  { row: "webManifest" },
  { row: "securityText" },
];
const languageRows = ["frontPage", "languageIndex"] as const;

export function pathsOfParts(parts: readonly CachePart[]): PurgedPaths {
  const languages = new Set(parts.flatMap((part) => languageIn(part) ?? []));
  const own = parts.includes("own");
  const exact = [...(parts.includes("shared") ? sharedFiles : []), ...(own ? ownFiles : [])].map(pathOf);
  return {
    exact: exact.flatMap((path) => (isFolder(path) ? [addressOf(path), path] : [path])),
    beginnings: [
      ...[...languages].flatMap((language) => languageRows.map((row) => `${beginningOf(row)}${language}/`)),
      ...(own ? ["assets/", beginningOf("schema")] : []),
    ],
  };
}
