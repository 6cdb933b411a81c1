// Renders the languages of one step, one at a time. The pages of each name the same pages of all others, so that it is known
// first which pages there will be: of a language that the site has, those that it has; of a new one, those of what the vault
// holds for it. The drafts come from site/render.ts. Where the expected pages were wrong, the languages that name such a page
// are rendered again. Where a page goes that pages of other languages may name, those languages are rendered in the same step,
// because no link may lead to a page that is gone. publish/publish.ts has the files next.
import type { PublishedSite } from "../state/published-files.ts";
import type { Language } from "../../readings/languages.ts";
import { currentPagesOf, pathOf } from "../../site/paths.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { StoreFailure } from "../../store/store.ts";
import { heldEdition } from "../../vault/editions.ts";
import type { Publishing } from "../state/publish-context.ts";
import type { Puts } from "../state/puts.ts";
import { alternatesHash, currentPages, isAnyGone, type CurrentPages } from "./alternates.ts";
import { currentJob, type RenderJob } from "./render-jobs.ts";
import { loadLanguage } from "./loading.ts";
import { mergeLanguage, type MergedLanguage } from "./merged-language.ts";
import { renderAndPut } from "./render-and-put.ts";

interface RenderStep {
  readonly languages: readonly Language[];
  /** The jobs of the languages that are not in `known`. */
  readonly jobs: readonly RenderJob[];
  /** Unchanged languages (unchanged-languages.ts). */
  readonly known?: readonly MergedLanguage[];
  /** Whether no later step of the run would render the other languages. */
  readonly last: boolean;
}

export async function renderAll(
  { languages, jobs, known = [], last }: RenderStep,
  published: PublishedSite,
  publishing: Publishing,
  puts: Puts,
): Promise<MergedLanguage[]> {
  const { log } = publishing;
  const jobOf = new Map(jobs.map((job) => [job.language, job]));
  const rendered = new Map(known.map((one) => [one.language, one]));
  const passedOver = new Set<Language>();
  const isOpen = (language: Language) => !rendered.has(language) && !passedOver.has(language);
  const before = await currentPages(published, undefined);
  const isNew = ({ language }: RenderJob) => jobs.length > 1 && isOpen(language) && !before.has(language);
  let expected = await inParallel(jobs.filter(isNew), (job) => broughtBy(job, publishing));
  for (;;) {
    const pages = await currentPages(published, publishing, [...expected, ...rendered.values()]);
    expected = []; // each is rendered now, or will not have them
    const due = [...jobOf.keys()].filter(isOpen);
    for (const { language, alternates } of rendered.values())
      if (alternates !== alternatesHash(language, pages)) due.push(language);
    if (due.length === 0 && (last || isAnyGone(before, pages)))
      due.push(...namingOthers([...pages.keys()].filter(isOpen), pages, published));
    if (due.length === 0) return [...rendered.values()];
    for (const language of due) {
      rendered.delete(language);
      try {
        const job = jobOf.get(language) ?? (await currentJob(language, published, publishing));
        const loaded = await loadLanguage(job, published, publishing);
        const put = await renderAndPut(loaded, pages, published, publishing, puts);
        rendered.set(language, await mergeLanguage(put, published, publishing, puts));
      } catch (error) {
        // A further language that can't be rendered holds up no other: its pages get their links with its next date.
        if (languages.includes(language) || error instanceof StoreFailure) throw error;
        const facts = { language, error: String(error) };
        log.warn(facts, "cannot render its pages with links to new translations");
        passedOver.add(language);
      }
    }
  }
}

/** The pages that a new language will most likely have, by the names of what the vault holds: none of it is read for that. */
async function broughtBy({ language, date }: RenderJob, { configuration, theme, vault }: Publishing) {
  const requests = await heldEdition(language, date, { configuration, vault });
  const own = requests.length === 0 ? [] : (theme?.pages ?? []);
  const paths = own.filter(({ at }) => at.language === language).map(({ at }) => pathOf(at));
  if (requests.length > 0 && configuration.site.accessibility !== undefined)
    paths.push(pathOf({ row: "accessibilityPage", language }));
  return { language, pages: [...currentPagesOf(language, requests), ...paths], leaves: [] };
}

/** The languages whose published pages name other translations than there are. */
function namingOthers(languages: readonly Language[], pages: CurrentPages, { manifest }: PublishedSite) {
  const { alternates = {} } = manifest ?? {};
  return languages.filter((language) => alternates[language] !== alternatesHash(language, pages));
}
