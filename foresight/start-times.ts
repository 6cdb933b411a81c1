// When the nightly run has to start: the latest start with which every edition is there in time, and the start that leaves
// most time. Both are worked out from the rehearsed nights and then tried in a rehearsal of their own.
import type { Language } from "../readings/languages.ts";
import { laterDays } from "./rehearsal-figures.ts";
import { rehearse, type Rehearsed } from "./rehearse.ts";
import type { Midnight } from "./midnights.ts";
import { nextOutage, type Assumptions } from "./assumptions.ts";

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
/** A start that was worked out from all nights is tried on so many. */
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
  for (const [language, own] of rehearsed.turns) {
    if (own.every(({ wholeMs }) => wholeMs === undefined)) continue;
    for (const { date, dueMs, wholeMs } of settledDays(own, rehearsed)) {
      const seconds = Math.floor((dueMs - (wholeMs ?? Infinity)) / 1000);
      if (least === undefined || seconds < least.seconds) least = { language, date, seconds };
    }
  }
  return least;
}

/** The days after the first night, which fills the vault and may take long. */
function settledDays(turns: readonly Midnight[], { from, nights }: Rehearsed) {
  if (nights.length === 1) return laterDays(turns);
  return turns.filter(({ dueMs }) => dueMs >= from.getTime() + dayMinutes * minuteMs);
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
  const languages = [...calm.turns.values()].flatMap((turns) => {
    const takesMs = longestMs(turns, calm);
    return takesMs === undefined ? [] : [{ takesMs, dues: laterDays(turns).map(({ dueMs }) => dueMs) }];
  });
  let best: { readonly minute: number; readonly leadMs: number } | undefined;
  for (let minute = firstMinute; minute < dayMinutes; minute += everyMinutes) {
    const leadMs = Math.min(...languages.map((language) => leadAt(minute, language, wish, calm)));
    if (Number.isFinite(leadMs) && (best === undefined || leadMs > best.leadMs)) best = { minute, leadMs };
  }
  return best === undefined || best.leadMs < 0 ? undefined : best.minute;
}

function longestMs(turns: readonly Midnight[], rehearsed: Rehearsed) {
  const all = settledDays(turns, rehearsed).flatMap(({ wholeMs }) => {
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
  const within = minute % dayMinutes;
  const two = (figure: number) => String(figure).padStart(2, "0");
  return `${two(Math.floor(within / 60))}:${two(within % 60)}`;
}
