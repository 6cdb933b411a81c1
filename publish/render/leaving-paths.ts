// The paths that leave the site because the configuration dropped them: those of a dropped language, and the current paths of dropped
// operations, pairs and people. Dated paths stay as the archive until they are older than `archive.days`: a night removes about one day,
// while the texts stay in the vault. An unusual share of the files stays until an operator confirms its removal.
import { type PublishingOn, pathsInGroup, isPublished, publishedSummary } from "../state/published-files.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { allPairs } from "../../readings/pairs.ts";
import { indexPolicy } from "../../site/index-policy.ts";
import { isRootFile, operationAt, parsePath, pathOf, dataPathOfSet, groupNamed } from "../../site/paths.ts";
import { tree, type TreePath } from "../../site/tree.ts";
import type { RenderSettings } from "../state/publish-context.ts";
import { allFiles, groupsIn, languageGroup } from "../state/parts.ts";
import { addDays, isPeriodKey, isPeriodKind, spanOf } from "../../readings/calendar.ts";
import { rowOf } from "../../readings/tables.ts";
import { type DatedSet, isDatedPage, knownMonths } from "./neighbour-pages.ts";
import { decisionsOn } from "../../site/index-policy.ts";
import type { Manifest } from "../../site/manifest.schema.ts";
import type { Language } from "../../readings/tables.ts";
import { sha256 } from "../../vault/files.ts";
import type { PublishedSite } from "../state/published-files.ts";

/**
 * `rendered` are the groups of paths that are rendered. An unusual number of paths stays and is reported, because a night must not wait
 * for a person's confirmation, which is `evenMany`.
 */
export async function leaving(rendered: ReadonlySet<string>, publishing: PublishingOn, evenMany = false) {
  const { configuration, theme, manifest, reader } = publishing;
  if (manifest === undefined) return { paths: [], left: 0 };
  const paths: string[] = [];
  const root = new Set(theme?.root.map(({ at }) => pathOf(at)));
  const isWanted = wantedBy({ configuration, theme });
  const isDroppedFile = (path: string) => {
    const at = parsePath(path);
    return at !== undefined && (isRootFile(at) ? !root.has(path) : !isWanted(at));
  };
  for (const group of groupsIn(manifest)) {
    const of = languageGroup(group);
    if (of === undefined) {
      paths.push(...(await pathsInGroup(publishing, group)).filter(isDroppedFile));
      continue;
    }
    const dropped = !configuration.languages.includes(of.language);
    if (!dropped && (of.month !== undefined || !rendered.has(group))) continue;
    const all = await pathsInGroup(publishing, group);
    const isGone = (path: string) => {
      const at = parsePath(path);
      return at !== undefined && !isWanted(at) && !tree[at.row].staysEnded;
    };
    paths.push(...(dropped ? all : all.filter(isGone)));
  }
  const { unusualShare } = configuration.publishing;
  if (evenMany || paths.length === 0) return { paths, left: 0 };
  const all = await allFiles(reader, manifest);
  if (unusualRemoval(paths.length, all.size, unusualShare) === undefined) return { paths, left: 0 };
  warnAboutLeft(paths.length, publishing);
  return { paths: [], left: paths.length };
}

export function warnAboutLeft(paths: number, { configuration, log }: PublishingOn): void {
  const { unusualShare } = configuration.publishing;
  log.warn(
    { paths, unusualShare },
    `the configuration removes an unusual share of the site; ${paths} files stay until \`almanac render --yes\` removes them`,
  );
}

/** Checks whether the configuration still includes a path. Dated paths stay, whatever has been dropped. */
export function wantedBy({ configuration, theme }: RenderSettings): (at: TreePath) => boolean {
  const operations = new Set(configuration.operations);
  const people = new Set(configuration.people.map(({ id }) => id));
  const pairs = new Set((configuration.pairs ?? allPairs).map((pair) => pair.join()));
  const own = new Set(theme?.pages.map(({ at }) => pathOf(at)));
  return (at) => {
    if (at.row === "ownPage") return own.has(pathOf(at));
    if (at.row === "sitemapOfSite") return hasListedPages(configuration);
    if (at.row === "accessibilityPage") return configuration.site.accessibility !== undefined;
    if (at.row === "indexNowKey") return configuration.site.indexNow !== undefined;
    if (tree[at.row].stage === "dated") return true;
    if ("person" in at && !people.has(at.person)) return false;
    const operation = operationAt(at);
    if (operation !== undefined && !operations.has(operation)) return false;
    return !("sign1" in at) || pairs.has([at.sign1, at.sign2].join());
  };
}

/** Whether search engines are to list any page of no language. */
function hasListedPages({ indexing }: Configuration): boolean {
  const pages: readonly TreePath[] = [{ row: "chooserPage" }, { row: "statusPage" }];
  return pages.some((at) => indexPolicy({ at, date: "" }, indexing) === "listed");
}

export class UnusualRemoval extends Error {
  override readonly name = "UnusualRemoval";
  readonly type = "UnusualRemoval";
  constructor(removed: number, all: number, share: number) {
    super(
      `this would remove ${removed} of ${all} files, more than ${Number((share * 100).toFixed(2))} % (publishing.unusualShare). ` +
        "List them with --dry-run. If this is intended, add --yes",
    );
  }
}

/** Undefined if so many files may be removed without confirmation. */
export function unusualRemoval(removed: number, all: number, share: number): UnusualRemoval | undefined {
  return removed > all * share ? new UnusualRemoval(removed, all, share) : undefined;
}

export interface ExpiredPages {
  readonly paths: ReadonlySet<string>;
  /** The horoscopes whose dated pages leave: other pages link to these. */
  readonly sets: readonly DatedSet[];
  /** The number of paths that stay because they are an unusual share. */
  readonly left: number;
}

export interface RenderedDay {
  readonly language: Language;
  readonly date: string;
  /** Whether pages that are older than the archive leave: a usual share of them, or all. Absent if they stay this time. */
  readonly removesExpired?: "usual" | "all";
}

const nothing: ExpiredPages = { paths: new Set(), sets: [], left: 0 };

/** The first day that the archive includes; undefined if it has no limit. */
function archiveStartOn(date: string, { archive }: Pick<Configuration, "archive">): string | undefined {
  return archive.days === undefined ? undefined : addDays(date, -archive.days);
}

/** The paths that leave now. A newest text stays, however old it is, because the current page shows it. */
export async function expiredPages(
  { language, date, removesExpired }: RenderedDay,
  publishing: PublishingOn,
): Promise<ExpiredPages> {
  const { configuration, manifest, reader } = publishing;
  const start = archiveStartOn(date, configuration);
  if (start === undefined || removesExpired === undefined) return nothing;
  const newest = (await publishedSummary(publishing, language))?.newest ?? {};
  const paths = new Set<string>();
  const sets = new Map<string, DatedSet>();
  let known = (await pathsInGroup(publishing, groupNamed(language))).length;
  for (const group of groupsIn(manifest)) {
    const of = languageGroup(group);
    if (of?.language !== language || of.month === undefined || `${of.month}-01` > start) continue;
    const all = await pathsInGroup(publishing, group);
    const expired = all.filter((path) => {
      const set = datedSetAt(parsePath(path));
      if (set === undefined || !endsBefore(set, start) || newest[set.operation] === set.period) return false;
      if (isDatedPage(path) || set.operation === "yearly-horoscope")
        sets.set(`${set.operation} ${set.period}`, set);
      return true;
    });
    for (const path of expired) paths.add(path);
    // A calendar without a day leads nowhere.
    if (expired.length > 0 && !all.some((path) => isDatedPage(path) && !paths.has(path)))
      for (const path of all) if (parsePath(path)?.row === "archivePage") paths.add(path);
    known += all.length;
  }
  const { unusualShare } = configuration.publishing;
  const isUnusual = (size: number) => unusualRemoval(paths.size, size, unusualShare) !== undefined;
  const ownFiles = () => allFiles(reader, manifest, (group) => languageGroup(group)?.language === language);
  if (removesExpired === "usual" && isUnusual(known) && isUnusual((await ownFiles()).size))
    return { ...nothing, left: paths.size };
  return { paths, sets: [...sets.values()], left: 0 };
}

/** The set of a path that is dated by its period. */
function datedSetAt(at: TreePath | undefined): DatedSet | undefined {
  const operation = at && operationAt(at);
  if (at === undefined || operation === undefined) return undefined;
  if ("key" in at) return isPeriodKey(at.kind, at.key) ? { operation, period: at.key } : undefined;
  return "date" in at && isPeriodKey("daily", at.date) ? { operation, period: at.date } : undefined;
}

function endsBefore({ operation, period }: DatedSet, day: string): boolean {
  const { due } = rowOf(operation);
  return isPeriodKind(due) && spanOf(due, period).last < day;
}

/** The sets that may be rendered: of those that are older than the archive, only the ones whose published pages stay. */
export async function withinArchive<Set extends DatedSet & { readonly current?: boolean }>(
  sets: readonly Set[],
  { language, date }: RenderedDay,
  { paths }: ExpiredPages,
  publishing: PublishingOn,
): Promise<Set[]> {
  const start = archiveStartOn(date, publishing.configuration);
  const kept: Set[] = [];
  for (const set of sets) {
    const isOver = start !== undefined && set.current !== true && endsBefore(set, start);
    const path = isOver ? dataPathOfSet(language, set.operation, set.period) : undefined;
    const stays = path !== undefined && !paths.has(path) && (await isPublished(publishing, path));
    if (!isOver || stays) kept.push(set);
  }
  return kept;
}

// A month's pages are rendered again if the index policy decides otherwise on them than when they were rendered: the month has passed
// an age, or the configuration has changed. The manifest has a hash of the decisions for each month. A step renders one such month of a
// language, and each month that it changes anyway, so that all pages of a month and its sitemap agree. The texts are those that the site
// shows: nothing is validated again, and a text without another decision keeps its bytes.

/** For each of a language's months a hash of today's decisions on its pages, by the name of its group. */
export function decisionHashes(
  language: Language,
  months: Iterable<string>,
  date: string,
  site: RenderSettings,
): Map<string, string> {
  const { indexing } = site.configuration;
  const exists = wantedBy(site);
  const hashOf = (month: string) =>
    sha256(decisionsOn({ language, month, date }, indexing, exists)).slice(0, 8);
  return new Map(Array.from(months, (month) => [groupNamed(language, month), hashOf(month)]));
}

/** The published months that were rendered with other decisions than those of this date, the newest first. */
export function staleMonths(
  language: Language,
  date: string,
  site: RenderSettings & { readonly manifest: Manifest | undefined },
): string[] {
  const months = knownMonths(language, site).sort().toReversed();
  const hashes = decisionHashes(language, months, date, site);
  return months.filter((month) => {
    const group = groupNamed(language, month);
    return site.manifest?.dependencies?.[group] !== hashes.get(group);
  });
}

/** The sets with dated pages in these months. */
export async function datedSetsIn(
  language: Language,
  months: readonly string[],
  published: PublishedSite,
): Promise<DatedSet[]> {
  const groups = months.map((month) => pathsInGroup(published, groupNamed(language, month)));
  const sets = (await Promise.all(groups)).flat().flatMap((path) => {
    const at = parsePath(path);
    return at?.row === "datedPage" ? (datedSetAt(at) ?? []) : [];
  });
  return [...new Map(sets.map((set) => [`${set.operation} ${set.period}`, set])).values()];
}
