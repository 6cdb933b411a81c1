// Dated pages and data that are older than `archive.days` leave the site, while their texts stay in the vault. A night removes about one
// day. An unusual share of a language's files stays until an operator confirms its removal.
import { addDays, isPeriodKey, isPeriodKind, spanOf } from "../../readings/calendar.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { rowOf } from "../../readings/tables.ts";
import { dataPathOfSet, groupNamed, operationAt, parsePath } from "../../site/paths.ts";
import type { TreePath } from "../../site/tree.ts";
import { allFiles, groupsIn, languageGroup } from "../state/parts.ts";
import { isPublished, pathsInGroup, type PublishingOn, publishedSummary } from "../state/published-files.ts";
import { unusualRemoval } from "./leaving-paths.ts";
import { type DatedSet, isDatedPage } from "./neighbour-pages.ts";
import type { RenderJob } from "./render-jobs.ts";

export interface ExpiredPages {
  readonly paths: ReadonlySet<string>;
  /** The horoscopes whose dated pages leave: other pages link to these. */
  readonly sets: readonly DatedSet[];
  /** The number of paths that stay because they are an unusual share. */
  readonly left: number;
}

type RenderedDay = Pick<RenderJob, "language" | "date" | "removesExpired">;

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
