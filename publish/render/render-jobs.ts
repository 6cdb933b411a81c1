// Render jobs: the pages of a language that a step renders, and their date.
import type { PublishedSite } from "../state/published-files.ts";
import type { Language } from "../../readings/languages.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { readWithheld, type Withheld } from "../../vault/withheld.ts";
import type { Publishing } from "../state/publish-context.ts";
import { dayOf } from "./language-day.ts";
import { inputsOf } from "./render-inputs.ts";
import type { DatedSet } from "./neighbour-pages.ts";

export interface RenderJob {
  readonly language: Language;
  /** The local date that is today. */
  readonly date: string;
  /** Whether its current pages are rendered, as by every publish. */
  readonly current: boolean;
  readonly sets: readonly DatedSet[];
  readonly withheld: Withheld;
  /** Whether its sets stay as the site shows them, because the language was rolled back. */
  readonly keepsShown?: boolean;
  /** A hash of all that it is rendered from (render-inputs.ts); absent where that is not known. */
  readonly inputs?: string;
  /** Why its date stays, if that must be reported. */
  readonly fault?: string;
}

/** The local date, or the one that is published where that stays. */
export async function dateIn(
  language: Language,
  published: PublishedSite,
  publishing: Publishing,
): Promise<string> {
  const { today, shown, stays } = await dayOf(language, published, publishing);
  return stays === undefined ? today : (shown ?? today);
}

const languagesAtOnce = 4;

export function currentJobs(
  languages: readonly Language[],
  published: PublishedSite,
  publishing: Publishing,
): Promise<RenderJob[]> {
  return inParallel(languages, (one) => currentJob(one, published, publishing), languagesAtOnce);
}

/** The job of a language's current pages as of today. Where these stay as they are, a withdrawn text goes all the same. */
export async function currentJob(
  language: Language,
  published: PublishedSite,
  publishing: Publishing,
): Promise<RenderJob> {
  const { vault, log } = publishing;
  const { today, shown, stays } = await dayOf(language, published, publishing);
  const withheld = await readWithheld(vault.own);
  const job = { language, current: false, sets: [], withheld };
  if (withheld.isEditionPinned(language, today)) {
    log.info({ language, date: today }, "language rolled back and pinned until tomorrow or `almanac render`");
    return { ...job, date: shown ?? today, keepsShown: true };
  }
  if (stays !== undefined) {
    log.warn({ language, date: today, shown }, stays.reason);
    return { ...job, date: shown ?? today, fault: stays.isFault ? stays.reason : undefined };
  }
  const inputs = await inputsOf(language, today, withheld, publishing);
  return { ...job, date: today, current: true, inputs };
}
