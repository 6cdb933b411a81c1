// The parts of a manifest: by language and month, with one group a language for its current paths, so that a night's cost
// does not grow with the age of the site. A group too large for one file goes on in `~2`, `~3`, in the order of its paths.
import { isLanguage, type Language } from "../../readings/tables.ts";
import { groupAt, parsePath } from "../../site/paths.ts";
import type { TreePath } from "../../site/tree.ts";
import { inParallel, type Store } from "../../store/store.ts";
import { parseJson, UnreadableFile, canonical } from "../../vault/files.ts";
import { type FileEntry, type Files, type Manifest, partSchema } from "../../site/manifest.schema.ts";
import { type HashedFile, hashed, manifestPath, readHashed } from "./state.ts";

/** The most that a reader fetches at once. */
const mostPartBytes = 256 * 1024;

/** A file of another version is in the group where a client looks for it (packages/client/almanac.js). */
export function groupOf(path: string): string {
  const at = parsePath(path);
  if (at !== undefined) return groupAt(at);
  const [first = "", second = ""] = path.split("/");
  const language = first === "v1" ? second : first;
  const [, year, month = "01"] = /\/(\d{4})-?(\d\d)?[-\d]*[/.]/.exec(path) ?? [];
  if (!isLanguage(language)) return "shared";
  return `${language}/${year === undefined ? "current" : `${year}-${month}`}`;
}

export function groupsIn(manifest: Pick<Manifest, "parts"> | undefined): string[] {
  return [...new Set(Object.keys(manifest?.parts ?? {}).map(groupOfPart))];
}

function groupOfPart(part: string) {
  return part.replace(/~\d+$/, "");
}

/** The language and month in a group's name; undefined for a group of no language. */
export function languageGroup(
  group: string,
): { readonly language: Language; readonly month: string | undefined } | undefined {
  const [language = "", month] = group.split("/");
  return isLanguage(language) ? { language, month: month === "current" ? undefined : month } : undefined;
}

export function languageOf(path: string): Language | undefined {
  return languageGroup(groupOf(path))?.language;
}

/** The sitemap that lists the pages of a group. */
export function sitemapOf(group: string): TreePath {
  const of = languageGroup(group);
  if (of === undefined) return { row: "sitemapOfSite" };
  const { language, month } = of;
  return month === undefined ? { row: "sitemap", language } : { row: "monthSitemap", language, month };
}

/** The parts of one group, with their hashes. */
function partsOf(parts: Manifest["parts"], group: string): [part: string, hash: string][] {
  return Object.entries(parts).filter(([part]) => groupOfPart(part) === group);
}

export function partsIn(manifest: Pick<Manifest, "parts">, group: string): [part: string, hash: string][] {
  return partsOf(manifest.parts, group);
}

export function sameParts(one: Manifest["parts"], other: Manifest["parts"]): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** The parts of a language, each with its hash: the same words where nothing of the language has changed. */
export function partsOfLanguage(manifest: Pick<Manifest, "parts"> | undefined, language: Language): string[] {
  return Object.entries(manifest?.parts ?? {})
    .filter(([part]) => languageGroup(part)?.language === language)
    .map(([part, hash]) => `${part} ${hash}`)
    .sort();
}

export function sameGroup(
  one: Pick<Manifest, "parts">,
  other: Pick<Manifest, "parts">,
  group: string,
): boolean {
  return JSON.stringify(partsOf(one.parts, group)) === JSON.stringify(partsOf(other.parts, group));
}

/** Reads groups, each part once: parts never change. */
export type PartReader = ReturnType<typeof createPartReader>;

export function createPartReader(site: Store) {
  const known = new Map<string, Promise<Files>>();
  const made = new Map<string, Uint8Array>();
  const groups = new Map<string, Promise<Files>>();
  const part = (name: string, hash: string): Promise<Files> => {
    const bytes = made.get(hash);
    const reading =
      known.get(hash) ?? (bytes === undefined ? readPart(site, name, hash) : filesIn(hash, bytes));
    known.set(hash, reading);
    reading.catch(() => known.delete(hash)); // a repair may put it back
    return reading;
  };
  const together = async (parts: readonly [name: string, hash: string][]): Promise<Files> => {
    const files = await Promise.all(parts.map(([name, hash]) => part(name, hash)));
    return files.length === 1 ? (files[0] ?? {}) : Object.assign({}, ...files);
  };
  return {
    files(manifest: Pick<Manifest, "parts"> | undefined, group: string): Promise<Files> {
      const parts = partsOf(manifest?.parts ?? {}, group);
      const hashes = parts.map(([, hash]) => hash).join();
      const reading = groups.get(hashes) ?? together(parts);
      groups.set(hashes, reading);
      reading.catch(() => groups.delete(hashes));
      return reading;
    },
    /** Parts that were just made need not be read. */
    know(parts: readonly HashedFile[]): void {
      for (const { hash, bytes } of parts) made.set(hash, bytes);
    },
    /** Reads these files from the site when they are needed. */
    letGo(parts: readonly HashedFile[]): void {
      for (const { hash } of parts) made.delete(hash);
    },
  };
}

/** The files of all groups of a state, or of the wanted ones. */
export async function allFiles(
  reader: PartReader,
  manifest: Pick<Manifest, "parts"> | undefined,
  isWanted: (group: string) => boolean = () => true,
): Promise<Map<string, FileEntry>> {
  const groups = await inParallel(groupsIn(manifest).filter(isWanted), (group) =>
    reader.files(manifest, group),
  );
  return new Map(groups.flatMap((files) => Object.entries(files)));
}

async function readPart(site: Store, part: string, hash: string): Promise<Files> {
  const body = await readHashed(site, hash);
  if (body !== undefined) return filesIn(hash, body);
  throw new UnreadableFile(
    `the manifest names ${manifestPath(hash)} for ${part}, which is missing. Run \`almanac repair\``,
  );
}

async function filesIn(hash: string, bytes: Uint8Array): Promise<Files> {
  return parseJson(manifestPath(hash), bytes, partSchema).files;
}

/** The parts with this group's files in place of the ones it had, and the part files made for it. */
export function withGroup(
  parts: Manifest["parts"],
  group: string,
  files: Files,
): { readonly parts: Manifest["parts"]; readonly made: HashedFile[] } {
  const others = Object.entries(parts).filter(([part]) => groupOfPart(part) !== group);
  const chunks = chunked(files).map((chunk) => hashed(canonical({ files: chunk })));
  const own = chunks.map(({ hash }, index): [string, string] => [
    index === 0 ? group : `${group}~${index + 1}`,
    hash,
  ]);
  return { parts: Object.fromEntries([...others, ...own]), made: chunks };
}

function chunked(files: Files): Files[] {
  const chunks: Record<string, FileEntry>[] = [];
  let chunk: Record<string, FileEntry> = {};
  let sizeBytes = Number.POSITIVE_INFINITY;
  for (const path of Object.keys(files).sort()) {
    const entry = files[path];
    if (entry === undefined) continue;
    const addedBytes = JSON.stringify(path).length + JSON.stringify(entry).length + 3; // paths and types are ASCII
    if (sizeBytes + addedBytes > mostPartBytes) {
      chunk = {};
      chunks.push(chunk);
      sizeBytes = '{"files":{}}'.length;
    }
    chunk[path] = entry;
    sizeBytes += addedBytes;
  }
  return chunks;
}

type Parts = Pick<Manifest, "parts">;

/** A path in which two states differ, with the reason. */
export interface PathChange {
  readonly path: string;
  readonly reason: "new" | "changed" | "gone";
}

/** The states before and after a step. */
export interface SiteStep {
  readonly before: Parts | undefined;
  readonly after: Parts;
  /** In how many paths they differ. */
  readonly changed: number;
}

/** The changes of a step; none if nothing was published. */
export async function changesOf({
  step,
  reader,
}: {
  readonly step: SiteStep | undefined;
  readonly reader: PartReader;
}): Promise<PathChange[]> {
  return step === undefined ? [] : changesBetween(reader, step.before, step.after);
}

/** A line for each path in which two states differ. */
export async function changesBetween(
  reader: PartReader,
  before: Parts | undefined,
  after: Parts,
): Promise<PathChange[]> {
  const changes: PathChange[] = [];
  for (const [group, paths] of await differing(reader, before, after)) {
    const [had, has] = [await reader.files(before, group), await reader.files(after, group)];
    for (const path of paths) {
      const reason = had[path] === undefined ? "new" : has[path] === undefined ? "gone" : "changed";
      changes.push({ path, reason });
    }
  }
  return changes;
}

/** The paths in which two states differ, by their groups. Only parts that changed are read. */
export async function differing(
  reader: PartReader,
  before: Parts | undefined,
  after: Parts | undefined,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const groups = new Set([before, after].flatMap(groupsIn));
  for (const group of groups) {
    if (before !== undefined && after !== undefined && sameGroup(before, after, group)) continue;
    const [had, has] = [await reader.files(before, group), await reader.files(after, group)];
    const paths = [...new Set([...Object.keys(had), ...Object.keys(has)])].filter((path) => {
      const [one, other] = [had[path], has[path]];
      return one?.object !== other?.object || one?.type !== other?.type;
    });
    if (paths.length > 0) found.set(group, paths);
  }
  return found;
}
