// A rehearsal in figures: each night's calls, and for each language how fresh its readers' pages were, with the words that
// docs/monitoring.md has for them: the age of an edition is counted from when it was published, `overdue` from its midnight.
import { zoneOf } from "../readings/catalogue.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { mergedChanges } from "../readings/forecast.ts";
import type { Language } from "../readings/tables.ts";
import { endOf, type Midnight, rehearse, type Rehearsed } from "./rehearse.ts";
import { type Assumptions, nextOutage, type RehearsedCall, type RehearsedNight } from "./simulated-night.ts";

export type Figures = ReturnType<typeof rehearsalFiguresOf>;
export type LanguageFigures = ReturnType<typeof languageFigures>;

/** The local hour from which readers look for the day's page. */
export const morningHour = 6;
const morningMs = morningHour * 60 * 60_000;

export function rehearsalFiguresOf(rehearsed: Rehearsed, configuration: Configuration) {
  const { from, until, nights, skipped, lost } = rehearsed;
  const perNight = nights.map((night) => nightFigures(night, configuration));
  const calls = perNight.map((night) => night.calls);
  const seconds = perNight.map((night) => night.seconds);
  const left = perNight.flatMap(({ budgetLeft }) => budgetLeft ?? []);
  return {
    from: from.toISOString(),
    until: until.toISOString(),
    nights: perNight,
    skipped: skipped.map((instant) => instant.toISOString()),
    calls: { total: sum(calls), usual: median(calls), most: Math.max(...calls) },
    unanswered: sum(perNight.map(({ unanswered }) => unanswered)),
    seconds: { usual: median(seconds), longest: Math.max(...seconds) },
    ...(left.length > 0 && { budgetLeft: Math.min(...left) }),
    lost: lost.length,
    languages: [...rehearsed.midnights].map(([language, midnights]) =>
      languageFigures(language, midnights, rehearsed, configuration),
    ),
    // The settings with which every night would fit: none when all do; null when no setting of the service is enough.
    changes: mergedChanges(nights.map(({ plan }) => plan.forecast.changes)) ?? null,
  };
}

function nightFigures(night: RehearsedNight, { service }: Configuration) {
  const { instant, plan, calls } = night;
  const ended = (ending: string) => calls.filter((call) => call.ending === ending).length;
  return {
    asOf: instant.toISOString(),
    planned: plan.due.length,
    calls: sum(calls.map((call) => call.calls)),
    unanswered: sum(calls.map(({ unanswered }) => unanswered)),
    refused: ended("refused") + ended("left out"),
    outOfReach: ended("out of reach"),
    // Calls that the deadline left for a later night, and those that the day's ceiling did.
    unfinished: ended("unfinished"),
    leftOut: plan.leftOut.length,
    seconds: Math.round((endOf(night) - instant.getTime()) / 1000),
    ...(service.callsPerDay !== undefined && {
      // Same count as the plan's.
      budgetLeft: service.callsPerDay - plan.due.length - sum(calls.map(countRepeats)),
    }),
  };
}

/** How often a reading was requested again after a refused response; calls without an answer don't count. */
function countRepeats({ calls, unanswered }: RehearsedCall) {
  return Math.max(0, calls - unanswered - 1);
}

function languageFigures(
  language: Language,
  midnights: readonly Midnight[],
  { nights, lost, until }: Rehearsed,
  configuration: Configuration,
) {
  const own = nights.flatMap(({ calls }) => calls.filter(({ line }) => line.request.language === language));
  const whole = laterDays(midnights);
  const waits = whole.map(({ wholeMs, dueMs, nextMs }) => Math.max(0, (wholeMs ?? nextMs) - dueMs));
  return {
    language,
    zone: zoneOf(configuration, language),
    calls: sum(own.map(({ calls }) => calls)),
    days: whole.length,
    // Days on which the page still was that of the day before at midnight, after the morning hour, and for good.
    late: waits.filter((waitMs) => waitMs > 0).length,
    pastMorning: waits.filter((waitMs) => waitMs > morningMs).length,
    missed: whole.filter(({ wholeMs }) => wholeMs === undefined).length,
    // The longest time from a midnight until the page of the day came.
    overdueSeconds: inSeconds(Math.max(0, ...waits)),
    // How long before its midnight an edition was there; below zero where it was late.
    leadSeconds: leadOf(whole),
    // How old the newest published edition grew before the next one came.
    ageSeconds: ageOf(midnights, until.getTime()),
    lost: lost.filter(({ request }) => request.language === language).length,
    midnights: midnights.map(({ date, dueMs, wholeMs }) => ({
      date,
      dueAt: new Date(dueMs).toISOString(),
      // Null where the day's texts were not whole before the next day.
      wholeAt: wholeMs === undefined ? null : new Date(Math.ceil(wholeMs)).toISOString(),
    })),
  };
}

/** All days but the first, which had begun before the first night. */
function laterDays(midnights: readonly Midnight[]): readonly Midnight[] {
  return midnights.slice(1);
}

function leadOf(midnights: readonly Midnight[]) {
  const leads = midnights.flatMap(({ date, dueMs, wholeMs }) =>
    wholeMs === undefined ? [] : [{ date, leadMs: dueMs - wholeMs }],
  );
  const [least] = leads.toSorted((one, other) => one.leadMs - other.leadMs);
  if (least === undefined) return null;
  const usual = median(leads.map(({ leadMs }) => leadMs));
  return {
    usual: Math.floor(usual / 1000),
    least: Math.floor(least.leadMs / 1000),
    leastOn: least.date,
  };
}

/** Takes an edition for published at its midnight or, when its texts come later, then: run and publish lose minutes at most. */
function ageOf(midnights: readonly Midnight[], untilMs: number) {
  const published = midnights.flatMap(({ dueMs, wholeMs }) =>
    wholeMs === undefined ? [] : [Math.max(dueMs, wholeMs)],
  );
  const ages = published.slice(1).map((atMs, index) => atMs - (published[index] ?? atMs));
  const last = published.at(-1);
  if (last === undefined) return null;
  const worst = Math.max(untilMs - last, ...ages);
  return { usual: inSeconds(ages.length === 0 ? worst : median(ages)), worst: inSeconds(worst) };
}

function inSeconds(timeMs: number) {
  return Math.ceil(timeMs / 1000);
}

export function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}

function median(figures: readonly number[]) {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? 0;
}

// When the nightly run has to start: the latest start with which every edition is there in time, and the start that leaves
// most time. Both are worked out from the rehearsed nights and then tried in their own rehearsal.

export interface StartLead {
  readonly language: Language;
  readonly date: string;
  readonly seconds: number;
}

const minuteMs = 60_000;
const dayMinutes = 24 * 60;
const everyMinutes = 15;
/** The minute of an hour from which on a start is tried: on the hour itself it is midnight somewhere. */
const firstMinute = 5;
/** The number of nights on which a start is tried that was computed from all nights. */
const nightsTried = 7;

/** `calm`: the same nights, without anything that goes wrong. */
export async function startsFor(wish: Assumptions, rehearsed: Rehearsed, calm: Rehearsed) {
  const configured = minuteOf(wish.configuration.schedule.nightly);
  const latest = await latestFrom(configured, wish, rehearsed);
  const safest = safestOf(wish, calm);
  const tried = safest === undefined ? undefined : leastLead(await tryAt(safest, wish));
  return {
    // Looked for from the configured start on; absent where that is too late already.
    ...(latest !== undefined && { latest: timeOf(latest) }),
    // The start that leaves most time; absent where no start is in time.
    ...(safest !== undefined &&
      tried !== undefined &&
      tried.seconds >= 0 && { safest: { at: timeOf(safest), least: tried } }),
  };
}

/** The edition that was nearest to its midnight; a language that never had an edition is left out, for no start helps it. */
function leastLead(rehearsed: Rehearsed) {
  let least: StartLead | undefined;
  for (const [language, own] of rehearsed.midnights) {
    if (own.every(({ wholeMs }) => wholeMs === undefined)) continue;
    for (const { date, dueMs, wholeMs } of settledDays(own, rehearsed)) {
      const seconds = Math.floor((dueMs - (wholeMs ?? Infinity)) / 1000);
      if (least === undefined || seconds < least.seconds) least = { language, date, seconds };
    }
  }
  return least;
}

/** The days after the first night, which fills the vault and may take long. */
function settledDays(midnights: readonly Midnight[], { from, nights }: Rehearsed) {
  if (nights.length === 1) return laterDays(midnights);
  return midnights.filter(({ dueMs }) => dueMs >= from.getTime() + dayMinutes * minuteMs);
}

/** The configured start, later by the least time that an edition had left: that edition then is there just in time. */
async function latestFrom(configured: number, wish: Assumptions, rehearsed: Rehearsed) {
  const least = leastLead(rehearsed);
  if (least === undefined || least.seconds < 0) return undefined;
  const later = Math.floor(least.seconds / 60);
  if (later === 0) return configured;
  const tried = leastLead(await tryAt(configured + later, wish));
  return tried !== undefined && tried.seconds >= 0 ? configured + later : configured;
}

function tryAt(minute: number, wish: Assumptions) {
  const { configuration } = wish;
  const schedule = { ...configuration.schedule, nightly: timeOf(minute) };
  const days = Math.min(wish.days, nightsTried);
  return rehearse({ ...wish, days, configuration: { ...configuration, schedule } });
}

/** Works with how long after its start a calm night had each language's edition, and with when the midnights are. */
function safestOf(wish: Assumptions, calm: Rehearsed) {
  const languages = [...calm.midnights.values()].flatMap((midnights) => {
    const takesMs = longestMs(midnights, calm);
    return takesMs === undefined ? [] : [{ takesMs, dues: laterDays(midnights).map(({ dueMs }) => dueMs) }];
  });
  let best: { readonly minute: number; readonly leadMs: number } | undefined;
  for (let minute = firstMinute; minute < dayMinutes; minute += everyMinutes) {
    const leadMs = Math.min(...languages.map((language) => leadAt(minute, language, wish, calm)));
    if (Number.isFinite(leadMs) && (best === undefined || leadMs > best.leadMs)) best = { minute, leadMs };
  }
  return best === undefined || best.leadMs < 0 ? undefined : best.minute;
}

function longestMs(midnights: readonly Midnight[], rehearsed: Rehearsed) {
  const all = settledDays(midnights, rehearsed).flatMap(({ wholeMs }) => {
    const night = rehearsed.nights.findLast(({ instant }) => instant.getTime() <= (wholeMs ?? -Infinity));
    return wholeMs === undefined || night === undefined ? [] : [wholeMs - night.instant.getTime()];
  });
  return all.length === 0 ? undefined : Math.max(...all);
}

/** The least lead of all days. */
function leadAt(
  minute: number,
  { takesMs, dues }: { readonly takesMs: number; readonly dues: readonly number[] },
  { outages }: Assumptions,
  { from, until }: Rehearsed,
) {
  const dayMs = dayMinutes * minuteMs;
  const first = Math.floor(from.getTime() / dayMs) * dayMs + minute * minuteMs;
  let leastMs = Infinity;
  for (let startMs = first; startMs < until.getTime(); startMs += dayMs) {
    const dueMs = dues.find((due) => due > startMs);
    if (dueMs === undefined) break;
    const outage = nextOutage(outages, startMs);
    const isInTheWay = outage !== undefined && outage.fromMs < startMs + takesMs;
    leastMs = Math.min(leastMs, dueMs - (isInTheWay ? outage.untilMs : startMs) - takesMs);
  }
  return leastMs;
}

function minuteOf(time: string) {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}

function timeOf(minute: number) {
  return new Date(minute * minuteMs).toISOString().slice(11, 16);
}
