// What belongs to no language: pressed from every language's own summary, anew at each attempt to swap, so that two
// publishers of different languages never lose each other's.
import { type z } from "zod";
import { type Configuration } from "../../readings/configuration.schema.ts";
import { type Language } from "../../readings/languages.ts";
import { documents, type LanguageDocument } from "../../site/data.schema.ts";
import { languageDataPath, sharedPaths } from "../../site/paths.ts";
import { type PressedFile, pressShared } from "../../site/press.ts";
import { type Store } from "../../store/store.ts";
import { parseJson, UnreadableFile } from "../vault.ts";
import { type Manifest } from "./manifest.schema.ts";
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
  { languages, site: settings }: Configuration,
): Promise<PressedFile[]> {
  const now = new Map(pressed.map((file) => [file.path, file.bytes]));
  const summaries: LanguageDocument[] = [];
  for (const language of languages) {
    const path = languageDataPath(language);
    const bytes = now.get(path) ?? (await publishedBytes(published, path));
    if (bytes !== undefined) summaries.push(parseJson(path, bytes, documents.language));
  }
  return pressShared(summaries, settings);
}

/** The local date that a published language shows. */
export async function publishedDate(published: Published, language: Language): Promise<string | undefined> {
  return (await document(published, languageDataPath(language), documents.language))?.date;
}

/** The same of all languages, from the site's own index: two small files. */
export async function publishedDates(published: Published): Promise<Map<Language, string>> {
  const index = await document(published, sharedPaths.index, documents.index);
  return new Map(index?.languages.map(({ language, date }) => [language, date]));
}

async function document<Schema extends z.ZodType>(
  published: Published,
  path: string,
  schema: Schema,
): Promise<z.infer<Schema> | undefined> {
  const bytes = await publishedBytes(published, path);
  return bytes === undefined ? undefined : parseJson(path, bytes, schema);
}

async function publishedBytes(
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
