// What belongs to no language: that is pressed from every language's own summary, anew at each attempt to swap, so that two
// publishers of different languages never lose each other's. published-files.ts reads back what it is made of.
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
import { type PressedFile, pressShared } from "../../site/press.ts";
import type { Expected } from "../../site/status.ts";
import { unlessDamaged } from "../../vault/json.ts";

/** What languages say of themselves, each in its own data file. */
export type Summaries = ReadonlyMap<Language, LanguageDocument>;

/** A language that is pressed now counts as what it becomes, the others as what they are. */
export async function pressTogether(
  published: PublishedSite,
  pressed: Summaries,
  configuration: Configuration,
  at: Date,
): Promise<PressedFile[]> {
  const read = configuration.languages.map(
    async (language) => pressed.get(language) ?? publishedSummary(published, language),
  );
  const summaries = (await Promise.all(read)).filter((one) => one !== undefined);
  const before = (await publishedStatus(published))?.languages ?? [];
  const expected = configuration.languages.map((language) => {
    const summary = summaries.find((one) => one.language === language);
    const stamp = pressed.has(language) ? at.toISOString() : undefined;
    const publishedAt = publishedAtOf(summary, before, stamp);
    return { ...expectedIn(language, configuration), publishedAt };
  });
  return pressShared(summaries, configuration.site, expected);
}

/** Stays as long as the same is newest: what is published once more, or is corrected, is no newer edition. */
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
  const isAsked = (operation: Operation): boolean => {
    if (operation === "which-animal-are-you-reading") return people.length > 0;
    return operation !== "love-compatibility" || pairs?.length !== 0;
  };
  return {
    language,
    zone: zoneOf(configuration, language),
    operations: operations.filter((one) => languagesOf(one).includes(language) && isAsked(one)),
  };
}

/** A lost one is made anew; of what was published before it then no longer says when. */
function publishedStatus(published: PublishedSite): Promise<Documents["status"] | undefined> {
  return unlessDamaged(() => publishedDocument(published, pathOf({ row: "status" }), documents.status));
}
