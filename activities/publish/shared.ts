// What is read back from the published state, and what belongs to no language: that is pressed from every language's own
// summary, anew at each attempt to swap, so that two publishers of different languages never lose each other's.
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import type { Language } from "../../readings/languages.ts";
import { languagesOf, type Operation } from "../../readings/operations.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import {
  type Documents,
  documents,
  type LanguageDocument,
  type LanguageStatus,
} from "../../site/data.schema.ts";
import type { ReceivedReading } from "../../site/edition.ts";
import { languageDataPath, sharedPaths } from "../../site/paths.ts";
import { type PressedFile, pressShared } from "../../site/press.ts";
import { dataPathOf } from "../../site/showing.ts";
import type { Expected } from "../../site/status.ts";
import type { Store } from "../../store/store.ts";
import { parseJson, UnreadableFile, unlessDamaged } from "../vault.ts";
import type { Manifest } from "./manifest.schema.ts";
import { groupOf, type PartReader } from "./parts.ts";
import { objectPath } from "./state.ts";

export interface Published {
  readonly site: Store;
  readonly manifest: Manifest | undefined;
  readonly reader: PartReader;
}

/** A language that is pressed now counts as what it becomes, the others as what they are. */
export async function pressTogether(
  published: Published,
  pressed: readonly PressedFile[],
  configuration: Configuration,
  at: Date,
): Promise<PressedFile[]> {
  const now = new Map(pressed.map((file) => [file.path, file.bytes]));
  const read = configuration.languages.map(async (language): Promise<LanguageDocument[]> => {
    const path = languageDataPath(language);
    const bytes = now.get(path) ?? (await publishedBytes(published, path));
    return bytes === undefined ? [] : [parseJson(path, bytes, documents.language)];
  });
  const summaries = (await Promise.all(read)).flat();
  const before = (await publishedStatus(published))?.languages ?? [];
  const expected = configuration.languages.map((language) => {
    const summary = summaries.find((one) => one.language === language);
    const stamp = now.has(languageDataPath(language)) ? at.toISOString() : undefined;
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
function publishedStatus(published: Published): Promise<Documents["status"] | undefined> {
  return unlessDamaged(() => publishedDocument(published, sharedPaths.status, documents.status));
}

/** What a published language says of itself: its local date, and the newest of every operation. */
export async function publishedSummary(
  published: Published,
  language: Language,
): Promise<LanguageDocument | undefined> {
  return publishedDocument(published, languageDataPath(language), documents.language);
}

/** The reading as it is published; undefined where it is not, or has no data, as a person's. */
export async function publishedReading(
  published: Published,
  request: ReadingRequest,
): Promise<ReceivedReading | undefined> {
  const path = dataPathOf(request);
  if (path === undefined) return undefined;
  const schema = "sign" in request ? documents.sign : "sign1" in request ? documents.pair : documents.card;
  const found = await publishedAsItIs<typeof schema>(published, path, schema);
  // The file of a pair has the text of whichever season was published last.
  if (found === undefined || found.reading.period !== request.period) return undefined;
  return { reading: found.reading, receivedAt: found.receivedAt };
}

/** A data file as its bytes have it, not as the schema makes it: pressed again it is to have the same bytes. */
export async function publishedAsItIs<Schema extends z.ZodType>(
  published: Published,
  path: string,
  schema: Schema,
): Promise<z.infer<Schema> | undefined> {
  const bytes = await publishedBytes(published, path);
  const found = bytes === undefined ? undefined : parseJson(path, bytes, z.unknown());
  return fits<Schema>(schema, found) ? found : undefined;
}

function fits<Schema extends z.ZodType>(schema: Schema, value: unknown): value is z.infer<Schema> {
  return schema.safeParse(value).success;
}

/** The same of all languages, from the site's own index: two small files. */
export async function publishedDates(published: Published): Promise<Map<Language, string>> {
  const index = await publishedDocument(published, sharedPaths.index, documents.index);
  return new Map(index?.languages.map(({ language, date }) => [language, date]));
}

/** A data file as the state has it; undefined where it has none. */
export async function publishedDocument<Schema extends z.ZodType>(
  published: Published,
  path: string,
  schema: Schema,
): Promise<z.infer<Schema> | undefined> {
  const bytes = await publishedBytes(published, path);
  return bytes === undefined ? undefined : parseJson(path, bytes, schema);
}

export async function publishedBytes(
  { site, manifest, reader }: Published,
  path: string,
): Promise<Uint8Array | undefined> {
  const entry = (await reader.files(manifest, groupOf(path)))[path];
  if (entry === undefined) return undefined;
  const object = objectPath(entry.object, path);
  const stored = await site.read(object);
  if (stored !== undefined) return stored.body;
  throw new UnreadableFile(
    `the manifest names ${object} for ${path}, which is not there: \`almanac repair\``,
  );
}
