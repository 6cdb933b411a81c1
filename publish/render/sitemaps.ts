// Files of a step that belong to no single page: the sitemaps, one for each changed group of a language's pages, with their index;
// and the files of no language, which are rendered from the summaries of all languages.
//
// A page is listed while the state has it. Its time of last change comes from the render or, for unchanged pages, from the
// published sitemap.
import { isDeepStrictEqual } from "node:util";
import {
  type RenderedSite,
  pathsInGroup,
  publishedAmong,
  type PublishedSite,
  publishedBytes,
  publishedSummary,
  publishedDocument,
} from "../state/published-files.ts";
import type { RenderSettings } from "../state/publish-context.ts";
import { groupAt, parsePath, pathOf } from "../../site/paths.ts";
import { indexPolicy } from "../../site/index-policy.ts";
import { renderShared } from "../../site/render.ts";
import {
  type SitemapEntry,
  newestIn,
  renderSitemap,
  renderSitemapIndex,
  readSitemap,
} from "../../site/root-files.ts";
import type { TreePath } from "../../site/tree.ts";
import { unlessDamaged } from "../../vault/files.ts";
import { inParallel } from "../../store/store.ts";
import { wantedBy } from "./leaving-paths.ts";
import { groupOf, groupsIn, languageGroup, sameGroup, sitemapOf } from "../state/parts.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { type Language, languagesOf, type Operation } from "../../readings/tables.ts";
import { documents, type LanguageDocument, type LanguageStatus } from "../../site/data.schema.ts";
import { siteSettingsOf, type RenderedFile, typeOf } from "../../site/edition.ts";
import type { Expected } from "../../site/language-files.ts";

/** The files that a step renders of its languages. */
interface OfLanguages {
  readonly files: readonly Omit<RenderedFile, "bytes" | "type">[];
  readonly leaves: readonly string[];
  /** The summaries of the languages that are rendered whole. */
  readonly summaries: Summaries;
}

export const noLanguages: OfLanguages = { files: [], leaves: [], summaries: new Map() };

/** Further files of a step; `leaves` has the sitemaps that list nothing any more. */
interface OtherPages {
  readonly files: readonly RenderedFile[];
  readonly leaves: readonly string[];
}

/** Adds the sitemaps and the shared files to a step's files. `known` is a state whose index is known to be right. */
export async function withSitemaps(
  published: RenderedSite,
  rendered: OfLanguages,
  now: Date,
  known: PublishedSite = published,
): Promise<OtherPages> {
  const { files, leaves } = await sitemapsWith(published, rendered);
  const groups = new Set([...rendered.files, ...files].map(({ at }) => groupAt(at)));
  const news = { groups, sitemaps: newestOf(files), leaves, summaries: rendered.summaries };
  return { files: [...files, ...(await sharedWith(published, news, now, known))], leaves };
}

/** Changes of a step that are in no language's files. */
interface StepNews extends Pick<OfLanguages, "leaves" | "summaries"> {
  /** The groups of paths that it renders. */
  readonly groups: ReadonlySet<string>;
  /** Its sitemaps, each with the time of the newest change in it. */
  readonly sitemaps: Newest;
}

/** The files of no language, the index of sitemaps among them. `known` as above. */
export async function sharedWith(
  published: RenderedSite,
  { summaries, ...news }: StepNews,
  now: Date,
  known: PublishedSite = published,
): Promise<RenderedFile[]> {
  const shared = await renderTogether(published, summaries, now);
  if (shared.length === 0) return [];
  const own = newestOf(shared.filter(({ at }) => at.row === "sitemapOfSite"));
  const sitemaps = new Map([...news.sitemaps, ...own]);
  const groups = new Set([...news.groups, ...shared.map(({ at }) => groupAt(at))]);
  const empty = own.size === 0 ? [pathOf({ row: "sitemapOfSite" })] : [];
  const leaves = [...news.leaves, ...empty];
  const listed = await listedSitemaps(published, known, { groups, sitemaps, leaves });
  const index = renderSitemapIndex(listed, published.configuration.site);
  return [...shared, fileOf({ row: "sitemapIndex" }, index)];
}

type Newest = ReadonlyMap<string, string | undefined>;

export function newestOf(sitemaps: readonly RenderedFile[]): Newest {
  return new Map(sitemaps.map(({ path, bytes }) => [path, newestIn(textOf(bytes))]));
}

/** The new sitemaps of the groups that the step touches. */
export async function sitemapsWith(
  published: RenderedSite,
  { files, leaves, summaries }: OfLanguages,
): Promise<OtherPages> {
  const gone = new Set(leaves);
  const groups = Map.groupBy(files, ({ at }) => groupAt(at));
  for (const group of leaves.map(groupOf)) if (!groups.has(group)) groups.set(group, []);
  const made = await inParallel(groups, async ([group, rendered]) => {
    const of = languageGroup(group);
    if (of === undefined) return [];
    const summary = summaries.get(of.language) ?? (await publishedSummary(published, of.language));
    const lastmods = await listedIn(group, published);
    for (const path of gone) lastmods.delete(path);
    for (const { path, shownFrom, isListed } of rendered) {
      if (isListed === true) lastmods.set(path, shownFrom);
      else lastmods.delete(path);
    }
    return [{ at: sitemapOf(group), pages: pagesOf(lastmods, summary, published) }];
  });
  const sitemaps = made.flat();
  const empty = sitemaps.filter(({ pages }) => pages.length === 0).map(({ at }) => pathOf(at));
  for (const path of await publishedAmong(published, empty)) gone.add(path);
  const full = sitemaps.filter(({ pages }) => pages.length > 0);
  return {
    files: full.map(({ at, pages }) => fileOf(at, renderSitemap(pages, published.configuration.site))),
    leaves: [...gone],
  };
}

function pagesOf(
  lastmods: ReadonlyMap<string, string | undefined>,
  summary: LanguageDocument | undefined,
  site: RenderSettings,
): SitemapEntry[] {
  const isWanted = wantedBy(site);
  return [...lastmods]
    .flatMap(([path, lastmod]) => {
      const at = parsePath(path);
      if (at === undefined || !isWanted(at)) return [];
      return [{ path, lastmod: isAhead(at, summary) ? undefined : lastmod }];
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * The published pages of a group that search engines are to list, each with its last change: those in its sitemap, because that was
 * made with the pages. If the sitemap is lost, today's index policy decides, and nothing is known of changes.
 */
export async function listedIn(
  group: string,
  published: RenderedSite,
): Promise<Map<string, string | undefined>> {
  const sitemap = sitemapOf(group);
  const paths = await pathsInGroup(published, group);
  const there = new Set(paths);
  if (!there.has(pathOf(sitemap))) return new Map();
  const said = await saidBy(sitemap, published);
  if (said.size > 0) return new Map([...said].filter(([path]) => there.has(path)));
  const language = languageGroup(group)?.language;
  const summary = language && (await publishedSummary(published, language));
  const isListed = (path: string) => {
    const at = parsePath(path);
    if (at === undefined || summary === undefined) return false;
    const isCurrent = at.row === "datedPage" && summary.newest[`${at.kind}-horoscope`] === at.key;
    const { indexing } = published.configuration;
    return indexPolicy({ at, isCurrent, date: summary.date }, indexing) === "listed";
  };
  return new Map(paths.filter(isListed).map((path) => [path, undefined]));
}

/** A page of a day to come is dated by that day's beginning, and no change can have been in the future. */
function isAhead(at: TreePath, summary: LanguageDocument | undefined): boolean {
  return at.row === "datedPage" && at.kind === "daily" && summary !== undefined && at.key > summary.date;
}

/** The entries of the index. A group that is as in `known` keeps its entry; the sitemaps of the others are read. */
async function listedSitemaps(
  published: PublishedSite,
  known: PublishedSite,
  news: Omit<StepNews, "summaries">,
): Promise<SitemapEntry[]> {
  const said = await saidBy({ row: "sitemapIndex" }, known);
  const gone = new Set(news.leaves);
  const { manifest } = published;
  const groups = news.groups.union(new Set(groupsIn(manifest)));
  const listed: SitemapEntry[] = [];
  for (const group of groups) {
    const path = pathOf(sitemapOf(group));
    if (gone.has(path)) continue;
    const isKnown = manifest && known.manifest && sameGroup(manifest, known.manifest, group);
    if (news.sitemaps.has(path)) listed.push({ path, lastmod: news.sitemaps.get(path) });
    else if (isKnown && said.size > 0) {
      if (said.has(path)) listed.push({ path, lastmod: said.get(path) });
    } else {
      const text = await publishedText(path, published);
      if (text !== undefined) listed.push({ path, lastmod: newestIn(text) });
    }
  }
  return listed.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The dates of a sitemap. Those of a lost one are lost too until its pages are rendered again, which must not stop a publish. */
async function saidBy(at: TreePath, published: PublishedSite): Promise<Map<string, string | undefined>> {
  const text = await publishedText(pathOf(at), published);
  return text === undefined ? new Map() : readSitemap(text);
}

async function publishedText(path: string, published: PublishedSite): Promise<string | undefined> {
  const bytes = await unlessDamaged(() => publishedBytes(published, path));
  return bytes === undefined ? undefined : textOf(bytes);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function fileOf(at: TreePath, text: string): RenderedFile {
  const path = pathOf(at);
  return { path, at, bytes: new TextEncoder().encode(text), type: typeOf(path, at) };
}

/** The summaries of languages, each from its own data file. */
export type Summaries = ReadonlyMap<Language, LanguageDocument>;

/** A language that is rendered now counts with its new summary, the others with their published ones. */
export async function renderTogether(
  published: RenderedSite,
  rendered: Summaries,
  at: Date,
): Promise<RenderedFile[]> {
  const { configuration, theme } = published;
  const read = configuration.languages.map(
    async (language) => rendered.get(language) ?? publishedSummary(published, language),
  );
  const summaries = (await Promise.all(read)).filter((one) => one !== undefined);
  const statusPath = pathOf({ row: "status" });
  // If it is lost, the new one no longer has the times of earlier publishes.
  const status = await unlessDamaged(() => publishedDocument(published, statusPath, documents.status));
  const before = status?.languages ?? [];
  const expected = configuration.languages.map((language) => {
    const summary = summaries.find((one) => one.language === language);
    const stamp = rendered.has(language) ? at.toISOString() : undefined;
    const publishedAt = publishedAtOf(summary, before, stamp);
    return { ...expectedIn(language, configuration), publishedAt };
  });
  return renderShared(summaries, siteSettingsOf(configuration, theme), expected);
}

/** When the newest edition was published. A correction, or a second publish of it, does not change that. */
function publishedAtOf(
  summary: LanguageDocument | undefined,
  before: readonly LanguageStatus[],
  stamp: string | undefined,
): string | undefined {
  const known = before.find(({ language }) => language === summary?.language);
  if (summary === undefined || known === undefined) return summary && stamp;
  const isSame = known.date === summary.date && isDeepStrictEqual(known.newest, summary.newest);
  return isSame ? known.publishedAt : stamp;
}

function expectedIn(language: Language, configuration: Configuration): Expected {
  const { operations, people, pairs } = configuration;
  const isRequested = (operation: Operation): boolean => {
    if (operation === "which-animal-are-you-reading") return people.length > 0;
    return operation !== "love-compatibility" || pairs?.length !== 0;
  };
  return {
    language,
    zone: zoneOf(configuration, language),
    operations: operations.filter((one) => languagesOf(one).includes(language) && isRequested(one)),
  };
}
