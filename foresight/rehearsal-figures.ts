// A rehearsal in figures: each night's calls, and for each language how fresh its readers' pages were, with the words that
// docs/monitoring.md has for them: the age of an edition is counted from when it was published, `overdue` from its midnight.
import { zoneOf } from "../readings/catalogue.ts";
import type { Configuration } from "../readings/configuration.schema.ts";
import { mergedChanges } from "../readings/forecast.ts";
import type { Language } from "../readings/languages.ts";
import type { RehearsedCall, RehearsedNight } from "./simulated-night.ts";
import { endOf, type Rehearsed } from "./rehearse.ts";
import type { Midnight } from "./midnights.ts";

export type Figures = ReturnType<typeof rehearsalFiguresOf>;
export type LanguageFigures = ReturnType<typeof languageFigures>;

/** From this hour on, in their own time, readers look for the day's page. */
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
    languages: [...rehearsed.turns].map(([language, turns]) =>
      languageFigures(language, turns, rehearsed, configuration),
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
      // As the plan counts it.
      budgetLeft: service.callsPerDay - plan.due.length - sum(calls.map(askedAgain)),
    }),
  };
}

/** How often a reading was asked for again after a refused answer; calls without an answer don't count. */
function askedAgain({ calls, unanswered }: RehearsedCall) {
  return Math.max(0, calls - unanswered - 1);
}

function languageFigures(
  language: Language,
  turns: readonly Midnight[],
  { nights, lost, until }: Rehearsed,
  configuration: Configuration,
) {
  const own = nights.flatMap(({ calls }) => calls.filter(({ line }) => line.request.language === language));
  const whole = laterDays(turns);
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
    ageSeconds: ageOf(turns, until.getTime()),
    lost: lost.filter(({ request }) => request.language === language).length,
    turns: turns.map(({ date, dueMs, wholeMs }) => ({
      date,
      dueAt: new Date(dueMs).toISOString(),
      // Null where the day's texts were not whole before the next day.
      wholeAt: wholeMs === undefined ? null : new Date(Math.ceil(wholeMs)).toISOString(),
    })),
  };
}

/** All days but the first, which had begun before the first night. */
export function laterDays(turns: readonly Midnight[]): readonly Midnight[] {
  return turns.slice(1);
}

function leadOf(turns: readonly Midnight[]) {
  const leads = turns.flatMap(({ date, dueMs, wholeMs }) =>
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

/** Takes an edition for published at its midnight or, when its texts come later, then: run and turn lose minutes at most. */
function ageOf(turns: readonly Midnight[], untilMs: number) {
  const published = turns.flatMap(({ dueMs, wholeMs }) =>
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
