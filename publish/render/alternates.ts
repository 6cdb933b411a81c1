// The current pages that each language will have after a step. Links between translations are made from them. They also show which
// languages have pages that name too few translations, or some that are removed.
import { pathsInGroup, type PublishedSite } from "../state/published-files.ts";
import type { RenderSettings } from "../state/publish-context.ts";
import { type Language, languageNames } from "../../readings/tables.ts";
import { withoutLanguage } from "../../site/pages/head.ts";
import type { Alternates } from "../../site/context.ts";
import { groupAt, groupNamed, parsePath } from "../../site/paths.ts";
import { tree } from "../../site/tree.ts";
import { sha256 } from "../../vault/files.ts";
import { wantedBy } from "./leaving-paths.ts";

/** A language's current pages, without their language (`daily/leo/index.html`), and a hash of all of them. */
interface LanguagePages {
  readonly paths: readonly string[];
  readonly hash: string;
}
export type CurrentPages = ReadonlyMap<Language, LanguagePages>;

interface LanguageChange {
  readonly language: Language;
  /** Paths that come; among them those of current pages count. */
  readonly pages: readonly string[];
  readonly leaves: readonly string[];
}

/** The pages that the configuration wants; without a configuration all that are there. */
export async function currentPages(
  published: PublishedSite,
  site: RenderSettings | undefined,
  changes: Iterable<LanguageChange> = [],
): Promise<CurrentPages> {
  const changeOf = new Map([...changes].map((change) => [change.language, change]));
  const isWanted = site === undefined ? () => true : wantedBy(site);
  const known = new Map<string, string>();
  const owns = (site?.configuration.languages ?? languageNames).map(async (language) => {
    const group = groupNamed(language);
    const { pages = [], leaves = [] } = changeOf.get(language) ?? {};
    const paths = new Set(await pathsInGroup(published, group)).union(new Set(pages));
    for (const path of leaves) paths.delete(path);
    const own = [...paths].flatMap((path) => {
      const at = parsePath(path);
      const isCurrent = at !== undefined && "language" in at && groupAt(at) === group;
      return isCurrent && tree[at.row].isListed && isWanted(at) ? [oneText(withoutLanguage(at), known)] : [];
    });
    return [language, ownOf(own.sort())] as const;
  });
  return new Map((await Promise.all(owns)).filter(([, { paths }]) => paths.length > 0));
}

/** The same text for the same page of all languages: a site of many people has many pages in many languages. */
function oneText(path: string, known: Map<string, string>): string {
  const text = known.get(path) ?? path;
  known.set(text, text);
  return text;
}

function ownOf(paths: readonly string[]): LanguagePages {
  return { paths, hash: sha256(paths.join(" ")) };
}

/** Undefined if no other language has a page. */
export function alternatesHash(language: Language, pages: CurrentPages): string | undefined {
  const words = [...pages]
    .filter(([other]) => other !== language)
    .map(([other, { hash }]) => `${other} ${hash}`);
  return words.length === 0 ? undefined : ownOf(words.sort()).hash;
}

export function alternatesOf(language: Language, pages: CurrentPages): Alternates | undefined {
  const languages = new Map<string, Language[]>();
  for (const [other, { paths }] of pages) {
    if (other === language) continue;
    for (const path of paths) {
      const having = languages.get(path);
      if (having === undefined) languages.set(path, [other]);
      else having.push(other);
    }
  }
  return languages.size === 0 ? undefined : { languages };
}

/** Whether a page is removed that other languages may link to. */
export function isAnyGone(before: CurrentPages, after: CurrentPages): boolean {
  return [...before].some(([language, { paths }]) => {
    const left = new Set(after.get(language)?.paths);
    return paths.some((path) => !left.has(path));
  });
}
