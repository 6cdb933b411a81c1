// The current pages that each language will have after a step. Links between translations are made from them: the language menu leads
// to all, and search engines are told of the listed ones. They also show which languages have pages that name too few translations,
// or some that are removed.
import { pathsInGroup, type RenderedSite } from "../state/published-files.ts";
import type { RenderSettings } from "../state/publish-context.ts";
import { type Language, languageNames } from "../../readings/tables.ts";
import { withoutLanguage } from "../../site/pages/head.ts";
import type { Alternates } from "../../site/context.ts";
import { groupAt, groupNamed, parsePath } from "../../site/paths.ts";
import { tree } from "../../site/tree.ts";
import { sha256 } from "../../vault/files.ts";
import { wantedBy } from "./leaving-paths.ts";
import { listedIn } from "./sitemaps.ts";

/** A language's current pages, without their language (`daily/leo/index.html`), and a hash of all of them. */
interface LanguagePages {
  /** Whether search engines are to list the page. */
  readonly pages: ReadonlyMap<string, boolean>;
  readonly hash: string;
}
export type CurrentPages = ReadonlyMap<Language, LanguagePages>;

/** Pages by their whole paths, each with whether it is listed. */
export type PagePaths = ReadonlyMap<string, boolean>;

interface LanguageChange {
  readonly language: Language;
  /** Pages that come; among them current ones count. */
  readonly pages: PagePaths;
  readonly leaves: readonly string[];
}

/** The published pages. */
export async function publishedPages(published: RenderedSite): Promise<Map<Language, PagePaths>> {
  const owns = languageNames.map(async (language) => {
    const paths = await pathsInGroup(published, groupNamed(language));
    const listed = await listedIn(groupNamed(language), published);
    return [language, new Map(paths.map((path) => [path, listed.has(path)]))] as const;
  });
  return new Map(await Promise.all(owns));
}

/** The current pages after these changes; if `site` is given, only those that the configuration wants. */
export function currentPages(
  before: ReadonlyMap<Language, PagePaths>,
  site: RenderSettings | undefined,
  changes: Iterable<LanguageChange> = [],
): CurrentPages {
  const changeOf = new Map([...changes].map((change) => [change.language, change]));
  const isWanted = site === undefined ? () => true : wantedBy(site);
  const known = new Map<string, string>();
  const owns = (site?.configuration.languages ?? languageNames).map((language) => {
    const { pages = [], leaves = [] } = changeOf.get(language) ?? {};
    const all = new Map([...(before.get(language) ?? []), ...pages]);
    for (const path of leaves) all.delete(path);
    const own = [...all].flatMap(([path, isListed]): [string, boolean][] => {
      const at = parsePath(path);
      const isCurrent = at !== undefined && "language" in at && groupAt(at) === groupNamed(language);
      return isCurrent && tree[at.row].isListed && isWanted(at)
        ? [[oneText(withoutLanguage(at), known), isListed]]
        : [];
    });
    own.sort(([one], [other]) => (one < other ? -1 : 1));
    return [language, { pages: new Map(own), hash: sha256(own.join(" ")) }] as const;
  });
  return new Map(owns.filter(([, { pages }]) => pages.size > 0));
}

/** The same text for the same page of all languages: a site of many people has many pages in many languages. */
function oneText(path: string, known: Map<string, string>): string {
  const text = known.get(path) ?? path;
  known.set(text, text);
  return text;
}

/** Undefined if no other language has a page. */
export function alternatesHash(language: Language, pages: CurrentPages): string | undefined {
  const words = [...pages]
    .filter(([other]) => other !== language)
    .map(([other, { hash }]) => `${other} ${hash}`);
  return words.length === 0 ? undefined : sha256(words.sort().join(" "));
}

export function alternatesOf(language: Language, pages: CurrentPages): Alternates | undefined {
  const alternates = new Map<string, Map<Language, boolean>>();
  for (const [other, { pages: own }] of pages) {
    if (other === language) continue;
    for (const [path, isListed] of own) {
      const before = alternates.get(path);
      if (before === undefined) alternates.set(path, new Map([[other, isListed]]));
      else before.set(other, isListed);
    }
  }
  return alternates.size === 0 ? undefined : alternates;
}

/** Whether a page is removed, or no longer listed, that other languages may link to. */
export function isAnyGone(before: CurrentPages, after: CurrentPages): boolean {
  return [...before].some(([language, { pages }]) => {
    const left = after.get(language)?.pages;
    return [...pages].some(([path, isListed]) => {
      const now = left?.get(path);
      return now === undefined || (isListed && !now);
    });
  });
}
