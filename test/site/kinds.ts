// The pages of a whole site by their kind, for tests that look at one of each: a kind is a path whose names are taken out,
// so that a page of a new kind is looked at from the day it is pressed.
import { isLanguage, type Language, languageNames, languages } from "../../readings/languages.ts";
import { familyOf, isOperation } from "../../readings/operations.ts";
import { periodKinds } from "../../readings/periods.ts";
import { signs } from "../../readings/signs.ts";
import { type PressedFile, pressShared } from "../../site/press.ts";
import { pressedIn, settings, summaryOf } from "./editions.ts";

export type Site = ReadonlyMap<string, PressedFile>;

/** The first language of each script, which is enough where only letters and their sizes make a difference. */
export const languageOfEachScript = languageNames.filter(
  (language, index) =>
    languageNames.findIndex((other) => languages[other].script === languages[language].script) === index,
);

/** All that a site in these languages has, shared pages and data included. */
export function siteIn(names: readonly Language[]): Site {
  const own = names.map((language) => ({ language, files: pressedIn(language) }));
  const shared = pressShared(
    own.map(({ language, files }) => summaryOf(files, language)),
    settings,
  );
  return new Map([...own.flatMap(({ files }) => files), ...shared].map((file) => [file.path, file]));
}

/** What a reader opens: newsletters are no pages, see newsletter.test.ts. */
export function pagesIn(site: Site): PressedFile[] {
  return [...site.values()].filter(
    ({ path, type }) => type.startsWith("text/html") && !path.includes("/newsletter/"),
  );
}

/** `en/daily/leo/2026-11-21/index.html` is a `{lang}/{period}/{sign}/{key}`; a card operation is one of its family. */
export function kindOf(path: string): string {
  const segments = path.replace(/\/?index\.html$/, "").split("/");
  return segments.map(kindOfSegment).join("/");
}

function kindOfSegment(segment: string, index: number, all: readonly string[]): string {
  if (index === 0 && isLanguage(segment)) return "{lang}";
  if (isOperation(segment)) return familyOf(segment);
  if (periodKinds.some((kind) => kind === segment)) return "{period}";
  if (all[index - 1] === "people") return "{id}";
  if (/^\d{4}(?:-\d\d){0,2}$/.test(segment)) return "{key}";
  const parts = segment.split("-");
  if (parts.every((part) => signs.some((sign) => sign === part)))
    return parts.length === 1 ? "{sign}" : "{sign}-{sign}";
  return segment;
}

/** The first page of each kind, of a language and of those that belong to none; of the archive the newest month, which has days. */
export function oneOfEachKind(site: Site, language: Language): PressedFile[] {
  const found = new Map<string, PressedFile>();
  for (const page of pagesIn(site)) {
    const kind = kindOf(page.path);
    const [first = ""] = page.path.split("/");
    if (isLanguage(first) && first !== language) continue;
    const before = found.get(kind);
    const isNewer =
      kind.includes("/archive/") && before !== undefined && isOfSameSign(before.path, page.path);
    if (before === undefined || (isNewer && page.path > before.path)) found.set(kind, page);
  }
  return [...found.values()];
}

/** Two pages of an archive. */
function isOfSameSign(one: string, other: string): boolean {
  return one.split("/")[2] === other.split("/")[2];
}

export function textOfPage({ bytes }: PressedFile): string {
  return new TextDecoder().decode(bytes);
}
