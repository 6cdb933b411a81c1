// The results of a rehearsal: its figures, those of the same nights without anything going wrong, and when to start. They are
// printed as a row per language, and an answer to each question that an operator has.
import { pacesOf } from "../../readings/plan-order.ts";
import { minuteOf } from "../../readings/calendar.ts";
import { counted, type Lines, sentence, styled, tableLines, figureOf } from "../terminal/output.ts";
import { durationWords } from "../terminal/progress.ts";
import {
  type Figures,
  type LanguageFigures,
  morningHour,
  rehearsalFiguresOf,
  type StartLead,
  startsFor,
  sum,
} from "../../insight/rehearsal-figures.ts";
import { rehearse } from "../../insight/rehearse.ts";
import type { Assumptions } from "../../insight/simulated-night.ts";

interface RehearsalSettings {
  readonly seed: number;
  /** The outages as they were typed. */
  readonly outages: readonly string[];
  readonly refused: readonly string[];
}

export type Rehearsal = Awaited<ReturnType<typeof rehearsalOf>>;

export async function rehearsalOf(wish: Assumptions, settings: RehearsalSettings) {
  const { configuration } = wish;
  const rehearsed = await rehearse(wish);
  const goesWrong = settings.outages.length + settings.refused.length > 0;
  const calm = goesWrong
    ? await rehearse({ ...wish, outages: [], refused: { languages: [], operations: [] } })
    : undefined;
  return {
    wish,
    settings,
    figures: rehearsalFiguresOf(rehearsed, configuration),
    /** Figures of the same nights without outages or refusals; undefined if there are none. */
    calm: calm && rehearsalFiguresOf(calm, configuration),
    starts: await startsFor(wish, rehearsed, calm ?? rehearsed),
  };
}

/** JSON document of a rehearsal: its figures, with the settings, the calm figures and the start times. */
export function documentOf({ wish, settings, figures, calm, starts }: Rehearsal) {
  const { languages, schedule, service } = wish.configuration;
  const paces = pacesOf(service, wish.latencyMs);
  const without = calm && {
    lost: calm.lost,
    languages: calm.languages.map(({ language, late, missed, overdueSeconds, lost }) => ({
      language,
      late,
      missed,
      overdueSeconds,
      lost,
    })),
  };
  return {
    settings: { ...settings, days: wish.days, languages, schedule, paces, callsPerDay: service.callsPerDay },
    ...figures,
    without,
    starts,
  };
}

export const languageHead = [
  "language",
  "midnight",
  "minimum lead",
  "late",
  "typical age",
  "maximum age",
  "lost",
  "calls",
] as const;

/** A row for each language, for the terminal and for the page. */
export function languageRows({ figures }: Rehearsal) {
  return figures.languages.map(
    ({ language, midnights, leadSeconds, late, days, ageSeconds, lost, calls }) =>
      [
        language,
        midnights.at(-1)?.dueAt.slice(11, 16) ?? "-",
        leadSeconds === null ? "-" : leadWords(leadSeconds.least),
        days === 0 ? "-" : late,
        ageWords(ageSeconds?.usual, days),
        ageWords(ageSeconds?.worst, days),
        lost,
        calls,
      ] as const,
  );
}

export function rehearsalLines(of: Rehearsal): Lines {
  return [
    sentence(headOf(of)),
    "",
    tableLines(languageHead, languageRows(of)),
    "",
    verdictsOf(of).map(({ question, isWell, answer }) => [
      styled("bold", question),
      sentence(answer, "  ").map((line) => (isWell ? line : styled("yellow", line))),
    ]),
  ];
}

export function headOf({ wish, settings, figures }: Rehearsal): string {
  const { languages, service } = wish.configuration;
  const rates = new Set(Object.values(service.ratePerSecond));
  const rate =
    rates.size === 1
      ? `${[...rates].join("")} calls per second to each endpoint`
      : "each endpoint at its own rate";
  const wrong = [
    ...settings.outages.map((outage) => `outage ${outage}${outage.includes("/") ? "" : " each day"}`),
    ...(settings.refused.length > 0 ? [`${settings.refused.join(", ")} rejected`] : []),
  ];
  const nights = counted(wish.days, "night");
  return [
    `${nights} from ${minuteOf(figures.from)}, in ${counted(languages.length, "language")}, starting with an empty vault`,
    rate,
    ...wrong,
    "all times in UTC",
  ].join("; ");
}

/** An age in words, also for a language that never had an edition or has no daily one. */
function ageWords(seconds: number | undefined, days: number): string {
  if (seconds === undefined) return days === 0 ? "-" : "never";
  return durationWords(seconds);
}

/** Negative if the edition was late. */
function leadWords(seconds: number) {
  return seconds < 0 ? `-${durationWords(-seconds)}` : durationWords(seconds);
}

/** One answer for each question that an operator has. */
export function verdictsOf(of: Rehearsal) {
  return [
    { question: "Is each edition ready before its readers' day begins?", ...inTime(of) },
    { question: "When must the nightly run start?", ...start(of) },
    { question: "Does each nightly run finish in time?", ...load(of) },
    ...cost(of),
    { question: "Which readings are lost?", ...lostForGood(of.figures) },
  ];
}

const well = (answer: string) => ({ isWell: true, answer });
const poor = (answer: string) => ({ isWell: false, answer });

function inTime({ figures }: Rehearsal) {
  const languages = figures.languages.filter(({ days }) => days > 0);
  const late = languages.filter((one) => one.late > 0);
  if (late.length > 0) {
    const morning = `${String(morningHour).padStart(2, "0")}:00 local time`;
    const past = sum(late.map(({ pastMorning }) => pastMorning));
    const when =
      past === 0 ? `always ready by ${morning}` : `${counted(past, "edition")} missing at ${morning}`;
    const first = late.every((one) => isLateAtFirst(one, figures))
      ? "; only at the start, while the vault fills"
      : "";
    const answer = `No: ${listed(late.toSorted(byOverdue).map(lateWords))}; ${when}${first}.`;
    return poor(answer);
  }
  const [nearest] = languages
    .flatMap(({ language, leadSeconds }) => (leadSeconds === null ? [] : [{ language, ...leadSeconds }]))
    .sort((one, other) => one.least - other.least);
  if (nearest === undefined) {
    return well("No edition has a deadline.");
  }
  const { language, least, leastOn } = nearest;
  const answer = `Yes: every edition was ready at least ${durationWords(least)} before its midnight (${language}, ${leastOn}).`;
  return well(answer);
}

/** Whether a language is late only at midnights before the second night. */
function isLateAtFirst({ midnights }: LanguageFigures, { nights }: Figures) {
  const second = nights[1]?.asOf;
  if (second === undefined) return false;
  return midnights
    .slice(1)
    .every(({ dueAt, wholeAt }) => dueAt < second || (wholeAt !== null && wholeAt <= dueAt));
}

function lateWords({ language, days, late, missed, overdueSeconds }: LanguageFigures) {
  if (missed === days) return `${language} had no edition at all`;
  const often = late === days ? "every day" : `on ${late} of ${days} days`;
  const none = missed === 0 ? "" : `, and was missing on ${missed}`;
  return `${language} was late ${often}, by up to ${durationWords(overdueSeconds)}${none}`;
}

function byOverdue(one: LanguageFigures, other: LanguageFigures) {
  return other.missed - one.missed || other.overdueSeconds - one.overdueSeconds;
}

function start({ wish, figures, starts, calm }: Rehearsal) {
  const { nightly } = wish.configuration.schedule;
  const { latest, safest } = starts;
  const better = safest?.at === nightly ? undefined : safest;
  if (figures.languages.every(({ days }) => days === 0)) {
    return well("At any time: no edition has a deadline.");
  }
  if (latest !== undefined) {
    const more =
      better === undefined ? "" : ` With ${better.at}, every edition would be ${readyWords(better.least)}.`;
    return well(`By ${latest} UTC. It now starts at ${nightly} (schedule.nightly).${more}`);
  }
  const isCalmWell = calm?.languages.every(({ late }) => late === 0) ?? false;
  const answer =
    better !== undefined
      ? `Change schedule.nightly from ${nightly} to ${better.at} (UTC). Every edition is then ${readyWords(better.least)}.`
      : isCalmWell
        ? `No start time makes up for the simulated faults. Without them, ${nightly} UTC is early enough.`
        : `${nightly} UTC is too late, and no other start time is early enough.`;
  return poor(answer);
}

function readyWords({ seconds, language }: StartLead) {
  return `ready at least ${durationWords(seconds)} before the next midnight in its time zone (shortest lead: ${language})`;
}

function load({ wish, figures }: Rehearsal) {
  const { nights, calls, seconds, skipped, changes, budgetLeft } = figures;
  const longest = nights.find((night) => night.seconds === seconds.longest);
  const { deadlineHours } = wish.configuration.schedule;
  const usual = `A typical run takes ${durationWords(seconds.usual)} and ${counted(calls.usual, "call")}.`;
  const most = `The longest (${longest?.asOf.slice(0, 10)}) takes ${durationWords(seconds.longest)} of its ${deadlineHours} h limit, and ${counted(longest?.calls ?? 0, "call")}.`;
  const budget =
    budgetLeft === undefined
      ? ""
      : ` At least ${counted(budgetLeft, "call")} remained below the daily ceiling.`;
  const problems = [
    [nights.filter(({ unfinished }) => unfinished > 0), "reached the deadline"] as const,
    [nights.filter(({ leftOut }) => leftOut > 0), "reached the daily ceiling"] as const,
    [skipped, "did not start, because the previous one was still running"] as const,
  ].flatMap(([all, did]) => (all.length === 0 ? [] : [`${counted(all.length, "night")} ${did}`]));
  const how = `${usual} ${most}${budget}`;
  if (problems.length === 0 && changes?.length === 0) return well(`Yes. ${how}`);
  const reasons = problems.length === 0 ? "some readings come too late" : problems.join(", ");
  return poor(`No: ${reasons}. ${how} ${advice(figures)}`);
}

function advice({ changes, unanswered }: Figures) {
  if (changes === null) return "No service setting is sufficient. Start the run earlier, or request less.";
  if (changes.length === 0) {
    return unanswered > 0
      ? "No setting helps, because the service was unavailable."
      : "Only minutes are missing: raise schedule.deadlineHours slightly.";
  }
  return `Next: raise ${changes.map(({ setting, from, to }) => `${setting} from ${from} to ${to}`).join(", ")}.`;
}

/** Cost of outages and refusals, compared with the same nights without them. */
function cost({ figures, calm }: Rehearsal) {
  if (calm === undefined) return [];
  const question = "What do the simulated faults cost?";
  const late = sum(figures.languages.map((one) => one.late)) - sum(calm.languages.map((one) => one.late));
  const gone = figures.lost - calm.lost;
  const more = figures.calls.total - calm.calls.total;
  const calls = more < 0 ? counted(-more, "fewer call") : counted(more, "additional call");
  const vain = figures.unanswered > 0 ? ` ${counted(figures.unanswered, "call")} got no response.` : "";
  const longest = Math.max(...figures.languages.map(({ overdueSeconds }) => overdueSeconds));
  const seen = [
    ...(late > 0 ? [`${counted(late, "additional late edition")}, by up to ${durationWords(longest)}`] : []),
    ...(gone > 0 ? [`${counted(gone, "reading")} lost permanently`] : []),
  ];
  const readers = seen.length === 0 ? "Nothing for readers" : seen.join(", ");
  const answer = `${readers}. ${calls}.${vain}`;
  return [{ question, isWell: seen.length === 0, answer }];
}

function lostForGood({ lost: total, languages }: Figures) {
  if (total === 0) return well("None.");
  const own = languages.filter((one) => one.lost > 0).toSorted((one, other) => other.lost - one.lost);
  const by = listed(own.map(({ language, lost: some }) => `${language} ${figureOf(some)}`));
  return poor(`${counted(total, "reading")}: ${by}.`);
}

const mostListed = 5;

function listed(all: readonly string[]) {
  const more = all.length - mostListed;
  return more > 1 ? `${all.slice(0, mostListed).join("; ")}; and ${more} more` : all.join("; ");
}
