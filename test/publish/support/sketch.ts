// A site of four small files a language and two that belong to all, which link to each other as the real ones do: for
// the tests that publish thousands of times.
import { z } from "zod";
import { publishedDocument } from "../../../publish/state/published-files.ts";
import type { Store } from "../../../store/store.ts";
import type { Committed } from "../../../publish/step/commit.ts";
import type { Manifest } from "../../../site/manifest.schema.ts";
import { merge } from "../../../publish/render/merged-state.ts";
import type { PartReader } from "../../../publish/state/parts.ts";
import type { PublishContext } from "../../../publish/state/publish-context.ts";
import type { Language } from "../../../readings/tables.ts";
import { addDays } from "../../../readings/calendar.ts";
import { typeOf, type RenderedFile } from "../../../site/edition.ts";
import { pathOf } from "../../../site/paths.ts";
import { atPath } from "../../support/at-path.ts";
import { commitOn } from "./commit-on.ts";

export const sketched = ["en", "de", "ar"] as const satisfies Language[];

/** `draw` is another text for the same date, as a backfill or a repaired reader brings it. */
export interface Sketch {
  readonly run: string;
  readonly date: string;
  readonly languages: readonly Language[];
  readonly draw?: string;
}

const encoder = new TextEncoder();

function file(path: string, content: string): RenderedFile {
  return { path, at: atPath(path), bytes: encoder.encode(content), type: typeOf(path) };
}

function page(path: string, text: string, links: readonly string[]): RenderedFile {
  return file(path, `${text}\n${links.map((link) => `<a href="/${link}">\n`).join("")}`);
}

function sketchOf(language: Language, date: string, draw: string): RenderedFile[] {
  const dated = `${language}/daily/aries/${date}/index.html`;
  const latest = `${language}/daily/aries/index.html`;
  const text = `${language} ${date} ${draw}`;
  return [
    page(dated, text, []),
    page(latest, text, [dated]),
    page(`${language}/index.html`, text, [latest, dated]),
    file(pathOf({ row: "languageIndex", language }), JSON.stringify({ date })),
  ];
}

/** A language whose published date is a later one stays as it is. */
export function publishSketch(
  place: PublishContext,
  { run, date, languages, draw = "" }: Sketch,
): Promise<Committed> {
  const asOf = `${addDays(date, -1)}T21:05:00.000Z`;
  return commitOn(place, { run, asOf }, async (base, reader) => {
    const dates = await datesOn(place.site, base?.manifest, reader);
    const due = languages.filter((language) => (dates.get(language) ?? "") <= date);
    for (const language of due) dates.set(language, date);
    const files = due.flatMap((language) => sketchOf(language, date, draw));
    return merge(base?.manifest, [...files, ...together(dates)], [], reader);
  });
}

function together(dates: ReadonlyMap<Language, string>): RenderedFile[] {
  const languages = sketched.filter((language) => dates.has(language));
  const content = languages.map((language) => `${language} ${dates.get(language)}`).join("\n");
  const fronts = languages.map((language) => `${language}/index.html`);
  return [page("index.html", content, fronts), file("v1/index.json", JSON.stringify(content))];
}

const summary = z.object({ date: z.string() });

/** The dates that are published, read as pressTogether() reads the languages' summaries. */
export async function datesOn(
  site: Store,
  manifest: Manifest | undefined,
  reader: PartReader,
): Promise<Map<Language, string>> {
  const dates = new Map<Language, string>();
  for (const language of sketched) {
    const path = pathOf({ row: "languageIndex", language });
    const found = await publishedDocument({ site, manifest, reader }, path, summary);
    if (found !== undefined) dates.set(language, found.date);
  }
  return dates;
}
