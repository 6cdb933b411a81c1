// Presses the languages of one step, one at a time. The pages of each name the same pages of all others, so that it is known
// first which pages there will be: of a language that the site has, those that it has; of a new one, those of its drafts
// (site/press.ts). Where that was wrong, the languages that name such a page are pressed again. Where a page goes that pages of
// other languages may name, those languages are pressed in the same step, because no link may lead to a page that is gone.
// publish/publish.ts has the files next.
import { type PublishedSite, publishedSummary } from "../state/published-files.ts";
import type { Language } from "../../readings/languages.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { StoreFailure } from "../../store/store.ts";
import type { Publishing } from "../state/publishing-place.ts";
import type { Puts } from "../state/puts.ts";
import { alternatesHash, currentPages, isAnyGone, type CurrentPages } from "./alternates.ts";
import { currentJob, type PressJob } from "./press-jobs.ts";
import { type LoadedLanguage, loadLanguage } from "./loading.ts";
import { type PressedLanguage, printLanguage } from "./printing.ts";

interface PressStep {
  readonly languages: readonly Language[];
  /** The jobs of the languages that are not in `known`. */
  readonly jobs: readonly PressJob[];
  /** Languages that were pressed on an earlier base and still are right. */
  readonly known?: readonly PressedLanguage[];
  /** Whether no later step of the run would press the other languages. */
  readonly last: boolean;
}

export async function pressAll(
  { languages, jobs, known = [], last }: PressStep,
  published: PublishedSite,
  publishing: Publishing,
  puts: Puts,
): Promise<PressedLanguage[]> {
  const { configuration, log } = publishing;
  const jobOf = new Map(jobs.map((job) => [job.language, job]));
  const pressed = new Map(known.map((one) => [one.language, one]));
  const passedOver = new Set<Language>();
  const isOpen = (language: Language) => !pressed.has(language) && !passedOver.has(language);
  const before = await currentPages(published, undefined);
  const isNew = ({ language }: PressJob) => jobs.length > 1 && isOpen(language) && !before.has(language);
  const ready = new Map<Language, LoadedLanguage>();
  const expected = await inParallel(
    jobs.filter(isNew),
    (job) => broughtBy(job, published, publishing, ready),
    1,
  );
  for (;;) {
    const pages = await currentPages(published, configuration, [...expected, ...pressed.values()]);
    const due = [...jobOf.keys()].filter(isOpen);
    for (const { language, alternates } of pressed.values())
      if (alternates !== alternatesHash(language, pages)) due.push(language);
    if (due.length === 0 && (last || isAnyGone(before, pages)))
      due.push(...(await namingOthers([...pages.keys()].filter(isOpen), pages, published)));
    if (due.length === 0) return [...pressed.values()];
    for (const language of due) {
      pressed.delete(language);
      try {
        const job = jobOf.get(language) ?? (await currentJob(language, published, publishing));
        const loaded = ready.get(language) ?? (await loadLanguage(job, published, publishing));
        ready.delete(language);
        pressed.set(language, await printLanguage(loaded, pages, published, publishing, puts));
      } catch (error) {
        // A further language that can't be pressed holds up no other: its pages get their links with its next date.
        if (languages.includes(language) || error instanceof StoreFailure) throw error;
        const facts = { language, error: String(error) };
        log.warn(facts, "its pages could not be pressed with links to new translations");
        passedOver.add(language);
      }
    }
  }
}

/** So many drafts, with the readings that they are made from, take some eight megabytes. */
const mostDraftsReady = 3_000;

/** The files that a new language brings, by their paths alone; what was loaded stays `ready` as far as there is room. */
async function broughtBy(
  job: PressJob,
  published: PublishedSite,
  publishing: Publishing,
  ready: Map<Language, LoadedLanguage>,
) {
  const loaded = await loadLanguage(job, published, publishing);
  const { language, files } = loaded;
  const drafts = [...ready.values()].reduce((sum, one) => sum + one.files.length, files.length);
  if (drafts <= mostDraftsReady) ready.set(language, loaded);
  return { language, files: files.map(({ path, at }) => ({ path, at })), leaves: [] };
}

/** The languages whose published pages name other translations than there are. */
async function namingOthers(languages: readonly Language[], pages: CurrentPages, published: PublishedSite) {
  const found = await inParallel(languages, async (language) => {
    const summary = await publishedSummary(published, language);
    return summary === undefined || summary.alternates === alternatesHash(language, pages) ? [] : [language];
  });
  return found.flat();
}
