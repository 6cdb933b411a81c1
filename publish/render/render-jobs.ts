// Render jobs: the pages of a language that a step renders, their date, and a hash of all that they are rendered from.
//
// The date is the one of the clock, unless a later one is published already, or the clock says a date that no time source confirms:
// then the language stays at the date that is published.
import { createHash } from "node:crypto";
import { type PublishingOn, publishedSummary, datesAheadIn } from "../state/published-files.ts";
import type { Language } from "../../readings/tables.ts";
import { inParallel, type Store } from "../../store/store.ts";
import { readWithheld, type Withheld } from "../../vault/withheld.ts";
import type { Publishing } from "../state/publish-context.ts";
import { type RenderedDay, staleMonths } from "./leaving-paths.ts";
import type { DatedSet } from "./neighbour-pages.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import { liesAhead, utcMinute, localDate } from "../../readings/calendar.ts";
import { editionPrefixes } from "../../vault/editions.ts";
import { folders } from "../../vault/files.ts";

/** `date`: the local date that is today. */
export interface RenderJob extends RenderedDay {
  /** Whether its current pages are rendered, as by every publish. */
  readonly current: boolean;
  readonly sets: readonly DatedSet[];
  /** Months whose pages are rendered again (leaving-paths.ts). */
  readonly months?: readonly string[];
  readonly withheld: Withheld;
  /** Whether its sets stay as the site shows them, because the language was rolled back. */
  readonly keepsShown?: boolean;
  /** The mark of the decisions that its current pages are rendered with; absent where these stay as they are for another reason. */
  readonly decided?: string;
  /** A hash of all that it is rendered from (inputsOf); absent where that is not known. */
  readonly inputs?: string;
  /** Why its date stays, if that must be reported. */
  readonly fault?: string;
}

/** The local date, or the one that is published where that stays. */
export async function dateIn(language: Language, publishing: PublishingOn): Promise<string> {
  const { today, shown, stays } = await dayOf(language, publishing);
  return stays === undefined ? today : (shown ?? today);
}

const languagesAtOnce = 4;

export async function currentJobs(
  languages: readonly Language[],
  publishing: PublishingOn,
): Promise<RenderJob[]> {
  const withheld = await readWithheld(publishing.vault.own);
  return inParallel(languages, (one) => currentJob(one, publishing, withheld), languagesAtOnce);
}

/** The job of a language's current pages as of today. Where these stay as they are, a withdrawn text goes all the same. */
export async function currentJob(
  language: Language,
  publishing: PublishingOn,
  known?: Withheld,
): Promise<RenderJob> {
  const { vault, log } = publishing;
  const withheld = known ?? (await readWithheld(vault.own));
  const { today, shown, stays } = await dayOf(language, publishing);
  const job = { language, current: false, sets: [], withheld };
  const decided = await withheld.markOf(language);
  if (withheld.isEditionPinned(language, today)) {
    log.info({ language, date: today }, "language rolled back and pinned until tomorrow or `almanac render`");
    return { ...job, date: shown ?? today, keepsShown: true, decided };
  }
  if (stays !== undefined) {
    log.warn({ language, date: today, shown }, stays.reason);
    return { ...job, date: shown ?? today, fault: stays.isFault ? stays.reason : undefined };
  }
  const months = staleMonths(language, today, publishing).slice(0, 1);
  const inputs = months.length > 0 ? undefined : await inputsOf(language, today, withheld, publishing);
  return { ...job, date: today, current: true, months, removesExpired: "usual", decided, inputs };
}

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
  /** Whether that is an error, rather than a clock slightly behind another. */
  readonly isFault: boolean;
}

export async function dayOf(language: Language, publishing: PublishingOn): Promise<LanguageDay> {
  const { configuration, now, clockIsRight } = publishing;
  const at = now();
  const today = localDate(zoneOf(configuration, language), at);
  const shown = (await publishedSummary(publishing, language))?.date;
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

/** Reason why a date is not trusted; undefined if a time source confirms it, or if there is no time source. */
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

/**
 * To be called before the vault is read, so that a stored response that changes meanwhile does not match the hash. Undefined where the
 * hash can't be known.
 */
export async function inputsOf(
  language: Language,
  date: string,
  withheld: Withheld,
  { configuration, vault, fingerprint, workings, pictures }: Publishing,
): Promise<string | undefined> {
  if (workings === undefined) return undefined;
  const responses = editionPrefixes(language, date, configuration).map(
    (prefix) => folders.responses + prefix,
  );
  const copies = pictures === undefined ? [] : [folders.pictureNotes];
  const prefixes = [...responses, folders.superseded, ...copies];
  const listings = await inParallel(prefixes, (prefix) => listingOf(vault.store, prefix));
  const decided = [withheld.note, await withheld.markOf(language)];
  // Names and birth dates go to the service only: a page shows neither.
  const shown = { ...configuration, people: configuration.people.map(({ id }) => id) };
  const known = [language, date, workings, fingerprint, shown, decided, prefixes];
  const hash = createHash("sha256").update(JSON.stringify(known));
  for (const listing of listings) {
    if (listing === undefined) return undefined;
    hash.update(`\n\n${listing}`);
  }
  return hash.digest("hex");
}

/** Undefined if the store's listing does not show that a file was replaced. */
async function listingOf(store: Store, prefix: string): Promise<string | undefined> {
  const lines: string[] = [];
  for await (const { key, sizeBytes, tag } of store.list(prefix)) {
    if (tag === undefined) return undefined;
    lines.push(`${key} ${sizeBytes} ${tag}`);
  }
  return lines.join("\n");
}
