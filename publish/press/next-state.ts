// The next state of the site, with these languages as they were pressed. publish.ts, archive.ts and withdraw.ts propose it.
import type { Manifest } from "../state/manifest.schema.ts";
import type { PublishedSite } from "../state/published-files.ts";
import { leaving } from "./leaving-paths.ts";
import { merge, type NextState } from "./merged-state.ts";
import { pictureFiles } from "./own-pictures.ts";
import { type PressedLanguage, summariesOf } from "./printing.ts";
import { withSitemaps } from "./sitemaps.ts";
import type { Publishing } from "../state/publishing-place.ts";

/** Where no language was pressed, all files stay, the shared ones too. */
export async function nextState(
  presses: readonly PressedLanguage[],
  published: PublishedSite,
  publishing: Publishing,
  evenMany = false,
): Promise<NextState & { readonly left: number }> {
  const { manifest, reader } = published;
  const files = presses.flatMap((one) => one.files);
  const summaries = summariesOf(presses);
  const dropped = await leaving(published, files, publishing, evenMany);
  const leaves = [...dropped.paths, ...presses.flatMap((one) => one.leaves)];
  if (files.length + leaves.length === 0 && manifest !== undefined) {
    return { parts: manifest.parts, newParts: [], newObjects: [], changes: [], left: dropped.left };
  }
  const together = await withSitemaps(published, { files, leaves, summaries }, publishing, publishing.now());
  const all = [...files, ...together.files, ...(await pictureFiles(presses, published, publishing))];
  const merged = await merge(manifest, all, together.leaves, reader);
  return { ...merged, alternates: alternatesAfter(manifest, presses), left: dropped.left };
}

/** Of the languages that were pressed whole what their pages name now, of the others what they named before. */
export function alternatesAfter(
  before: Manifest | undefined,
  presses: readonly PressedLanguage[],
): Manifest["alternates"] {
  const all = new Map(Object.entries(before?.alternates ?? {}));
  for (const { language, alternates, summary } of presses) {
    if (summary === undefined) continue;
    if (alternates === undefined) all.delete(language);
    else all.set(language, alternates);
  }
  return Object.fromEntries(all);
}
