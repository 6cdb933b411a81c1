// What is kept of a language once its files are printed and put: its parts of the next state, which are put as well. The list of its
// files goes, so that a night of all languages holds the list of one at a time.
import { groupAt, groupNamed } from "../../site/paths.ts";
import { tree } from "../../site/tree.ts";
import { languageGroup } from "../state/parts.ts";
import type { Manifest } from "../state/manifest.schema.ts";
import type { PublishedSite } from "../state/published-files.ts";
import type { Publishing } from "../state/publishing-place.ts";
import { manifestPut, putMissing, type Puts } from "../state/puts.ts";
import { merge } from "./merged-state.ts";
import { type PrintedLanguage, summariesOf } from "./printing.ts";
import { newestOf, sitemapsWith } from "./sitemaps.ts";

export interface PressedLanguage extends Omit<PrintedLanguage, "files"> {
  /** How many files were pressed for it, without its sitemaps. */
  readonly fileCount: number;
  /** The groups of paths that they are in. */
  readonly groups: ReadonlySet<string>;
  /** The paths of those that are current pages. */
  readonly pages: readonly string[];
  /** Its new sitemaps, each with the time of the newest change in it. */
  readonly sitemaps: ReadonlyMap<string, string | undefined>;
  /** Of the parts of the next state those that are its own. */
  readonly parts: Manifest["parts"];
  /** How many paths of the base it changes. */
  readonly changed: number;
}

/** Makes the language's sitemaps, and its parts of the next state, and puts them. */
export async function foldLanguage(
  { files, leaves: own, ...facts }: PrintedLanguage,
  published: PublishedSite,
  publishing: Publishing,
  puts: Puts,
): Promise<PressedLanguage> {
  const { language } = facts;
  const { reader } = published;
  const pressed = { files, leaves: own, summaries: summariesOf([facts]) };
  const { files: sitemaps, leaves } = await sitemapsWith(published, pressed, publishing);
  const merged = await merge(published.manifest, [...files, ...sitemaps], leaves, reader);
  const news = [...merged.newObjects, ...merged.newParts.map(manifestPut)];
  await putMissing(publishing.site, news, puts);
  // On a bucket a read is a request: there the reader keeps them.
  if (publishing.site.holdsBytes === 0) reader.letGo(merged.newParts);
  const current = groupNamed(language);
  const pages = files.filter(({ at }) => groupAt(at) === current && tree[at.row].isListed);
  return {
    ...facts,
    parts: partsOfLanguages(merged, (one) => one === language),
    changed: merged.changed,
    fileCount: files.length,
    groups: new Set(files.map(({ at }) => groupAt(at))),
    pages: pages.map(({ path }) => path),
    leaves,
    sitemaps: newestOf(sitemaps),
  };
}

/** The parts of a state with those of these languages in the place of what it has of them. */
export function withLanguages(
  before: Pick<Manifest, "parts"> | undefined,
  presses: readonly Pick<PressedLanguage, "language" | "parts">[],
): Manifest["parts"] {
  const own = new Set<string | undefined>(presses.map(({ language }) => language));
  return Object.assign(
    partsOfLanguages(before, (one) => !own.has(one)),
    ...presses.map(({ parts }) => parts),
  );
}

/** The parts of a state whose language is a wanted one; those of none are of the language `undefined`. */
export function partsOfLanguages(
  state: Pick<Manifest, "parts"> | undefined,
  isWanted: (language: string | undefined) => boolean,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(state?.parts ?? {}).filter(([part]) => isWanted(languageGroup(part)?.language)),
  );
}
