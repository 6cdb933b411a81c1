// The paths of a published state.
import { groupOf } from "./parts.ts";
import type { PublishedSite } from "./published-files.ts";

export async function isPublished({ manifest, reader }: PublishedSite, path: string): Promise<boolean> {
  return Object.hasOwn(await reader.files(manifest, groupOf(path)), path);
}

/** Those of these paths that are there. */
export async function publishedAmong(published: PublishedSite, paths: Iterable<string>): Promise<string[]> {
  const there: string[] = [];
  for (const path of paths) if (await isPublished(published, path)) there.push(path);
  return there;
}

export async function pathsInGroup({ manifest, reader }: PublishedSite, group: string): Promise<string[]> {
  return Object.keys(await reader.files(manifest, group));
}
