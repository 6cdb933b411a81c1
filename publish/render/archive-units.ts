// The archive to render again, in units of one month of a language, and as many units at a time as a machine holds.
import type { Language } from "../../readings/languages.ts";
import { addDays, dayNumber, periodOf, spanOf } from "../../readings/calendar.ts";
import type { PublishedSite } from "../state/published-files.ts";
import type { Publishing } from "../state/publish-context.ts";
import { dateIn } from "./render-jobs.ts";

/** Local dates, both counted in; up to today where the last is left out. */
export interface PastDates {
  readonly from: string;
  readonly to?: string;
}

/** A language's month: the sets that begin in it, and with the newest month its current pages. */
export interface ArchiveUnit {
  readonly language: Language;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly current: boolean;
}

export async function unitsOf(
  languages: readonly Language[],
  dates: PastDates | undefined,
  published: PublishedSite,
  publishing: Publishing,
): Promise<ArchiveUnit[]> {
  const units: ArchiveUnit[] = [];
  for (const language of languages) {
    const date = await dateIn(language, published, publishing);
    const last = dates?.to === undefined || dates.to > date ? date : dates.to;
    // Nothing is shown yet of dates that have not begun.
    const months = dates === undefined || dates.from > last ? [] : monthsOf(dates.from, last);
    const newest = months.pop();
    for (const { from, to } of months) units.push({ language, from, to, current: false });
    units.push({ language, from: newest?.from, to: newest?.to, current: true });
  }
  return units;
}

function monthsOf(first: string, last: string) {
  const months: { from: string; to: string }[] = [];
  for (let from = first; from <= last;) {
    const { last: monthsLast } = spanOf("monthly", periodOf("monthly", from));
    const to = monthsLast < last ? monthsLast : last;
    months.push({ from, to });
    from = addDays(to, 1);
  }
  return months;
}

/** The most files in memory at once, some 10 KB each. */
const mostFilesAtOnce = 20_000;
const filesOfADay = 50;
const filesOfCurrentPages = 500;

export function* batchesOf(units: readonly ArchiveUnit[]): Generator<ArchiveUnit[]> {
  let batch: ArchiveUnit[] = [];
  let files = 0;
  for (const unit of units) {
    const days =
      unit.from === undefined || unit.to === undefined ? 0 : dayNumber(unit.to) - dayNumber(unit.from) + 1;
    const expected = days * filesOfADay + (unit.current ? filesOfCurrentPages : 0);
    if (batch.length > 0 && files + expected > mostFilesAtOnce) {
      yield batch;
      [batch, files] = [[], 0];
    }
    batch.push(unit);
    files += expected;
  }
  if (batch.length > 0) yield batch;
}

/** One unit for each language: its months go together, because their last and first pages lead to each other. */
export function unitsTogether(batch: readonly ArchiveUnit[]): ArchiveUnit[] {
  return [...Map.groupBy(batch, ({ language }) => language).values()].flatMap((months) => {
    const [first, last] = [months[0], months.at(-1)];
    return first === undefined || last === undefined ? [] : [{ ...last, from: first.from }];
  });
}

/** `hi 2026-10 to 2026-11` */
export function nameOf({ language, from, to }: ArchiveUnit): string {
  if (from === undefined || to === undefined) return language;
  const [first, last] = [from.slice(0, 7), to.slice(0, 7)];
  return first === last ? `${language} ${first}` : `${language} ${first} to ${last}`;
}
