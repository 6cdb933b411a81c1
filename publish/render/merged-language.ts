// A rendered language once its files are put: its parts of the next state, which are put as well. The list of its
// files is dropped, so that a night of all languages holds the list of one at a time.
import { groupAt, groupNamed } from "../../site/paths.ts";
import { tree } from "../../site/tree.ts";
import { languageGroup } from "../state/parts.ts";
import type { Manifest } from "../../site/manifest.schema.ts";
import type { PublishedSite } from "../state/published-files.ts";
import type { Publishing } from "../state/publish-context.ts";
import { manifestPut, putMissing, type Puts } from "../state/puts.ts";
import { merge } from "./merged-state.ts";
import { type RenderedLanguage, summariesOf } from "./render-and-put.ts";
import { newestOf, sitemapsWith } from "./sitemaps.ts";

export interface MergedLanguage extends Omit<RenderedLanguage, "files"> {
  /** The number of its rendered files, without its sitemaps. */
  readonly fileCount: number;
  /** The groups of paths that they are in. */
  readonly groups: ReadonlySet<string>;
  /** The paths of those that are current pages. */
  readonly pages: readonly string[];
  /** Its new sitemaps, each with the time of the newest change in it. */
  readonly sitemaps: ReadonlyMap<string, string | undefined>;
  /** This language's parts of the next state. */
  readonly parts: Manifest["parts"];
  /** The number of changed paths of the base. */
  readonly changed: number;
}

/** Makes the language's sitemaps, and its parts of the next state, and puts them. */
export async function mergeLanguage(
  { files, leaves: own, ...facts }: RenderedLanguage,
  published: PublishedSite,
  publishing: Publishing,
  puts: Puts,
): Promise<MergedLanguage> {
  const { language } = facts;
  const { reader } = published;
  const rendered = { files, leaves: own, summaries: summariesOf([facts]) };
  const { files: sitemaps, leaves } = await sitemapsWith(published, rendered, publishing);
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
  rendered: readonly Pick<MergedLanguage, "language" | "parts">[],
): Manifest["parts"] {
  const own = new Set<string | undefined>(rendered.map(({ language }) => language));
  return Object.assign(
    partsOfLanguages(before, (one) => !own.has(one)),
    ...rendered.map(({ parts }) => parts),
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
