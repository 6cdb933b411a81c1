// The pages around rendered ones: those that lead to a page that comes or goes, and those that pages may lead to.
import { type PublishedSite, isPublished, pathsInGroup } from "../state/published-files.ts";
import type { Language } from "../../readings/languages.ts";
import type { Operation } from "../../readings/operations.ts";
import { type PeriodKind, periodKinds, shiftPeriod } from "../../readings/calendar.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { signs } from "../../readings/signs.ts";
import { groupAt, groupNamed, pathOf } from "../../site/paths.ts";
import type { ArchiveMonth, LanguageDocument, ReadingSet } from "../../site/render.ts";

/** A set with a date. */
export interface DatedSet {
  readonly operation: Operation;
  readonly period: string;
}

/** The periods of a horoscope; undefined for any other operation. */
export function horoscopeKind(operation: Operation): PeriodKind | undefined {
  return periodKinds.find((kind) => operation === `${kind}-horoscope`);
}

/** The sets before and after this one whose pages lead to a page of it that comes or goes. */
export async function neighboursOf(
  language: Language,
  sets: readonly ReadingSet[],
  withdrawn: readonly ReadingRequest[],
  published: PublishedSite,
): Promise<DatedSet[]> {
  const found = new Map<string, DatedSet>();
  for (const set of [...sets, ...withdrawn]) {
    const { operation, period } = set;
    const kind = horoscopeKind(operation);
    if (kind === undefined) continue;
    if ("readings" in set && !(await bringsPages(language, kind, set, published))) continue;
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

/** The month in which the year's own pages lie. */
function january(month: string) {
  return `${month.slice(0, "2026".length)}-01`;
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
    for (const one of [month, before, after, january(month)])
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
