// The pages around rendered ones: those that lead to a page that comes or goes, those that pages may lead to, the months of the
// archive, and the current pages of horoscopes that the configuration no longer includes.
import { type PublishedSite, isPublished, pathsInGroup } from "../state/published-files.ts";
import { type Language, type Operation, signs } from "../../readings/tables.ts";
import { type PeriodKind, periodKinds, shiftPeriod } from "../../readings/calendar.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { groupAt, groupNamed, pathOf, parsePath } from "../../site/paths.ts";
import type { ArchiveMonth, ReadingSet, LanguageEdition } from "../../site/edition.ts";
import type { LanguageDocument } from "../../site/data.schema.ts";
import { monthOf } from "../../site/pages/archive-page.ts";
import { groupsIn, languageGroup } from "../state/parts.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";

/** A set with a date. */
export interface DatedSet {
  readonly operation: Operation;
  readonly period: string;
}

/** The periods of a horoscope; undefined for any other operation. */
function horoscopeKind(operation: Operation): PeriodKind | undefined {
  return periodKinds.find((kind) => operation === `${kind}-horoscope`);
}

/** The sets before and after this one whose pages lead to a page of it that comes or goes. */
export async function neighboursOf(
  language: Language,
  sets: readonly ReadingSet[],
  leaving: readonly DatedSet[],
  published: PublishedSite,
): Promise<DatedSet[]> {
  const found = new Map<string, DatedSet>();
  const changed = [...leaving];
  for (const set of sets) {
    const kind = horoscopeKind(set.operation);
    if (kind !== undefined && (await bringsPages(language, kind, set, published))) changed.push(set);
  }
  for (const { operation, period } of changed) {
    const kind = horoscopeKind(operation);
    if (kind === undefined) continue;
    for (const by of [-1, 1]) {
      const other = { operation, period: shiftPeriod(kind, period, by) };
      const isThere = await isPublished(
        published,
        pathOf({ row: "signsData", language, kind, key: other.period }),
      );
      if (isThere) found.set(`${operation} ${other.period}`, other);
    }
  }
  return [...found.values()];
}

/** The sets that were the current ones until now: search engines are to find their dated pages from here on. */
export function overtaken(sets: readonly ReadingSet[], shown: LanguageDocument | undefined): DatedSet[] {
  return sets.flatMap(({ operation, period, current }) => {
    const before = shown?.newest[operation];
    const isOvertaken = current && before !== undefined && before < period;
    return isOvertaken && horoscopeKind(operation) !== undefined ? [{ operation, period: before }] : [];
  });
}

/** Whether the site has other dated pages of this set than there will be. */
async function bringsPages(
  language: Language,
  kind: PeriodKind,
  { period, readings }: ReadingSet,
  published: PublishedSite,
): Promise<boolean> {
  const held = new Set(readings.map(({ reading }) => ("sign" in reading ? reading.sign : undefined)));
  for (const sign of signs) {
    if (
      (await isPublished(published, pathOf({ row: "datedPage", language, kind, sign, key: period }))) !==
      held.has(sign)
    )
      return true;
  }
  return false;
}

/** Further paths that pages may lead to: the dated pages around theirs, and the current pages where those are not rendered. */
export async function staying(
  language: Language,
  sets: readonly ReadingSet[],
  months: readonly ArchiveMonth[],
  current: boolean,
  published: PublishedSite,
): Promise<string[]> {
  const groups = new Set(current ? [] : [groupNamed(language)]);
  for (const { month, before, after } of months) {
    for (const one of [month, before, after, `${month.slice(0, "2026".length)}-01`])
      if (one !== undefined) groups.add(groupNamed(language, one));
  }
  for (const { operation, period } of sets) {
    const kind = horoscopeKind(operation);
    if (kind === undefined) continue;
    for (const by of [-1, 1])
      groups.add(groupAt({ row: "signsData", language, kind, key: shiftPeriod(kind, period, by) }));
  }
  const paths = await Promise.all([...groups].map((group) => pathsInGroup(published, group)));
  return paths.flat();
}

/** `leaving`: the sets that lose pages, and the paths of those that leave as a whole. */
export async function archiveMonths(
  language: Language,
  sets: readonly ReadingSet[],
  leaving: { readonly sets: readonly DatedSet[]; readonly paths: ReadonlySet<string> },
  published: PublishedSite,
): Promise<ArchiveMonth[]> {
  const coming = new Set(sets.flatMap(monthsOf));
  const all = [...new Set([...knownMonths(language, published), ...coming])].sort();
  const stays = (path: string) => isDatedPage(path) && !leaving.paths.has(path);
  const isThere = async (month: string) =>
    coming.has(month) || (await pathsInGroup(published, groupNamed(language, month))).some(stays);
  const nearest = async (months: readonly string[]): Promise<string | undefined> => {
    for (const month of months) if (await isThere(month)) return month;
    return undefined;
  };
  const months = new Map<string, ArchiveMonth>();
  const left = [...coming, ...leaving.sets.flatMap(monthsOf)];
  const years = leaving.sets.filter(({ operation }) => operation === "yearly-horoscope");
  const withoutYear = new Set(years.map(({ period }) => period));
  for (const month of all)
    if (withoutYear.has(month.slice(0, "2026".length)) && (await isThere(month))) left.push(month);
  for (let month = left.pop(); month !== undefined; month = left.pop()) {
    if (months.has(month)) continue;
    const place = all.indexOf(month);
    const before = await nearest(all.slice(0, place).toReversed());
    const after = await nearest(all.slice(place + 1));
    const isGone = leaving.paths.has(calendarOf(language, month));
    if (!isGone) months.set(month, { month, before, after });
    const isNew = isGone || !(await hasArchive(language, month, published));
    for (const other of [before, after]) {
      if (other === undefined) continue;
      // Months that were published before there was an archive get their pages now, once.
      if (isNew || !(await hasArchive(language, other, published))) left.push(other);
    }
  }
  return [...months.values()];
}

/** The newest month that the archive will have after these. */
async function newestArchive(
  language: Language,
  rendered: readonly ArchiveMonth[],
  leaving: ReadonlySet<string>,
  published: PublishedSite,
): Promise<string | undefined> {
  const coming = rendered.map(({ month }) => month);
  for (const month of [...knownMonths(language, published), ...coming].sort().toReversed()) {
    const isLeaving = leaving.has(calendarOf(language, month));
    if (coming.includes(month) || (!isLeaving && (await hasArchive(language, month, published))))
      return month;
  }
  return undefined;
}

export function knownMonths(language: Language, { manifest }: Pick<PublishedSite, "manifest">): string[] {
  return groupsIn(manifest).flatMap((group) => {
    const of = languageGroup(group);
    return of?.language === language ? (of.month ?? []) : [];
  });
}

/** The calendar of a sign, which represents those of all signs. */
function calendarOf(language: Language, month: string): string {
  return pathOf({ row: "archivePage", language, sign: "aries", month });
}

function hasArchive(language: Language, month: string, published: PublishedSite): Promise<boolean> {
  return isPublished(published, calendarOf(language, month));
}

/** The month of a horoscope; a request without dated pages for each sign has none, and a year's belongs to all months. */
function monthsOf({ operation, period }: Pick<ReadingRequest, "operation" | "period">): string[] {
  const kind = horoscopeKind(operation);
  return kind === undefined || kind === "yearly" ? [] : [monthOf(kind, period)];
}

/** Whether it is the page of a sign's day, week or month. */
export function isDatedPage(path: string): boolean {
  const at = parsePath(path);
  return at?.row === "datedPage" && at.kind !== "yearly";
}

export async function endedIn(
  language: Language,
  published: PublishedSite,
  { operations }: Configuration,
): Promise<PeriodKind[]> {
  const current = new Set(await pathsInGroup(published, groupNamed(language)));
  const isThere = (kind: PeriodKind) =>
    signs.some((sign) => current.has(pathOf({ row: "signPage", language, kind, sign })));
  return periodKinds.filter((kind) => !operations.includes(`${kind}-horoscope`) && isThere(kind));
}

/** The last sets of ended horoscopes: from here on search engines are to find their dated pages too. */
export function lastOf(ended: readonly PeriodKind[], shown: LanguageDocument | undefined): DatedSet[] {
  return ended.flatMap((kind) => {
    const operation = `${kind}-horoscope` as const;
    const period = shown?.newest[operation];
    return period === undefined ? [] : [{ operation, period }];
  });
}

/** The ended horoscopes with the newest month of the archive, to which their pages lead. */
export async function withArchive(
  language: Language,
  kinds: readonly PeriodKind[],
  months: readonly ArchiveMonth[],
  leaving: ReadonlySet<string>,
  published: PublishedSite,
): Promise<{ readonly ended: LanguageEdition["ended"]; readonly archive: readonly string[] }> {
  if (kinds.length === 0) return { ended: [], archive: [] };
  const month = await newestArchive(language, months, leaving, published);
  const archive = month === undefined ? [] : await pathsInGroup(published, groupNamed(language, month));
  return { ended: kinds.map((kind) => ({ kind, month })), archive };
}
