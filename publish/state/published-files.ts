// Reads the published state back: paths, bytes, a data file by its schema, a reading, a language's summary, the text on a path, the dates of
// languages. It loads no template and no word of a page, so that commands which only look are quick.
import { z } from "zod";
import type { Publishing, RenderSettings, PublishContext } from "./publish-context.ts";
import { type Store, StoreFailure } from "../../store/store.ts";
import type { Language } from "../../readings/tables.ts";
import type { ReadingRequest } from "../../readings/request.ts";
import { documents, type LanguageDocument } from "../../site/data.schema.ts";
import type { ReceivedReading } from "../../site/edition.ts";
import { dataPathOf, pathOf, type ShownText } from "../../site/paths.ts";
import { parseJson, unlessDamaged, UnreadableFile, sha256 } from "../../vault/files.ts";
import type { Manifest } from "../../site/manifest.schema.ts";
import { groupOf, type PartReader, createPartReader } from "./parts.ts";
import { objectPath, readState } from "./state.ts";
import { zoneOf } from "../../readings/catalogue.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { liesAhead, utcMinute, mostAheadMs } from "../../readings/calendar.ts";

export interface PublishedSite {
  readonly site: Store;
  readonly manifest: Manifest | undefined;
  readonly reader: PartReader;
}

/** A published state, with the settings by which its pages are rendered. */
export type RenderedSite = PublishedSite & RenderSettings;

/** A publish's context, with the state that it reads and builds on. */
export type PublishingOn = PublishedSite & Publishing;

/**
 * A published language's summary: its local date, and the newest set of every operation. Where its file is lost, and nothing
 * makes it again, the site's index has it too, so that a publish can go on.
 */
export async function publishedSummary(
  published: PublishedSite,
  language: Language,
): Promise<LanguageDocument | undefined> {
  try {
    return await publishedDocument(published, pathOf({ row: "languageIndex", language }), documents.language);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const index = await unlessDamaged(() =>
      publishedDocument(published, pathOf({ row: "index" }), documents.index),
    );
    const own = index?.languages.find((one) => one.language === language);
    if (index === undefined || own === undefined) throw error;
    return { $schema: new URL("language.json", index.$schema).href, ...own };
  }
}

/** The reading as it is published; undefined where it is not published, or has no data, as a person's reading. */
export async function publishedReading(
  published: PublishedSite,
  request: ReadingRequest,
): Promise<ReceivedReading | undefined> {
  const path = dataPathOf(request);
  if (path === undefined) return undefined;
  const schema = "sign" in request ? documents.sign : "sign1" in request ? documents.pair : documents.card;
  const found = await publishedAsItIs<typeof schema>(published, path, schema);
  // The file of a pair has the text of whichever season was published last.
  if (found === undefined || found.reading.period !== request.period) return undefined;
  const { reading, receivedAt, shownFrom } = found;
  return { reading, receivedAt, shownFrom };
}

/** A data file as its bytes have it and not as the schema parses it, so that it has the same bytes when it is rendered again. */
export async function publishedAsItIs<Schema extends z.ZodType>(
  published: PublishedSite,
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

/** The local dates of all languages, from the site's own index: two small files. */
export async function publishedDates(published: PublishedSite): Promise<Map<Language, string>> {
  const index = await publishedDocument(published, pathOf({ row: "index" }), documents.index);
  return new Map(index?.languages.map(({ language, date }) => [language, date]));
}

/** A data file as the state has it; undefined where it has none. */
export async function publishedDocument<Schema extends z.ZodType>(
  published: PublishedSite,
  path: string,
  schema: Schema,
): Promise<z.infer<Schema> | undefined> {
  const bytes = await publishedBytes(published, path);
  return bytes === undefined ? undefined : parseJson(path, bytes, schema);
}

export async function publishedBytes(
  { site, manifest, reader }: PublishedSite,
  path: string,
): Promise<Uint8Array | undefined> {
  const entry = (await reader.files(manifest, groupOf(path)))[path];
  if (entry === undefined) return undefined;
  const object = objectPath(entry.object, path);
  const stored = await site.read(object);
  if (stored !== undefined && sha256(stored.body) === entry.object) return stored.body;
  const fault = stored === undefined ? "missing" : "damaged";
  throw new UnreadableFile(
    `the manifest names ${object} for ${path}, which is ${fault}. Run \`almanac repair\``,
  );
}

export async function isPublished({ manifest, reader }: PublishedSite, path: string): Promise<boolean> {
  return Object.hasOwn(await reader.files(manifest, groupOf(path)), path);
}

/** Those of these paths that are there. */
export async function publishedAmong(published: PublishedSite, paths: Iterable<string>): Promise<string[]> {
  const there: string[] = [];
  for (const path of paths) if (await isPublished(published, path)) there.push(path);
  return there;
}

export async function pathsInGroup({ manifest, reader }: PublishedSite, group: string): Promise<string[]> {
  return Object.keys(await reader.files(manifest, group));
}

/** Undefined where the state does not have the path's newest set, or the pair's data. */
export async function requestShownBy(
  shown: ShownText,
  published: PublishedSite,
): Promise<ReadingRequest | undefined> {
  switch (shown.kind) {
    case "text":
      return shown.request;
    case "current": {
      const summary = await publishedSummary(published, shown.language);
      return shown.at(summary?.newest[shown.operation] ?? "");
    }
    case "pair": {
      const pair = await publishedDocument(published, pathOf(shown.data), documents.pair);
      return shown.at(pair?.reading.period ?? "");
    }
  }
}

// The time that a publisher believes, and the languages whose published date lies ahead of it: a publisher with a wrong clock brought
// it, and no night brings another before it has come. `almanac status`, `check` and `why` show it, and the publish raises an alert.

/** Undefined if no date is in the future, or if the site can't be read, which other checks report. */
export async function datesAhead(site: Store, configuration: Configuration, now: Date) {
  try {
    const manifest = (await readState(site))?.manifest;
    const published = await publishedDates({ site, manifest, reader: createPartReader(site) });
    return datesAheadIn(published, configuration, now);
  } catch (error) {
    if (error instanceof UnreadableFile || error instanceof StoreFailure) return undefined;
    throw error;
  }
}

export function datesAheadIn(
  published: ReadonlyMap<Language, string>,
  configuration: Configuration,
  now: Date,
) {
  const dates = configuration.languages.flatMap((language) => {
    const date = published.get(language);
    const isAhead = date !== undefined && liesAhead(date, zoneOf(configuration, language), now);
    return isAhead ? [{ language, date }] : [];
  });
  if (dates.length === 0) return undefined;
  const languages = dates.map(({ language }) => language).join(",");
  const list = dates.map(({ language, date }) => `${language} (${date})`).join(", ");
  return {
    dates,
    seen: `published dates are in the future by this machine's clock (${utcMinute(now)}): ${list}. Nothing earlier is published`,
    remedy: `if this clock is right, return to today with \`almanac render --clock-is-right --languages ${languages}\`; else set the clock`,
  };
}

/** The clock's time, but not earlier than the time source's, and not later than it confirms. */
export async function believedTime({
  now,
  timeSource,
  vault,
}: Pick<PublishContext, "now" | "timeSource" | "vault">): Promise<Date> {
  const at = now();
  const known = await timeSource?.newest(vault.store);
  if (known === undefined) return at;
  const firstMs = known.at.getTime();
  return new Date(Math.min(Math.max(at.getTime(), firstMs), firstMs + mostAheadMs));
}
