// The months of a language's archive to render: those in which dated pages of signs come or go and, where a month
// is new, those next to it, which then lead to it. The manifest's parts are by month, so that their names give the months. The text of
// a year makes no month, which would be a January without a day; every month of its year leads to it.
import { type PublishedSite, isPublished, pathsInGroup } from "../state/published-files.ts";
import type { Language } from "../../readings/languages.ts";
import { horoscopeKind } from "./neighbour-pages.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { monthOf } from "../../site/pages/archive-page.ts";
import { groupNamed, parsePath, pathOf } from "../../site/paths.ts";
import type { ArchiveMonth, ReadingSet } from "../../site/render.ts";
import { groupsIn, languageGroup } from "../state/parts.ts";

export async function archiveMonths(
  language: Language,
  sets: readonly ReadingSet[],
  withdrawn: readonly ReadingRequest[],
  published: PublishedSite,
): Promise<ArchiveMonth[]> {
  const coming = new Set(sets.flatMap(monthsOf));
  const all = [...new Set([...knownMonths(language, published), ...coming])].sort();
  const isThere = async (month: string) =>
    coming.has(month) || (await pathsInGroup(published, groupNamed(language, month))).some(isDatedPage);
  const nearest = async (months: readonly string[]): Promise<string | undefined> => {
    for (const month of months) if (await isThere(month)) return month;
    return undefined;
  };
  const months = new Map<string, ArchiveMonth>();
  const left = [...coming, ...withdrawn.flatMap(monthsOf)];
  const years = withdrawn.filter(({ operation }) => operation === "yearly-horoscope");
  const withoutYear = new Set(years.map(({ period }) => period));
  for (const month of all)
    if (withoutYear.has(month.slice(0, "2026".length)) && (await isThere(month))) left.push(month);
  for (let month = left.pop(); month !== undefined; month = left.pop()) {
    if (months.has(month)) continue;
    const place = all.indexOf(month);
    const before = await nearest(all.slice(0, place).toReversed());
    const after = await nearest(all.slice(place + 1));
    months.set(month, { month, before, after });
    const isNew = !(await hasArchive(language, month, published));
    for (const other of [before, after]) {
      if (other === undefined) continue;
      // Months that were published before there was an archive get their pages now, once.
      if (isNew || !(await hasArchive(language, other, published))) left.push(other);
    }
  }
  return [...months.values()];
}

/** The newest month that the archive will have after these. */
export async function newestArchive(
  language: Language,
  rendered: readonly ArchiveMonth[],
  published: PublishedSite,
): Promise<string | undefined> {
  const coming = rendered.map(({ month }) => month);
  for (const month of [...knownMonths(language, published), ...coming].sort().toReversed())
    if (coming.includes(month) || (await hasArchive(language, month, published))) return month;
  return undefined;
}

function knownMonths(language: Language, { manifest }: PublishedSite): string[] {
  return groupsIn(manifest).flatMap((group) => {
    const of = languageGroup(group);
    return of?.language === language ? (of.month ?? []) : [];
  });
}

function hasArchive(language: Language, month: string, published: PublishedSite): Promise<boolean> {
  return isPublished(published, pathOf({ row: "archivePage", language, sign: "aries", month }));
}

/** The month of a horoscope; a request without dated pages for each sign has none, and a year's belongs to all months. */
function monthsOf({ operation, period }: Pick<ReadingRequest, "operation" | "period">): string[] {
  const kind = horoscopeKind(operation);
  return kind === undefined || kind === "yearly" ? [] : [monthOf(kind, period)];
}

function isDatedPage(path: string): boolean {
  const at = parsePath(path);
  return at?.row === "datedPage" && at.kind !== "yearly";
}
