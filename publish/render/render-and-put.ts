// Renders a language whose links are settled, each file once. A night of all languages is more than a worker should hold at
// once, so new objects are put as soon as they are rendered, and only the names of the files stay in memory.
import type { PublishedSite } from "../state/published-files.ts";
import { setImmediate as others } from "node:timers/promises";
import { Context } from "../../site/page-context.ts";
import { documents, type LanguageDocument } from "../../site/data.schema.ts";
import { renderDraft } from "../../site/draft.ts";
import { groupAt } from "../../site/paths.ts";
import { siteSettingsOf } from "../../site/edition.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { letGo } from "../../store/store.ts";
import { parseJson } from "../../vault/json.ts";
import { objectHeaders } from "../state/headers.ts";
import type { Publishing } from "../state/publish-context.ts";
import { putMissing, type Puts } from "../state/puts.ts";
import { entryOf, objectPath } from "../state/state.ts";
import { alternatesHash, alternatesOf, type CurrentPages } from "./alternates.ts";
import type { StoredFile } from "./merged-state.ts";
import type { LanguageFacts, LoadedLanguage } from "./loading.ts";
import type { Summaries } from "./shared-part.ts";

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
  published: PublishedSite,
  { configuration, theme, site }: Publishing,
  puts: Puts,
): Promise<RenderedLanguage> {
  const alternates = alternatesOf(facts.language, pages);
  const context = new Context(home, siteSettingsOf(configuration, theme), linked, alternates);
  const there = await objectsIn(new Set(drafts.map(({ at }) => groupAt(at))), published);
  let summary: LanguageDocument | undefined;
  // While some files are put, the next are rendered.
  const render = async (draft: (typeof drafts)[number]): Promise<StoredFile> => {
    await others();
    const { path, at, bytes, type, shownFrom } = renderDraft(draft, context);
    if (at.row === "languageIndex") summary = parseJson(path, bytes, documents.language);
    const entry = entryOf(bytes, type);
    const key = objectPath(entry.object, path);
    if (!there.has(key)) await putMissing(site, [{ key, bytes, headers: objectHeaders(type) }], puts);
    if (!puts.held.has(key)) letGo(bytes);
    return { path, at, entry, shownFrom };
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
