// The day of a language: the local date that a publish renders. It is the one of the clock, unless a later one is published
// already, or the clock says a date that no time source confirms: then the language stays at the date that is published.
import { zoneOf } from "../../readings/catalogue.ts";
import { liesAhead, utcMinute, localDate } from "../../readings/calendar.ts";
import type { Language } from "../../readings/languages.ts";
import { datesAheadIn } from "../state/dates-ahead.ts";
import { type PublishedSite, publishedSummary } from "../state/published-files.ts";
import type { Publishing } from "../state/publish-context.ts";

interface LanguageDay {
  /** The local date by the clock. */
  readonly today: string;
  /** The date that is published. */
  readonly shown: string | undefined;
  /** Why it stays at the date that is published. */
  readonly stays?: StayingDate;
}

interface StayingDate {
  readonly reason: string;
  /** Whether that is a fault, and no clock that is a little behind another. */
  readonly isFault: boolean;
}

export async function dayOf(
  language: Language,
  published: PublishedSite,
  publishing: Publishing,
): Promise<LanguageDay> {
  const { configuration, now, clockIsRight } = publishing;
  const at = now();
  const today = localDate(zoneOf(configuration, language), at);
  const shown = (await publishedSummary(published, language))?.date;
  const day = { today, shown };
  if (clockIsRight === true || shown === today) return day;
  if (shown === undefined || shown < today) {
    const reason = await doubtOf(language, today, publishing);
    return reason === undefined ? day : { ...day, stays: { reason, isFault: true } };
  }
  const ahead = datesAheadIn(new Map([[language, shown]]), configuration, at);
  const reason =
    ahead === undefined
      ? "a later date is already published. Check this machine's clock"
      : `${ahead.seen}; ${ahead.remedy}`;
  return { ...day, stays: { reason, isFault: ahead !== undefined } };
}

/** Why a date is not believed; undefined where a time source confirms it, and where there is none. */
async function doubtOf(
  language: Language,
  date: string,
  publishing: Publishing,
): Promise<string | undefined> {
  const { configuration, vault, timeSource, requestTime, now } = publishing;
  const zone = zoneOf(configuration, language);
  let known = await timeSource?.newest(vault.store);
  if (known !== undefined && !liesAhead(date, zone, known.at)) return undefined;
  if ((await requestTime?.()) === true) known = await timeSource?.newest(vault.store);
  if (known === undefined || !liesAhead(date, zone, known.at)) return undefined;
  const [said, says] = [known.at, now()].map(utcMinute);
  return `${language} is not published: this machine's clock (${says}) shows ${date} there, but the newest time from another server is ${said} (${known.of}). Set the clock. If it is right, run \`almanac render --clock-is-right --languages ${language}\` once`;
}
