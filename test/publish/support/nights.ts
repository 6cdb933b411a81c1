// A small site with a history for the tests of publishing: three languages and two dates, rendered for real from the
// sandbox's prose, each edition once a process. The languages' pages go without their style, the same half in all.
import { publishedBytes, type PublishedSite } from "../../../publish/state/published-files.ts";
import { documents } from "../../../site/data.schema.ts";
import { parseJson, sha256 } from "../../../vault/files.ts";
import type { Committed } from "../../../publish/step/commit.ts";
import { decisionHashes } from "../../../publish/render/leaving-paths.ts";
import { groupsIn, languageGroup } from "../../../publish/state/parts.ts";
import type { Manifest } from "../../../site/manifest.schema.ts";
import { merge } from "../../../publish/render/merged-state.ts";
import type { PublishContext } from "../../../publish/state/publish-context.ts";
import { renderTogether } from "../../../publish/render/sitemaps.ts";
import { configurationSchema } from "../../../readings/configuration.schema.ts";
import {
  type Language,
  languages as allLanguages,
  type CardOperation,
  signs,
} from "../../../readings/tables.ts";
import { addDays } from "../../../readings/calendar.ts";
import type { ReadingRequest } from "../../../readings/request.ts";
import { pathOf } from "../../../site/paths.ts";
import type { RenderedFile, ReadingSet } from "../../../site/edition.ts";
import { readingFor, settings, renderLanguage } from "../../site/editions.ts";
import { commitOn } from "./commit-on.ts";

export const firstDate = "2026-11-20";
export const secondDate = "2026-11-21";

/** English brings the site to 60 files by itself; it stays while the nights change the small languages, which keeps them cheap. */
const fewOperations = ["daily-tarot"] as const;
const manyOperations = [
  ...fewOperations,
  "wisdom-reading",
  "dream-come-true-reading",
  "past-lives-connection-reading",
  "erotic-love-reading",
  "love-triangle-reading",
  "ex-flame-reading",
  "egyptian-prediction",
] as const;

/** Size of a night: `signs` has 91 more files per language, 143 on the second date. */
export type Size = "cards" | "signs";

export const configuration = configurationSchema.parse({
  site: settings,
  languages: ["en", "de", "ar"],
  operations: [...manyOperations],
});

const rendered = new Map<string, readonly RenderedFile[]>();

/** A language's files as of a date; the sets of the day before are among them unless the site is only beginning. */
export function filesOf(language: Language, date: string, size: Size = "cards"): readonly RenderedFile[] {
  const name = `${language} ${date} ${size}`;
  const known = rendered.get(name);
  if (known !== undefined) return known;
  const days = date === firstDate ? [date] : [date, addDays(date, -1)];
  const sets = days.flatMap((day) => setsOf(language, day, day === date, size));
  const edition = { language, zone: allLanguages[language].zone, date, sets };
  const files = renderLanguage(edition, settings).map(withoutStyle);
  rendered.set(name, files);
  return files;
}

export function operationsIn(language: Language): readonly CardOperation[] {
  return language === "en" ? manyOperations : fewOperations;
}

function setsOf(language: Language, period: string, current: boolean, size: Size): ReadingSet[] {
  const cards = operationsIn(language).map((operation): ReadingRequest[] => [
    { operation, language, period },
  ]);
  const horoscope = signs.map((sign): ReadingRequest => {
    return { operation: "daily-horoscope", language, period, sign };
  });
  return [...cards, ...(size === "signs" ? [horoscope] : [])].map((requests) => ({
    operation: requests[0]?.operation ?? "daily-tarot",
    period,
    current,
    readings: requests.map((request) => ({
      reading: readingFor(request),
      receivedAt: `${addDays(period, -1)}T08:05:17.000Z`,
    })),
  }));
}

function withoutStyle(file: RenderedFile): RenderedFile {
  if (!file.path.endsWith(".html")) return file;
  const text = new TextDecoder().decode(file.bytes).replace(/<style>.*?<\/style>/s, "");
  return { ...file, bytes: new TextEncoder().encode(text) };
}

export interface Night {
  readonly run: string;
  readonly date: string;
  readonly languages: readonly Language[];
  /** Removes a language that the configuration no longer has. */
  readonly dropped?: Language;
  readonly size?: Size;
}

/** Same steps as publish(), with prerendered files instead of stored responses. */
export function publishNight(
  place: PublishContext,
  { run, date, languages, dropped, size }: Night,
): Promise<Committed> {
  const asOf = `${addDays(date, -1)}T21:05:00.000Z`;
  return commitOn(place, { run, asOf }, async (base, reader) => {
    const files = languages.flatMap((language) => filesOf(language, date, size));
    const published = { site: place.site, manifest: base?.manifest, reader };
    const stay = configuration.languages.filter((language) => language !== dropped);
    const shared = await together(published, files, stay);
    const leaves = dropped === undefined ? [] : filesOf(dropped, date, size).map(({ path }) => path);
    const merged = await merge(base?.manifest, [...files, ...shared], leaves, reader);
    return { ...merged, dependencies: decisionsOn(merged, date) };
  });
}

/** The decisions of the index policy on all months, so that a publish finds no month to render again. */
function decisionsOn({ parts }: Pick<Manifest, "parts">, date: string): Record<string, string> {
  const groups = groupsIn({ parts }).flatMap((group) => languageGroup(group) ?? []);
  const all = groups.flatMap(({ language, month }) =>
    month === undefined ? [] : [...decisionHashes(language, [month], date, { configuration })],
  );
  return Object.fromEntries(all);
}

const shared = new Map<string, readonly RenderedFile[]>();

/** A memoized pressTogether, because it takes ten milliseconds; it still reads the same files from the store. */
async function together(
  published: PublishedSite,
  files: readonly RenderedFile[],
  languages: readonly Language[],
): Promise<readonly RenderedFile[]> {
  const summaries = new Map<Language, Uint8Array>();
  for (const language of languages) {
    const path = pathOf({ row: "languageIndex", language });
    const renderedNow = files.find((file) => file.path === path)?.bytes;
    const bytes = renderedNow ?? (await publishedBytes(published, path));
    if (bytes !== undefined) summaries.set(language, bytes);
  }
  const name = [...summaries.values()].map(sha256).join();
  const known = shared.get(name);
  if (known !== undefined) return known;
  const site = { configuration: { ...configuration, languages: [...summaries.keys()] } };
  // All that it needs is in hand, and what it remembers must not depend on who asked first.
  const own = new Map(
    [...summaries].map(([language, bytes]) => [language, parseJson(language, bytes, documents.language)]),
  );
  const made = await renderTogether({ ...published, ...site, manifest: undefined }, own, new Date(0));
  shared.set(name, made);
  return made;
}

/** Nights of the process to kill; each changes all pages of its languages. */
export const nightsToKill: readonly Night[] = ["2026-11-20", "2026-11-21", "2026-11-22"].map((date) => ({
  run: `almanac-nightly-${date}`,
  date,
  languages: ["de", "ar"],
}));
