// The pages of a whole site by kind, for tests that check one of each. A kind is a row of the table of paths, so a new kind of page
// is checked from its first render.
import { type Language, languageNames, languages, familyOf } from "../../readings/tables.ts";
import { tree } from "../../site/tree.ts";
import { renderShared } from "../../site/render.ts";
import type { RenderedFile } from "../../site/edition.ts";
import { atPath } from "../support/at-path.ts";
import { renderedIn, settings, summaryOf } from "./editions.ts";

export type Site = ReadonlyMap<string, RenderedFile>;

/** The first language of each script, which is enough where only letters and their sizes make a difference. */
export const languageOfEachScript = languageNames.filter(
  (language, index) =>
    languageNames.findIndex((other) => languages[other].script === languages[language].script) === index,
);

/** All files of a site in these languages, including shared pages and data. */
export function siteIn(names: readonly Language[]): Site {
  const own = names.map((language) => ({ language, files: renderedIn(language) }));
  const shared = renderShared(
    own.map(({ language, files }) => summaryOf(files, language)),
    settings,
  );
  return new Map([...own.flatMap(({ files }) => files), ...shared].map((file) => [file.path, file]));
}

/** Pages that a reader opens, without newsletters, which newsletter.test.ts checks. */
export function pagesIn(site: Site): RenderedFile[] {
  return [...site.values()].filter(
    ({ path, type }) => type.startsWith("text/html") && !path.includes("/newsletter/"),
  );
}

/** The path of its row in the table, in which a card operation is one of its family. */
export function kindOf(path: string): string {
  const at = atPath(path);
  const kind = tree[at.row].path;
  return "operation" in at ? kind.replace("{operation}", familyOf(at.operation)) : kind;
}

/** The first page of each kind, of a language and of those that belong to none; of the archive the newest month, which has days. */
export function oneOfEachKind(site: Site, language: Language): RenderedFile[] {
  const found = new Map<string, RenderedFile>();
  for (const page of pagesIn(site)) {
    const { at } = page;
    if ("language" in at && at.language !== language) continue;
    const kind = kindOf(page.path);
    const before = found.get(kind);
    const isOfItsArchive =
      at.row === "archivePage" && before?.at.row === at.row && before.at.sign === at.sign;
    if (before === undefined || (isOfItsArchive && page.path > before.path)) found.set(kind, page);
  }
  return [...found.values()];
}

export function textOfPage({ bytes }: RenderedFile): string {
  return new TextDecoder().decode(bytes);
}
