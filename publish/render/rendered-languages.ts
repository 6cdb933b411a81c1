// Renders the languages of one step, one at a time, and creates the next state from them. site/render.ts makes the files.
// publish/publish.ts, archive.ts and withdraw.ts propose the state.
//
// The pages of each language link to the same pages in all other languages, so the future pages must be known first: for a
// published language these are its current pages, for a new one the pages of its sets in the vault. If this expectation was wrong,
// the languages that link to such a page are rendered again. If a page is removed that other languages may link to, those languages
// are rendered in the same step, because no link may lead to a removed page.
//
// A worker should not hold a night of all languages at once. New objects are put as soon as they are rendered, and a language's
// list of files is dropped once its parts of the next state are made.
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import {
  type PublishStep,
  putMissing,
  manifestPut,
  type StoredFile,
  merge,
  type NextState,
} from "./merged-state.ts";
import type { PublishingOn, PublishedSite } from "../state/published-files.ts";
import type { Language } from "../../readings/tables.ts";
import { currentPagesOf, pathOf, groupAt, groupNamed, parsePath } from "../../site/paths.ts";
import { inParallel, StoreFailure, letGo } from "../../store/store.ts";
import { heldEdition } from "../../vault/editions.ts";
import type { Publishing } from "../state/publish-context.ts";
import {
  alternatesHash,
  currentPages,
  isAnyGone,
  type CurrentPages,
  alternatesOf,
  type PagePaths,
  publishedPages,
} from "./alternates.ts";
import { currentJob, type RenderJob } from "./render-jobs.ts";
import { loadLanguage, type LanguageFacts, type LoadedLanguage } from "./loading.ts";
import { Context, renderDraft } from "../../site/context.ts";
import { documents, type LanguageDocument } from "../../site/data.schema.ts";
import { indexPolicy } from "../../site/index-policy.ts";
import { siteSettingsOf } from "../../site/edition.ts";
import { parseJson } from "../../vault/files.ts";
import { objectHeaders } from "../state/headers.ts";
import { entryOf, objectPath } from "../state/state.ts";
import { type Summaries, newestOf, sitemapsWith, sharedWith } from "./sitemaps.ts";
import { tree } from "../../site/tree.ts";
import { languageGroup } from "../state/parts.ts";
import type { Manifest } from "../../site/manifest.schema.ts";
import { leaving, warnAboutLeft } from "./leaving-paths.ts";
import { pictureFiles } from "./own-pictures.ts";

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
  publishing: PublishStep,
): Promise<MergedLanguage[]> {
  const { log } = publishing;
  const jobOf = new Map(jobs.map((job) => [job.language, job]));
  const rendered = new Map(known.map((one) => [one.language, one]));
  const passedOver = new Set<Language>();
  const isOpen = (language: Language) => !rendered.has(language) && !passedOver.has(language);
  const published = await publishedPages(publishing);
  const before = currentPages(published, undefined);
  const isNew = ({ language }: RenderJob) => jobs.length > 1 && isOpen(language) && !before.has(language);
  let expected = await inParallel(jobs.filter(isNew), (job) => broughtBy(job, publishing));
  for (;;) {
    const pages = currentPages(published, publishing, [...expected, ...rendered.values()]);
    expected = []; // each is rendered now, or will not have them
    const due = [...jobOf.keys()].filter(isOpen);
    for (const { language, alternates } of rendered.values())
      if (alternates !== alternatesHash(language, pages)) due.push(language);
    if (due.length === 0 && (last || isAnyGone(before, pages)))
      due.push(...namingOthers([...pages.keys()].filter(isOpen), pages, publishing));
    if (due.length === 0) return [...rendered.values()];
    for (const language of due) {
      rendered.delete(language);
      try {
        const job = jobOf.get(language) ?? (await currentJob(language, publishing, jobs[0]?.withheld));
        const loaded = await loadLanguage(job, publishing);
        const put = await renderAndPut(loaded, pages, publishing);
        rendered.set(language, await mergeLanguage(put, publishing));
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
  const all = [...currentPagesOf(language, requests), ...paths];
  const isListed = (path: string) => {
    const at = parsePath(path);
    return at !== undefined && indexPolicy({ at, date }, configuration.indexing) === "listed";
  };
  return { language, pages: new Map(all.map((path) => [path, isListed(path)])), leaves: [] };
}

/** The languages whose published pages name other translations than there are. */
function namingOthers(languages: readonly Language[], pages: CurrentPages, { manifest }: PublishedSite) {
  const { dependencies = {} } = manifest ?? {};
  return languages.filter((language) => dependencies[language] !== alternatesHash(language, pages));
}

export interface RenderedLanguage extends LanguageFacts {
  /** A hash of the translations that the language's pages name. */
  readonly alternates: string | undefined;
  readonly files: readonly StoredFile[];
  /** The language's summary, where its data file is among the files. */
  readonly summary: LanguageDocument | undefined;
}

export async function renderAndPut(
  { home, linked, files: drafts, ...facts }: LoadedLanguage,
  pages: CurrentPages,
  publishing: PublishStep,
): Promise<RenderedLanguage> {
  const { configuration, theme, site, puts } = publishing;
  const alternates = alternatesOf(facts.language, pages);
  const context = new Context(home, siteSettingsOf(configuration, theme), linked, alternates);
  const there = await objectsIn(new Set(drafts.map(({ at }) => groupAt(at))), publishing);
  let summary: LanguageDocument | undefined;
  // While some files are put, the next are rendered.
  const render = async (draft: (typeof drafts)[number]): Promise<StoredFile> => {
    await yieldToEventLoop();
    const { path, at, bytes, type, shownFrom, isListed } = renderDraft(draft, context);
    if (at.row === "languageIndex") summary = parseJson(path, bytes, documents.language);
    const entry = entryOf(bytes, type);
    const key = objectPath(entry.object, path);
    if (!there.has(key)) await putMissing(site, [{ key, bytes, headers: objectHeaders(type) }], puts);
    if (!puts.held.has(key)) letGo(bytes);
    return { path, at, entry, shownFrom, isListed };
  };
  const files = await inParallel(drafts, render, site.writesAtOnce);
  return { ...facts, alternates: alternatesHash(facts.language, pages), files, summary };
}

/** An object that the base lists is there; any other one is put, even if an old copy may be there. */
async function objectsIn(groups: ReadonlySet<string>, { manifest, reader }: PublishedSite) {
  const files = await Promise.all([...groups].map((group) => reader.files(manifest, group)));
  return new Set(
    files.flatMap((group) => Object.entries(group)).map(([path, { object }]) => objectPath(object, path)),
  );
}

/** The summaries of the languages that are rendered whole. */
export function summariesOf(rendered: readonly Pick<RenderedLanguage, "summary">[]): Summaries {
  const summaries = rendered.flatMap(({ summary }) => (summary === undefined ? [] : [summary]));
  return new Map(summaries.map((summary) => [summary.language, summary]));
}

export interface MergedLanguage extends Omit<RenderedLanguage, "files"> {
  /** The number of its rendered files, without its sitemaps. */
  readonly fileCount: number;
  /** The groups of paths that they are in. */
  readonly groups: ReadonlySet<string>;
  /** Those that are current pages. */
  readonly pages: PagePaths;
  /** Its new sitemaps, each with the time of the newest change in it. */
  readonly sitemaps: ReadonlyMap<string, string | undefined>;
  /** This language's parts of the next state. */
  readonly parts: Manifest["parts"];
  /** The number of changed paths of the base. */
  readonly changed: number;
}

/** Makes the language's sitemaps, and its parts of the next state, and puts them. */
async function mergeLanguage(
  { files, leaves: own, ...facts }: RenderedLanguage,
  publishing: PublishStep,
): Promise<MergedLanguage> {
  const { language } = facts;
  const { reader } = publishing;
  const rendered = { files, leaves: own, summaries: summariesOf([facts]) };
  const { files: sitemaps, leaves } = await sitemapsWith(publishing, rendered);
  const merged = await merge(publishing.manifest, [...files, ...sitemaps], leaves, reader);
  const news = [...merged.newObjects, ...merged.newParts.map(manifestPut)];
  await putMissing(publishing.site, news, publishing.puts);
  // On a bucket a read is a request: there the reader keeps them.
  if (publishing.site.holdsBytes === 0) reader.letGo(merged.newParts);
  const current = groupNamed(language);
  const pages = files.filter(({ at }) => groupAt(at) === current && tree[at.row].isListed);
  return {
    ...facts,
    parts: partsOfLanguages(merged, (one) => one === language),
    changed: merged.changed,
    fileCount: files.length,
    groups: new Set(files.map(({ at }) => groupAt(at))),
    pages: new Map(pages.map(({ path, isListed }) => [path, isListed === true])),
    leaves,
    sitemaps: newestOf(sitemaps),
  };
}

/** The parts of a state whose language is a wanted one; those of none are of the language `undefined`. */
export function partsOfLanguages(
  state: Pick<Manifest, "parts"> | undefined,
  isWanted: (language: string | undefined) => boolean,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(state?.parts ?? {}).filter(([part]) => isWanted(languageGroup(part)?.language)),
  );
}

/** If no language was rendered, all files stay, the shared ones too. */
export async function nextState(
  rendered: readonly MergedLanguage[],
  publishing: PublishingOn,
  evenMany = false,
): Promise<NextState & { readonly left: number }> {
  const { manifest, reader } = publishing;
  const expiredLeft = rendered.reduce((sum, one) => sum + one.expiredLeft, 0);
  if (expiredLeft > 0) warnAboutLeft(expiredLeft, publishing);
  const groups = new Set(rendered.flatMap((one) => [...one.groups]));
  const dropped = await leaving(groups, publishing, evenMany);
  const leaves = [...dropped.paths, ...rendered.flatMap((one) => one.leaves)];
  if (groups.size + leaves.length === 0 && manifest !== undefined) {
    return {
      parts: manifest.parts,
      newParts: [],
      newObjects: [],
      changed: 0,
      left: dropped.left + expiredLeft,
    };
  }
  const sitemaps = new Map(rendered.flatMap((one) => [...one.sitemaps]));
  const news = { groups, sitemaps, leaves, summaries: summariesOf(rendered) };
  const shared = await sharedWith(publishing, news, publishing.now());
  const languages = new Set<string | undefined>(rendered.map(({ language }) => language));
  const others = partsOfLanguages(manifest, (language) => !languages.has(language));
  const own = { parts: Object.assign(others, ...rendered.map(({ parts }) => parts)) };
  const files = [...shared, ...(await pictureFiles(rendered, publishing))];
  const merged = await merge(own, files, dropped.paths, reader);
  return {
    ...merged,
    changed: rendered.reduce((sum, { changed }) => sum + changed, merged.changed),
    dependencies: dependenciesAfter(manifest, rendered, merged.parts),
    left: dropped.left + expiredLeft,
  };
}

/** The translations that pages name, and the decisions on months: of rendered languages and months now, of the others as before. */
export function dependenciesAfter(
  before: Manifest | undefined,
  rendered: readonly Pick<RenderedLanguage, "language" | "alternates" | "summary" | "decisions">[],
  parts: Manifest["parts"],
): Manifest["dependencies"] {
  const all = new Map(Object.entries(before?.dependencies ?? {}));
  for (const { language, alternates, summary, decisions } of rendered) {
    for (const [group, hash] of decisions) all.set(group, hash);
    if (summary === undefined) continue;
    if (alternates === undefined) all.delete(language);
    else all.set(language, alternates);
  }
  const isThere = (group: string) => languageGroup(group)?.month === undefined || parts[group] !== undefined;
  return Object.fromEntries([...all].filter(([group]) => isThere(group)));
}
