// Lost files, rendered once more from the vault: where readings, templates and settings are the same, the bytes are too.
import { pathsInGroup } from "../state/published-paths.ts";
import { type PublishedSite, publishedSummary } from "../state/published-files.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Language } from "../../readings/languages.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { localDate } from "../../readings/zones.ts";
import { parsePath, pathOf, textOnPath } from "../../site/paths.ts";
import type { RenderedFile } from "../../site/render.ts";
import { siteSettingsOf } from "../../site/edition.ts";
import { parseJson, unlessDamaged } from "../../vault/json.ts";
import { groupOf, languageOf, sitemapOf } from "../state/parts.ts";
import type { Publishing } from "../state/publish-context.ts";
import { Context } from "../../site/page-context.ts";
import { documents } from "../../site/data.schema.ts";
import { renderDrafts } from "../../site/draft.ts";
import { alternatesOf, currentPages } from "../render/alternates.ts";
import { loadLanguage } from "../render/loading.ts";
import { noLanguages, sitemapsWith, withSitemaps } from "../render/sitemaps.ts";
import { readWithheld } from "../../vault/withheld.ts";

/** Everything that could be rendered for these paths. */
export async function filesFromVault(
  paths: readonly string[],
  published: PublishedSite,
  publishing: Publishing,
): Promise<RenderedFile[]> {
  const files: RenderedFile[] = [];
  for (const [language, lost] of Map.groupBy(paths, languageOf)) {
    const rendered =
      language === undefined
        ? orNothing(() => renderShared(lost, published, publishing))
        : orNothing(() => renderIn(language, lost, published, publishing));
    files.push(...(await rendered));
  }
  return files;
}

async function renderShared(
  lost: readonly string[],
  published: PublishedSite,
  publishing: Publishing,
): Promise<readonly RenderedFile[]> {
  const { pictures, now } = publishing;
  const copies = await Promise.all(
    lost.map(async (path) => (parsePath(path)?.row === "cardPicture" ? pictures?.file(path) : undefined)),
  );
  const kept = copies.filter((file) => file !== undefined);
  const together = async () =>
    // The index may be what is lost.
    (await withSitemaps(published, noLanguages, publishing, now(), { ...published, manifest: undefined }))
      .files;
  return [...kept, ...(await orNothing(together))];
}

async function renderIn(
  language: Language,
  lost: readonly string[],
  published: PublishedSite,
  publishing: Publishing,
): Promise<readonly RenderedFile[]> {
  const { configuration, theme, vault, now } = publishing;
  if (!configuration.languages.includes(language)) return [];
  const summary = await publishedSummary(published, language).catch(() => undefined); // it may be what is lost
  const date = summary?.date ?? localDate(zoneOf(configuration, language), now());
  // A sitemap is made from all pages in its group.
  const groups = new Set(lost.map(groupOf).filter((group) => lost.includes(pathOf(sitemapOf(group)))));
  const listed = [...groups].map((group) => pathsInGroup(published, group));
  const paths = [...lost, ...(await Promise.all(listed)).flat()];
  const sets = paths.flatMap((path) => requestOn(path) ?? []);
  const withheld = await readWithheld(vault.own);
  const job = { language, date, current: true, sets, withheld };
  const { home, linked, files: drafts } = await loadLanguage(job, published, publishing);
  const alternates = alternatesOf(language, await currentPages(published, publishing));
  const files = renderDrafts(
    drafts,
    new Context(home, siteSettingsOf(configuration, theme), linked, alternates),
  );
  const own = files.find(({ at }) => at.row === "languageIndex");
  const summaries = new Map(own && [[language, parseJson(own.path, own.bytes, documents.language)]]);
  const sitemaps = await sitemapsWith(published, { files, leaves: [], summaries }, publishing);
  return [...files, ...sitemaps.files];
}

/** The request of one reading that the dated path shows. */
function requestOn(path: string): ReadingRequest | undefined {
  const shown = textOnPath(path);
  return shown?.kind === "text" && !("person" in shown.request) ? shown.request : undefined;
}

/** Nothing where the files that rendering reads are lost as well. */
async function orNothing(render: () => Promise<readonly RenderedFile[]>): Promise<readonly RenderedFile[]> {
  return (await unlessDamaged(render)) ?? [];
}
