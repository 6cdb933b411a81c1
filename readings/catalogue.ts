// Catalogue of the sets that the configuration requires at an instant, in the vault or not: the start of every
// reading. Next step: readings/plan.ts, which removes the readings that the vault holds.
import type { Configuration } from "./configuration.schema.ts";
import {
  type Language,
  languages,
  isOfCards,
  languagesOf,
  type Operation,
  operations,
  rowOf,
} from "./tables.ts";
import { allPairs, type Pair, pairSeason, placeOf } from "./pairs.ts";
import {
  addDays,
  dayNumber,
  type Interval,
  isPeriodKind,
  type PeriodKind,
  periodKinds,
  periodOf,
  reachOf,
  seasonOf,
  shiftPeriod,
  shiftSeason,
  validity,
  localDate,
  startOfDay,
} from "./calendar.ts";
import { type ReadingRequest, requestsOf } from "./request.ts";
import { groupOfSet } from "./plan-order.ts";

/** The settings that say which readings a site has. A person is her id alone, here as everywhere. */
export interface CatalogueSettings extends Pick<
  Configuration,
  "languages" | "operations" | "zones" | "pairs"
> {
  readonly people: readonly { readonly id: string }[];
}

/** Narrows a plan to some of the configured languages and operations; it never adds one. */
export interface PlanFilter {
  readonly languages?: readonly Language[];
  readonly operations?: readonly Operation[];
}

/** Local dates, both counted in: yesterday and tomorrow, in each language's zone, where one is left out. */
export interface DateSpan {
  readonly from?: string;
  readonly to?: string;
}

/** One operation in one language for one period: what is published whole or not at all. */
export interface WantedSet {
  readonly language: Language;
  readonly operation: Operation;
  readonly requests: readonly ReadingRequest[];
  /** The name of their group (readings/plan-order.ts). */
  readonly group: string;
  /** When readers want the set: at the start of its period, or now. */
  readonly dueAt: Date;
  /** The time in which the service provides the set and readers can use it. */
  readonly reach: Interval;
  /** The pair's last season: a vault that holds its text holds one that has expired. */
  readonly previousPeriod?: string;
}

/**
 * How many days before its first date a period is wanted. Long enough to ride out a bad night or two, the more so the
 * more readers a late edition would hurt; short enough that no text is requested long before anyone can read it.
 */
const leadDays: Record<PeriodKind, number> = { daily: 1, weekly: 2, monthly: 4, yearly: 10 };

/** From the first date of last year to the last date of next year, which is as far as the service ever reaches. */
const longestDays = 3 * 366;

/** The end of a person's reading, which holds for good. */
export const forGood = new Date("9999-12-31T00:00:00Z");

export function zoneOf(settings: Pick<CatalogueSettings, "zones">, language: Language): string {
  return settings.zones[language] ?? languages[language].zone;
}

/** The configured languages that `only` leaves, each once. */
export function languagesWanted(settings: CatalogueSettings, only: PlanFilter = {}): Language[] {
  const wanted = new Set(settings.languages);
  return [...wanted].filter((language) => only.languages?.includes(language) ?? true);
}

/** With `dates`, the sets of those local dates, in reach or not; without them, the sets that a night needs. */
export function catalogue(
  settings: CatalogueSettings,
  instant: Date,
  only: PlanFilter = {},
  dates?: DateSpan,
): WantedSet[] {
  const wanted = [...new Set(settings.operations)].filter(
    (operation) => only.operations?.includes(operation) ?? true,
  );
  return languagesWanted(settings, only).flatMap((language) => {
    const home = { language, zone: zoneOf(settings, language), instant, dates };
    // Once for all operations of a kind: a moment in a zone takes tens of microseconds, and thirteen of them have the same days.
    const periods = new Map<string, WantedPeriod[]>(
      periodKinds.map((kind) => [kind, periodsWanted(kind, home)]),
    );
    return wanted
      .filter((operation) => languagesOf(operation).includes(language))
      .flatMap((operation) => wantedSetsOf(operation, periods, home, settings));
  });
}

interface LanguageMoment {
  readonly language: Language;
  readonly zone: string;
  readonly instant: Date;
  readonly dates: DateSpan | undefined;
}

function wantedSetsOf(
  operation: Operation,
  periods: ReadonlyMap<string, readonly WantedPeriod[]>,
  home: LanguageMoment,
  settings: CatalogueSettings,
): WantedSet[] {
  const { language, zone, instant } = home;
  if (operation === "love-compatibility") {
    const pairs = onePerName(settings.pairs ?? allPairs, (pair) => pair.join("-"));
    const today = localDate(zone, instant);
    // In the order of their nights, so that those of one group follow each other.
    const inOrder = pairs.toSorted((one, other) => placeOf(one) - placeOf(other));
    return inOrder.map((pair, place) => setOfPair(pair, place, today, home));
  }
  if (operation === "which-animal-are-you-reading") {
    return onePerName(settings.people, ({ id }) => id).map(({ id }, place) => ({
      language,
      operation,
      requests: [{ operation, language, period: "always", person: id }],
      group: groupOfSet({ operation, language, period: "always" }, place),
      dueAt: instant,
      reach: { from: instant, until: forGood },
    }));
  }
  return (periods.get(operations[operation].due) ?? []).map(({ period, from, until, reach }) => ({
    language,
    operation,
    requests: requestsOf(operation, language, period),
    group: groupOfSet({ operation, language, period }),
    dueAt: instant > from ? instant : from,
    // Drawn at random and without a date, a card is for the date it was drawn for: today, or ahead for tomorrow.
    reach: isOfCards(operation) ? { from: reach.from, until } : reach,
  }));
}

/** A pair's text has no date, so a backfill wants the same one as a night does now. */
function setOfPair(
  pair: Pair,
  place: number,
  today: string,
  { language, zone, instant }: LanguageMoment,
): WantedSet {
  const operation = "love-compatibility";
  const { season, previous, untilDate } = pairSeason(pair, language, today);
  const [sign1, sign2] = pair;
  return {
    language,
    operation,
    requests: [{ operation, language, period: season, sign1, sign2 }],
    group: groupOfSet({ operation, language, period: season }, place),
    dueAt: instant,
    reach: { from: instant, until: startOfDay(zone, untilDate) },
    previousPeriod: previous,
  };
}

interface WantedPeriod extends Interval {
  readonly period: string;
  readonly reach: Interval;
}

/** The current period and, within its lead, the next; or every period that the dates touch. */
function periodsWanted(kind: PeriodKind, { zone, instant, dates }: LanguageMoment) {
  const today = localDate(zone, instant);
  const from = dates === undefined ? today : (dates.from ?? addDays(today, -1));
  const to = dates === undefined ? addDays(today, leadDays[kind]) : (dates.to ?? addDays(today, 1));
  const days = dayNumber(to) - dayNumber(from);
  if (days < 0 || days >= longestDays) {
    throw new RangeError(`${from} to ${to}: expected dates in order, at most ${longestDays} of them`);
  }
  const last = periodOf(kind, to);
  const periods = [periodOf(kind, from)];
  for (let period = periods[0]; period !== undefined && period !== last;) {
    period = shiftPeriod(kind, period, 1);
    periods.push(period);
  }
  return periods.map((period) => {
    const { from: validFrom, until } = validity(kind, period, zone);
    return { period, from: validFrom, until, reach: reachOf(kind, period, zone) };
  });
}

function onePerName<T>(all: readonly T[], nameOf: (one: T) => string) {
  return [...new Map(all.map((one) => [nameOf(one), one])).values()];
}

// The sets that a language can show on a date, in the vault or not.
/** Number of periods to look back for the newest whole set; beyond it the published one stays as it is. */
export const periodsBack = 3;

/** For each place of the site the sets that could fill it, newest first. */
export function allSlots(
  language: Language,
  date: string,
  configuration: Configuration,
): ReadingRequest[][][] {
  const available = configuration.operations.filter((operation) => languagesOf(operation).includes(language));
  return available.flatMap((operation) => slotsOf(operation, language, date, configuration));
}

/** Sets that are shown before their day, if `site.tomorrow` is set. */
export function daysAhead(
  language: Language,
  date: string,
  configuration: Configuration,
): ReadingRequest[][] {
  const operation = "daily-horoscope";
  const isThere = configuration.operations.includes(operation) && languagesOf(operation).includes(language);
  return configuration.site.tomorrow && isThere ? [requestsOf(operation, language, addDays(date, 1))] : [];
}

/** The sets that could fill each place of the site, newest first. */
function slotsOf(
  operation: Operation,
  language: Language,
  date: string,
  configuration: Configuration,
): ReadingRequest[][][] {
  switch (operation) {
    case "love-compatibility": {
      const season = seasonOf(date);
      const before = shiftSeason(season, -1);
      return (configuration.pairs ?? allPairs).map(([sign1, sign2]) =>
        [season, before].map((period) => [{ operation, language, period, sign1, sign2 }]),
      );
    }
    case "which-animal-are-you-reading":
      return configuration.people.map(({ id }) => [[{ operation, language, period: "always", person: id }]]);
    default: {
      const { due } = rowOf(operation);
      if (!isPeriodKind(due)) return [];
      const newest = periodOf(due, date);
      const back = Array.from({ length: periodsBack + 1 }, (_, by) => shiftPeriod(due, newest, -by));
      return [back.map((period) => requestsOf(operation, language, period))];
    }
  }
}
