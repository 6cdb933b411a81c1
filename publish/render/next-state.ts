// The next state of the site, with these languages as they were rendered. publish.ts, archive.ts and withdraw.ts propose it.
import type { Manifest } from "../../site/manifest.schema.ts";
import type { PublishedSite } from "../state/published-files.ts";
import { leaving } from "./leaving-paths.ts";
import { merge, type NextState } from "./merged-state.ts";
import { pictureFiles } from "./own-pictures.ts";
import { type MergedLanguage, withLanguages } from "./merged-language.ts";
import { type RenderedLanguage, summariesOf } from "./render-and-put.ts";
import { sharedWith } from "./sitemaps.ts";
import type { Publishing } from "../state/publish-context.ts";

/** If no language was rendered, all files stay, the shared ones too. */
export async function nextState(
  rendered: readonly MergedLanguage[],
  published: PublishedSite,
  publishing: Publishing,
  evenMany = false,
): Promise<NextState & { readonly left: number }> {
  const { manifest, reader } = published;
  const groups = new Set(rendered.flatMap((one) => [...one.groups]));
  const dropped = await leaving(published, groups, publishing, evenMany);
  const leaves = [...dropped.paths, ...rendered.flatMap((one) => one.leaves)];
  if (groups.size + leaves.length === 0 && manifest !== undefined) {
    return { parts: manifest.parts, newParts: [], newObjects: [], changed: 0, left: dropped.left };
  }
  const sitemaps = new Map(rendered.flatMap((one) => [...one.sitemaps]));
  const news = { groups, sitemaps, leaves, summaries: summariesOf(rendered) };
  const shared = await sharedWith(published, news, publishing, publishing.now());
  const own = { parts: withLanguages(manifest, rendered) };
  const files = [...shared, ...(await pictureFiles(rendered, published, publishing))];
  const merged = await merge(own, files, dropped.paths, reader);
  return {
    ...merged,
    changed: rendered.reduce((sum, { changed }) => sum + changed, merged.changed),
    alternates: alternatesAfter(manifest, rendered),
    left: dropped.left,
  };
}

/** The translations that pages name: of rendered languages now, of the others as before. */
export function alternatesAfter(
  before: Manifest | undefined,
  rendered: readonly Pick<RenderedLanguage, "language" | "alternates" | "summary">[],
): Manifest["alternates"] {
  const all = new Map(Object.entries(before?.alternates ?? {}));
  for (const { language, alternates, summary } of rendered) {
    if (summary === undefined) continue;
    if (alternates === undefined) all.delete(language);
    else all.set(language, alternates);
  }
  return Object.fromEntries(all);
}
