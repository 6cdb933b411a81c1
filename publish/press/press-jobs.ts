// Which pages of a language a step presses, and as of which date.
import { type PublishedSite, publishedSummary } from "../state/published-files.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/languages.ts";
import { localDate } from "../../readings/zones.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { readWithheld, type Withheld } from "../../vault/withheld.ts";
import type { Publishing } from "../state/publishing-place.ts";
import { inputsOf } from "./press-inputs.ts";
import type { DatedSheet } from "./neighbour-pages.ts";

export interface PressJob {
  readonly language: Language;
  /** The local date that is today. */
  readonly date: string;
  /** Whether its current pages are pressed, as by every publish. */
  readonly current: boolean;
  readonly sheets: readonly DatedSheet[];
  readonly withheld: Withheld;
  /** A hash of all that it is pressed from (press-inputs.ts); absent where that is not known. */
  readonly inputs?: string;
}

/** The local date, or the one that is published where a clock is behind it. */
export async function dateIn(
  language: Language,
  published: PublishedSite,
  { configuration, now }: Publishing,
): Promise<string> {
  const date = localDate(zoneOf(configuration, language), now());
  const shown = (await publishedSummary(published, language))?.date;
  return shown !== undefined && shown > date ? shown : date;
}

const languagesAtOnce = 4;

export function currentJobs(
  languages: readonly Language[],
  published: PublishedSite,
  publishing: Publishing,
): Promise<PressJob[]> {
  return inParallel(languages, (one) => currentJob(one, published, publishing), languagesAtOnce);
}

/** The job of a language's current pages as of today. Where these stay as they are, a withdrawn text goes all the same. */
export async function currentJob(
  language: Language,
  published: PublishedSite,
  publishing: Publishing,
): Promise<PressJob> {
  const { configuration, vault, log, now } = publishing;
  const today = localDate(zoneOf(configuration, language), now());
  const withheld = await readWithheld(vault.store);
  const shown = (await publishedSummary(published, language))?.date;
  const isHeld = withheld.holdsEdition(language, today);
  const isLate = shown !== undefined && shown > today;
  if (isHeld) {
    log.info(
      { language, date: today },
      "was rolled back and stays as it is until tomorrow or `almanac press`",
    );
  } else if (isLate) {
    log.warn(
      { language, date: today, shown },
      "a later date is published already: is this machine's clock right?",
    );
  }
  if (isHeld || isLate) return { language, date: shown ?? today, current: false, sheets: [], withheld };
  const inputs = await inputsOf(language, today, withheld, publishing);
  return { language, date: today, current: true, sheets: [], withheld, inputs };
}
