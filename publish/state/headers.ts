// HTTP headers of a published file: its cache lifetime, which is unlimited only if its path contains its hash, and tags for the
// parts of the site that it belongs to. Caches are notified of changed parts, because a night changes tens of thousands of paths.
import { parsePath } from "../../site/paths.ts";
import { tree, type TreePath } from "../../site/tree.ts";
import type { ObjectHeaders } from "../../store/store.ts";
import { type Language, languageNames } from "../../readings/tables.ts";

const json = "application/json; charset=utf-8";

export const immutable = "public, max-age=31536000, immutable";
/** Past days can still be repaired: a day, then stale while it is fetched again. */
const dated = "public, max-age=86400, stale-while-revalidate=86400";
const current = "public, max-age=300";

export const manifestHeaders: ObjectHeaders = { type: json, cacheControl: immutable };
export const pointerHeaders: ObjectHeaders = { type: json, cacheControl: "public, max-age=5" };

export function objectHeaders(type: string): ObjectHeaders {
  return { type, cacheControl: immutable };
}

/** `siteId`: with which the tags of its files begin. */
export function projectedHeaders(type: string, path: string, siteId?: string): ObjectHeaders {
  const at = parsePath(path);
  if (at !== undefined && "hash" in at) return objectHeaders(type);
  const cacheControl = at !== undefined && tree[at.row].stage === "dated" ? dated : current;
  return { type, cacheControl, ...(siteId !== undefined && { tags: cacheTags(siteId, path) }) };
}

/**
 * `en` for a language, `en.daily-horoscope` for its current set of an operation, `en.daily-horoscope.2026-11-21` for a dated
 * one, `en.front` for what a language has of several sets; of no language `shared` for what each night makes again, and `own`
 * for what a new version or theme does.
 */
export type CachePart = string;

/** A language with more changed sets is reported as a whole. */
const mostSets = 2;
/** The maximum of one publish: caches accept little more at once. */
export const mostParts = 60;

/** The tags of a file in a store that serves readers, the widest first; an immutable file has none. */
export function cacheTags(site: string, path: string): string[] {
  const part = partOf(path);
  if (part === undefined) return [];
  const language = languageIn(part);
  const wider = language === undefined || language === part ? [] : [language];
  return [site, ...[...wider, part].map((one) => tagOf(site, one))];
}

export function tagOf(site: string, part: CachePart): string {
  return `${site}.${part}`;
}

/** Undefined for a path whose contents never change. */
export function partOf(path: string): CachePart | undefined {
  const at = parsePath(path);
  if (at === undefined) return "own";
  if ("hash" in at) return undefined;
  if (!("language" in at)) return ["own", "picture"].includes(tree[at.row].shows) ? "own" : "shared";
  const operation = operationAt(at);
  if (operation === undefined) return `${at.language}.front`;
  const date = "key" in at ? at.key : "date" in at ? at.date : undefined;
  return [at.language, operation, ...(date === undefined ? [] : [date])].join(".");
}

function operationAt(at: TreePath): string | undefined {
  if ("operation" in at) return at.operation;
  if ("kind" in at) return `${at.kind}-horoscope`;
  return tree[at.row].of;
}

export function languageIn(part: CachePart): Language | undefined {
  return languageNames.find((language) => part === language || part.startsWith(`${language}.`));
}

/** The same, in as few parts as possible: languages as a whole where much of them changed, or where there are too many. */
export function foldedParts(parts: Iterable<CachePart>): CachePart[] {
  const byLanguage = Map.groupBy(new Set(parts), languageIn);
  const others = byLanguage.get(undefined) ?? [];
  byLanguage.delete(undefined);
  const languages = [...byLanguage].map(([language = "en", own]) => ({
    language,
    own:
      own.includes(language) || own.filter((part) => !part.endsWith(".front")).length > mostSets
        ? [language]
        : own,
  }));
  const fewestFirst = languages.toSorted((one, other) => one.own.length - other.own.length);
  let room = mostParts - others.length - languages.length;
  const folded = fewestFirst.flatMap(({ language, own }) => {
    const more = own.length - 1;
    if (more > room) return [language];
    room -= more;
    return own;
  });
  return [...others, ...folded].sort();
}
