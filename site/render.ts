// Turns readings into files as a pure function: the same readings give the same bytes, on any machine, in any order, at any time.
// Readings come from publish/render/loading.ts. Pages are made in the *-page.ts files, data in data.ts;
// publish/render/rendered-languages.ts takes the files.
import { languageNames, isOfCards } from "../readings/tables.ts";
import { type LanguageDocument, shapeNames } from "./data.schema.ts";
import { languageSummary, renderData, renderIndex, renderSchema, timesOf } from "./data.ts";
import { type Draft, pathsOf, renderDrafts, Context } from "./context.ts";
import type { LanguageEdition, RenderedFile, SiteSettings } from "./edition.ts";
import { feedDrafts } from "./feed.ts";
import { indexPolicy } from "./index-policy.ts";
import { renderOpenApi } from "./open-api.ts";
import { archiveDrafts, archiveStart } from "./pages/archive-page.ts";
import { deckDrafts } from "./pages/deck-pages.ts";
import { pageDraft } from "./pages/document.ts";
import { icon } from "./pages/drawings.ts";
import { cardsPage, frontPage } from "./pages/front-page.ts";
import { languagePictures, withoutLanguage, wordlessPictures } from "./pages/head.ts";
import { pairsDrafts } from "./pages/pair-pages.ts";
import { plainDrafts, plainSharedDrafts } from "./pages/plain-pages.ts";
import { endedDrafts } from "./pages/sign-page.ts";
import { fixedPaths, pathOf } from "./paths.ts";
import {
  client,
  faviconDrafts,
  indexNowDrafts,
  securityDrafts,
  webManifestDraft,
  renderSitemap,
} from "./root-files.ts";
import { draftsOfSet } from "./set-drafts.ts";
import { type Expected, statusDrafts, statusesOf, wordsOf } from "./language-files.ts";

/** The drafts of a language: every path is known, and nothing is rendered yet. */
export interface LanguageDrafts {
  readonly files: readonly (Draft & Pick<RenderedFile, "path">)[];
  /** The paths that the language's pages may lead to. */
  readonly linked: ReadonlySet<string>;
}

/** `others` are the paths that are also on the site and stay: pages lead to them too. */
export function draftLanguage(edition: LanguageEdition, others: Iterable<string>): LanguageDrafts {
  const { language, sets, decks = [], months = [], ended = [], pastAlone } = edition;
  const drafts = [
    ...sets.flatMap((set) => {
      const own = draftsOfSet(language, set, sets);
      return set.pagesAlone === true ? own.filter(({ at }) => at.row === "datedPage") : own;
    }),
    ...archiveDrafts(language, months),
    ...deckDrafts(language, decks),
    ...(pastAlone === true ? [] : frontDrafts(edition)),
  ];
  // No page that is rendered now links to ended operations.
  const linked = new Set([...pathsOf(drafts), ...others, ...fixedPaths]);
  const all = [...drafts, ...endedDrafts(language, ended)];
  pathsOf(all);
  const files = all.map(({ at, render, shownFrom, facts }) => {
    return { path: pathOf(at), at, render, shownFrom, facts };
  });
  return { files, linked };
}

/** The drafts of pages that show several sets at once. */
function frontDrafts(edition: LanguageEdition): Draft[] {
  const { language, sets, months = [], waiting } = edition;
  const currentSets = sets.filter((set) => set.current);
  const current = currentSets.flatMap((set) => set.readings);
  const readings = current.map(({ reading }) => reading);
  const drawn = current.filter(({ reading }) => isOfCards(reading.operation));
  const daily = sets.find((set) => set.current && set.operation === "daily-horoscope");
  const newestMonth = months
    .map(({ month }) => month)
    .toSorted()
    .at(-1);
  return [
    pageDraft(
      { row: "frontPage", language },
      (context) => frontPage(context, currentSets),
      timesOf(current),
      readings,
    ),
    pageDraft(
      { row: "cardsPage", language },
      (context) => cardsPage(context, readings),
      timesOf(drawn),
      readings,
    ),
    pageDraft({ row: "archiveStart", language }, (context) => archiveStart(context, newestMonth)),
    ...plainDrafts(edition, daily?.period),
    {
      at: { row: "languageIndex", language },
      render: (context) => renderData(context, "language", { ...languageSummary(context, sets), waiting }),
    },
    {
      at: { row: "words", language },
      render: (context) => renderData(context, "words", wordsOf(context, sets)),
    },
    ...languagePictures(language),
    webManifestDraft({ row: "languageManifest", language }, language),
    ...pairsDrafts(language, current),
    ...feedDrafts(language, sets),
  ];
}

/** The time at which readers first see the newest text of all languages; undefined if there is none. */
function newestOf(languages: readonly LanguageDocument[]): string | undefined {
  return languages
    .flatMap(({ receivedAt, shownFrom = receivedAt }) => shownFrom ?? [])
    .sort()
    .at(-1);
}

/**
 * The files without a language, made from each published language's summary, `v1/{lang}/index.json`, in the site's order: pages
 * without a language, such as the home page, are in the first one.
 * `expected`: the editions that each language of the site should have, including languages without any yet.
 */
export function renderShared(
  languages: readonly LanguageDocument[],
  settings: SiteSettings,
  expected: readonly Expected[] = languages.map((summary) => ({ ...summary, operations: [] })),
): RenderedFile[] {
  const ordered = languageNames.flatMap((name) => languages.filter(({ language }) => language === name));
  const fronts = ordered.map(({ language }) => pathOf({ row: "frontPage", language }));
  const names = new Set(ordered.map(({ language }) => language));
  const own = settings.theme?.pages.filter(({ at }) => names.has(at.language)) ?? [];
  const rendered = new Set([...fronts, ...own.map(({ at }) => pathOf(at)), ...fixedPaths]);
  const listedFronts = ordered.map(({ language, date }) => {
    const facts = { at: { row: "frontPage", language }, date } as const;
    return [language, indexPolicy(facts, settings.indexing ?? []) === "listed"] as const;
  });
  const contexts = ordered.map((summary) => {
    const others = new Map(listedFronts);
    others.delete(summary.language);
    const chooser = withoutLanguage({ row: "frontPage", language: summary.language });
    const alternates = others.size === 0 ? undefined : new Map([[chooser, others]]);
    return new Context(summary, settings, rendered, alternates);
  });
  const first = contexts.find(({ language }) => language === languages[0]?.language);
  if (first === undefined) return [];
  const drafts: Draft[] = [
    ...shapeNames.map((shape): Draft => {
      return { at: { row: "schema", shape }, render: (context) => renderSchema(context, shape) };
    }),
    { at: { row: "icon" }, render: () => icon },
    ...faviconDrafts(settings),
    ...securityDrafts(settings, ordered),
    ...indexNowDrafts(settings),
    webManifestDraft({ row: "webManifest" }, ordered.length === 1 ? first.language : undefined),
    ...wordlessPictures,
    ...(settings.theme?.files ?? []).map(({ at, bytes }): Draft => ({ at, render: () => [bytes] })),
    ...(settings.theme?.root ?? []).map(({ at, bytes }): Draft => ({ at, render: () => [bytes] })),
    { at: { row: "client" }, render: () => [client.code] },
    { at: { row: "clientTypes" }, render: () => [client.types] },
    { at: { row: "element" }, render: () => [client.element] },
    { at: { row: "elementTypes" }, render: () => [client.elementTypes] },
    { at: { row: "pull" }, render: () => [client.pull] },
    ...plainSharedDrafts(contexts, newestOf(ordered)),
    { at: { row: "index" }, render: (context) => renderIndex(context, ordered) },
    ...statusDrafts(statusesOf(expected, ordered)),
    { at: { row: "openApi" }, render: (context) => renderOpenApi(context, ordered) },
    { at: { row: "robots" }, render: robots },
  ];
  const listed = drafts
    .filter(({ at, facts }) => first.indexing({ at, ...facts }) === "listed")
    .map(({ at, shownFrom }) => ({ path: pathOf(at), lastmod: shownFrom }));
  if (listed.length > 0)
    drafts.push({ at: { row: "sitemapOfSite" }, render: () => renderSitemap(listed, settings) });
  pathsOf(drafts);
  return renderDrafts(drafts, first);
}

function robots(context: Context): string {
  const own = context.settings.theme?.robots?.replace(/\r\n?/g, "\n").trimEnd() ?? "User-agent: *\nAllow: /";
  const sitemap = `Sitemap: ${context.url({ row: "sitemapIndex" })}`;
  return own.split("\n").includes(sitemap) ? `${own}\n` : `${own}\n${sitemap}\n`;
}
