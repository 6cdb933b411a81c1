// Presses the languages of one step. First each is loaded and drafted (site/press.ts); in a run's last step also each language
// whose pages name too few translations. Then all paths are known, and each file is printed. Where a page goes that pages of
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
  const loaded = new Map<Language, LoadedLanguage>();
  const pressed = new Map(known.map((one) => [one.language, one]));
  const passedOver = new Set<Language>();
  /** A further language that can't be pressed holds up no other: its pages get their links with its next date. */
  const passOver = (language: Language, error: unknown): void => {
    if (languages.includes(language) || error instanceof StoreFailure) throw error;
    log.warn(
      { language, error: String(error) },
      "its pages could not be pressed with links to new translations",
    );
    passedOver.add(language);
  };
  const before = await currentPages(published, undefined);
  for (;;) {
    const pages = await currentPages(published, configuration, [...pressed.values(), ...loaded.values()]);
    const isStale = ({ language, alternates }: PressedLanguage) =>
      alternates !== alternatesHash(language, pages);
    const isOpen = (language: Language) =>
      !pressed.has(language) && !loaded.has(language) && !passedOver.has(language);
    const due = [...jobOf.keys()].filter(isOpen);
    due.push(...[...pressed.values()].filter(isStale).map(({ language }) => language));
    if (due.length === 0 && (last || isAnyGone(before, pages)))
      due.push(...(await namingOthers([...pages.keys()].filter(isOpen), pages, published)));
    for (const language of due) {
      pressed.delete(language);
      try {
        const job = jobOf.get(language) ?? (await currentJob(language, published, publishing));
        loaded.set(language, await loadLanguage(job, published, publishing));
      } catch (error) {
        passOver(language, error);
      }
    }
    if (due.length > 0) continue;
    const failed = passedOver.size;
    for (const [language, one] of loaded) {
      loaded.delete(language);
      try {
        pressed.set(language, await printLanguage(one, pages, published, publishing, puts));
      } catch (error) {
        passOver(language, error);
      }
    }
    if (passedOver.size === failed) return [...pressed.values()];
  }
}

/** The languages whose published pages name other translations than there are. */
async function namingOthers(
  languages: readonly Language[],
  pages: CurrentPages,
  published: PublishedSite,
): Promise<Language[]> {
  const found = await inParallel(languages, async (language) => {
    const summary = await publishedSummary(published, language);
    return summary === undefined || summary.alternates === alternatesHash(language, pages) ? [] : [language];
  });
  return found.flat();
}
