// Counts a site's pages by kind and by the decision of the index policy on them: the published pages now, and the pages a year later
// if every night is complete. It reads the published state, and makes no call.
import { createPartReader, groupsIn, languageGroup } from "../publish/state/parts.ts";
import { pathsInGroup, publishedSummary, type RenderedSite } from "../publish/state/published-files.ts";
import { readState } from "../publish/state/state.ts";
import { wantedBy } from "../publish/render/leaving-paths.ts";
import { listedIn } from "../publish/render/sitemaps.ts";
import {
  addDays,
  localDate,
  type PeriodKind,
  periodKinds,
  periodOf,
  shiftPeriod,
} from "../readings/calendar.ts";
import { allSlots, zoneOf } from "../readings/catalogue.ts";
import { indexedPages } from "../readings/index-rules.ts";
import { type Language, languagesOf, signs } from "../readings/tables.ts";
import { indexPolicy, type PageFacts } from "../site/index-policy.ts";
import { monthOf } from "../site/pages/archive-page.ts";
import { currentPagesOf, parsePath } from "../site/paths.ts";
import { tree } from "../site/tree.ts";

export const decisions = ["listed", "noindex", "canonical"] as const;
type Counts = Record<(typeof decisions)[number], number>;

export interface PageCounts {
  readonly page: string;
  readonly now: Readonly<Counts>;
  /** On the same day of the next year; each text counts as not reviewed. */
  readonly afterAYear: Readonly<Counts>;
}

export async function countPages(
  input: Pick<RenderedSite, "site" | "configuration" | "theme">,
  instant: Date,
): Promise<PageCounts[]> {
  const manifest = (await readState(input.site))?.manifest;
  const site = { ...input, manifest, reader: createPartReader(input.site) };
  const { configuration } = input;
  const [now, afterAYear] = [counterFor(site), counterFor(site)];
  const dateIn = (language: Language) => localDate(zoneOf(configuration, language), instant);
  const [first = "en"] = configuration.languages;
  const periods = new Map<string, Set<string>>();
  for (const group of groupsIn(manifest)) {
    const language = languageGroup(group)?.language ?? first;
    if (!configuration.languages.includes(language)) continue;
    const summary = await publishedSummary(site, language);
    const listed = await listedIn(group, site);
    for (const path of await pathsInGroup(site, group)) {
      const at = parsePath(path);
      if (at === undefined || tree[at.row].isListed !== true) continue;
      const isDated = at.row === "datedPage";
      const isCurrent = isDated && summary?.newest[`${at.kind}-horoscope`] === at.key;
      now.add({ at, date: summary?.date ?? dateIn(language), isCurrent }, 1, listed.has(path));
      if (isDated) keysIn(periods, language, at.kind).add(at.key);
    }
  }
  for (const row of ["chooserPage", "statusPage"] as const)
    afterAYear.add({ at: { row }, date: dateIn(first) }, 1);
  for (const language of configuration.languages) {
    const keys = (kind: PeriodKind) => keysIn(periods, language, kind);
    for (const [facts, pages] of pagesAfterAYear(language, dateIn(language), keys, site))
      afterAYear.add(facts, pages);
  }
  return indexedPages.flatMap((page) => {
    const counts = { page, now: now.of(page), afterAYear: afterAYear.of(page) };
    return decisions.some((name) => counts.now[name] + counts.afterAYear[name] > 0) ? [counts] : [];
  });
}

function keysIn(periods: Map<string, Set<string>>, language: Language, kind: PeriodKind): Set<string> {
  const name = `${language} ${kind}`;
  const keys = periods.get(name) ?? new Set();
  periods.set(name, keys);
  return keys;
}

/**
 * The current pages of a year from today; the dated pages of the published periods and of those until then, and their calendars. Each
 * has the number of pages that it represents.
 */
function* pagesAfterAYear(
  language: Language,
  today: string,
  publishedKeys: (kind: PeriodKind) => Iterable<string>,
  { configuration, theme }: RenderedSite,
): Generator<[facts: PageFacts, pages: number]> {
  const date = addDays(today, 365);
  const requests = allSlots(language, date, configuration).flatMap(([newest = []]) => newest);
  for (const path of currentPagesOf(language, requests)) {
    const at = parsePath(path);
    if (at !== undefined) yield [{ at, date }, 1];
    if (at?.row === "deckPage") yield [{ at: { ...at, row: "drawPage" }, date }, 1];
  }
  for (const { at } of theme?.pages ?? []) if (at.language === language) yield [{ at, date }, 1];
  if (configuration.site.accessibility !== undefined)
    yield [{ at: { row: "accessibilityPage", language }, date }, 1];
  const [sign] = signs;
  const months = new Set<string>();
  for (const kind of periodKinds) {
    const operation = `${kind}-horoscope` as const;
    const isGathered =
      configuration.operations.includes(operation) && languagesOf(operation).includes(language);
    const keys = new Set(publishedKeys(kind));
    const last = isGathered ? periodOf(kind, date) : "";
    for (let key = periodOf(kind, today); key <= last; key = shiftPeriod(kind, key, 1)) keys.add(key);
    for (const key of keys) {
      const at = { row: "datedPage", language, kind, sign, key } as const;
      yield [{ at, date, isCurrent: key === last }, signs.length];
      if (kind !== "yearly") months.add(monthOf(kind, key));
    }
  }
  for (const month of months)
    yield [{ at: { row: "archivePage", language, sign, month }, date }, signs.length];
}

function counterFor(site: RenderedSite) {
  const exists = wantedBy(site);
  const all = new Map<string, Counts>();
  const of = (page: string): Counts => all.get(page) ?? { listed: 0, noindex: 0, canonical: 0 };
  return {
    of,
    /** `isListed`: as the published page says. Default: by the policy. */
    add(facts: PageFacts, pages: number, isListed?: boolean): void {
      const decision = indexPolicy(facts, site.configuration.indexing, exists);
      const other = typeof decision === "string" ? "noindex" : "canonical";
      const name = (isListed ?? decision === "listed") ? "listed" : other;
      const { row } = facts.at;
      const counts = of(row);
      counts[name] += pages;
      all.set(row, counts);
    },
  };
}
