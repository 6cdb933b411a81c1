// Renders the files that belong to no language from every language's own summary, as the state has them that a publish builds on.
// published-files.ts reads the summaries back.
import type { RenderSettings } from "../state/publish-context.ts";
import { type PublishedSite, publishedDocument, publishedSummary } from "../state/published-files.ts";
import { isDeepStrictEqual } from "node:util";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { Language } from "../../readings/languages.ts";
import { languagesOf, type Operation } from "../../readings/operations.ts";
import {
  type Documents,
  documents,
  type LanguageDocument,
  type LanguageStatus,
} from "../../site/data.schema.ts";
import { pathOf } from "../../site/paths.ts";
import { type RenderedFile, renderShared } from "../../site/render.ts";
import { siteSettingsOf } from "../../site/edition.ts";
import type { Expected } from "../../site/status.ts";
import { unlessDamaged } from "../../vault/json.ts";

/** The summaries of languages, each from its own data file. */
export type Summaries = ReadonlyMap<Language, LanguageDocument>;

/** A language that is rendered now counts with its new summary, the others with their published ones. */
export async function renderTogether(
  published: PublishedSite,
  rendered: Summaries,
  { configuration, theme }: RenderSettings,
  at: Date,
): Promise<RenderedFile[]> {
  const read = configuration.languages.map(
    async (language) => rendered.get(language) ?? publishedSummary(published, language),
  );
  const summaries = (await Promise.all(read)).filter((one) => one !== undefined);
  const before = (await publishedStatus(published))?.languages ?? [];
  const expected = configuration.languages.map((language) => {
    const summary = summaries.find((one) => one.language === language);
    const stamp = rendered.has(language) ? at.toISOString() : undefined;
    const publishedAt = publishedAtOf(summary, before, stamp);
    return { ...expectedIn(language, configuration), publishedAt };
  });
  return renderShared(summaries, siteSettingsOf(configuration, theme), expected);
}

/** When the newest edition was published. A correction, or a second publish of it, does not change that. */
function publishedAtOf(
  summary: LanguageDocument | undefined,
  before: readonly LanguageStatus[],
  stamp: string | undefined,
): string | undefined {
  const known = before.find(({ language }) => language === summary?.language);
  if (summary === undefined || known === undefined) return summary && stamp;
  const isSame = known.date === summary.date && isDeepStrictEqual(known.newest, summary.newest);
  return isSame ? known.publishedAt : stamp;
}

function expectedIn(language: Language, configuration: Configuration): Expected {
  const { operations, people, pairs } = configuration;
  const isRequested = (operation: Operation): boolean => {
    if (operation === "which-animal-are-you-reading") return people.length > 0;
    return operation !== "love-compatibility" || pairs?.length !== 0;
  };
  return {
    language,
    zone: zoneOf(configuration, language),
    operations: operations.filter((one) => languagesOf(one).includes(language) && isRequested(one)),
  };
}

/** The published status; undefined where it is lost. A new one no longer has the times of earlier publishes. */
function publishedStatus(published: PublishedSite): Promise<Documents["status"] | undefined> {
  return unlessDamaged(() => publishedDocument(published, pathOf({ row: "status" }), documents.status));
}
