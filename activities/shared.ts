// What belongs to no language: pressed from every language's own summary, anew at each attempt to swap, so that two
// publishers of different languages never lose each other's.
import { type z } from "zod";
import { type Language } from "../readings/languages.ts";
import { documents, type LanguageDocument } from "../site/data.schema.ts";
import { languageDataPath, sharedPaths } from "../site/paths.ts";
import { type PressedFile, pressShared } from "../site/press.ts";
import { type Store } from "../store/store.ts";
import { type Dependencies } from "./dependencies.ts";
import { type Manifest } from "./manifest.schema.ts";
import { objectPath, readPart, type SiteState } from "./site-state.ts";
import { parseJson, UnreadableFile } from "./vault.ts";

export async function pressTogether(
  base: SiteState | undefined,
  pressed: ReadonlyMap<Language, readonly PressedFile[]>,
  { configuration, site }: Dependencies,
): Promise<PressedFile[]> {
  const summaries: LanguageDocument[] = [];
  for (const language of configuration.languages) {
    const summary =
      summaryIn(language, pressed.get(language)) ??
      (await document(
        site,
        base?.manifest,
        `${language}/current`,
        languageDataPath(language),
        documents.language,
      ));
    if (summary !== undefined) summaries.push(summary);
  }
  return pressShared(summaries, configuration.site);
}

/** The local date that each published language shows, from the site's own index: two small files. */
export async function publishedDates(
  site: Store,
  state: SiteState | undefined,
): Promise<Map<Language, string>> {
  const index = await document(site, state?.manifest, "shared", sharedPaths.index, documents.index);
  return new Map(index?.languages.map(({ language, date }) => [language, date]));
}

function summaryIn(
  language: Language,
  files: readonly PressedFile[] | undefined,
): LanguageDocument | undefined {
  const path = languageDataPath(language);
  const file = files?.find((one) => one.path === path);
  return file === undefined ? undefined : parseJson(path, file.bytes, documents.language);
}

/** A published JSON file, by its part and path. */
async function document<Schema extends z.ZodType>(
  site: Store,
  manifest: Manifest | undefined,
  part: string,
  path: string,
  schema: Schema,
): Promise<z.infer<Schema> | undefined> {
  const entry = (await readPart(site, manifest, part))[path];
  if (entry === undefined) return undefined;
  const object = objectPath(entry.object, path);
  const stored = await site.read(object);
  if (stored === undefined)
    throw new UnreadableFile(`the manifest names ${object} for ${path}, which is not there`);
  return parseJson(object, stored.body, schema);
}
