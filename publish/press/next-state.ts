// The next state of the site, with these languages as they were pressed. publish.ts, archive.ts and withdraw.ts propose it.
import type { Manifest } from "../state/manifest.schema.ts";
import type { PublishedSite } from "../state/published-files.ts";
import { leaving } from "./leaving-paths.ts";
import { merge, type NextState } from "./merged-state.ts";
import { pictureFiles } from "./own-pictures.ts";
import { type PressedLanguage, withLanguages } from "./pressed-language.ts";
import { type PrintedLanguage, summariesOf } from "./printing.ts";
import { sharedWith } from "./sitemaps.ts";
import type { Publishing } from "../state/publishing-place.ts";

/** Where no language was pressed, all files stay, the shared ones too. */
export async function nextState(
  presses: readonly PressedLanguage[],
  published: PublishedSite,
  publishing: Publishing,
  evenMany = false,
): Promise<NextState & { readonly left: number }> {
  const { manifest, reader } = published;
  const groups = new Set(presses.flatMap((one) => [...one.groups]));
  const dropped = await leaving(published, groups, publishing, evenMany);
  const leaves = [...dropped.paths, ...presses.flatMap((one) => one.leaves)];
  if (groups.size + leaves.length === 0 && manifest !== undefined) {
    return { parts: manifest.parts, newParts: [], newObjects: [], changed: 0, left: dropped.left };
  }
  const sitemaps = new Map(presses.flatMap((one) => [...one.sitemaps]));
  const news = { groups, sitemaps, leaves, summaries: summariesOf(presses) };
  const shared = await sharedWith(published, news, publishing, publishing.now());
  const pressed = { parts: withLanguages(manifest, presses) };
  const files = [...shared, ...(await pictureFiles(presses, published, publishing))];
  const merged = await merge(pressed, files, dropped.paths, reader);
  return {
    ...merged,
    changed: presses.reduce((sum, { changed }) => sum + changed, merged.changed),
    alternates: alternatesAfter(manifest, presses),
    left: dropped.left,
  };
}

/** Of the languages that were pressed whole what their pages name now, of the others what they named before. */
export function alternatesAfter(
  before: Manifest | undefined,
  presses: readonly Pick<PrintedLanguage, "language" | "alternates" | "summary">[],
): Manifest["alternates"] {
  const all = new Map(Object.entries(before?.alternates ?? {}));
  for (const { language, alternates, summary } of presses) {
    if (summary === undefined) continue;
    if (alternates === undefined) all.delete(language);
    else all.set(language, alternates);
  }
  return Object.fromEntries(all);
}
