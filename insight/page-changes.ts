// The pages that today's readers and templates would change, and how: `almanac render` over the same languages and dates, on
// whatever stores it is given. On trial stores nothing is written.
import { type ArchiveInput, renderArchive, type RenderedArchive } from "../publish/archive.ts";
import type { NextState, Puts } from "../publish/render/merged-state.ts";
import { groupOf, changesBetween, type PathChange } from "../publish/state/parts.ts";
import { type PublishedSite, publishedBytes, publishedAmong } from "../publish/state/published-files.ts";
import type { Publishing } from "../publish/state/publish-context.ts";
import { shownInDeck } from "../publish/render/decided-texts.ts";
import { objectPath } from "../publish/state/state.ts";
import type { Language } from "../readings/tables.ts";
import { isFurtherDraw, type ReadingRequest, requestOf } from "../readings/request.ts";
import { isFolder } from "../site/address.ts";
import { typeOf } from "../site/edition.ts";
import { ownPaths, parsePath, pathOf, shows } from "../site/paths.ts";
import { tree } from "../site/tree.ts";
import { unlessDamaged } from "../vault/files.ts";
import type { Vault } from "../vault/vault.ts";
import { type Pin, readWithheld } from "../vault/withheld.ts";
import { type FileDifference, differenceOf } from "./file-difference.ts";
import type { RefusedAnswer, Revalidated } from "./judge.ts";

/** The difference of this many texts is reported; of other files, that of one per kind. */
const mostTexts = 200;

export interface PageChanges extends Omit<RenderedArchive, "lifted" | "version"> {
  /** The new state's version; absent if nothing could be rendered. */
  readonly version: number | undefined;
  /** `{lang}/daily/{sign}/{key}/index.html`: how many of them change. */
  readonly kinds: readonly ChangedKind[];
  readonly differences: readonly FileDifference[];
  /** Languages left unchanged: a rollback pins them until an operator removes the pin. */
  readonly pinned: readonly Pin[];
}

interface ChangedKind {
  readonly kind: string;
  readonly files: number;
}

export type PagesInput = Pick<ArchiveInput, "languages" | "dates" | "by" | "onBatch">;

const nothingRendered = {
  version: undefined,
  files: 0,
  changes: [],
  passedOver: [],
  left: 0,
  kinds: [],
  differences: [],
};

export async function pagesToday(input: PagesInput, publishing: Publishing): Promise<PageChanges> {
  const { languages, pinned } = await splitPinned(input.languages, publishing);
  const differences = new Map<string, FileDifference>();
  const isReported = chooseReported();
  const onProposed = async (next: NextState, published: PublishedSite, puts: Puts) => {
    for (const change of await changesBetween(published.reader, published.manifest, next)) {
      if (isReported(change.path))
        differences.set(change.path, { ...change, ...(await differenceIn(change, next, published, puts)) });
    }
  };
  if (languages.length === 0) return { ...nothingRendered, pinned };
  const rendered = await renderArchive({ ...input, languages, evenMany: false, onProposed }, publishing);
  const { lifted: _none, ...archive } = rendered;
  const counts = Map.groupBy(archive.changes, ({ path }) => kindOfPath(path));
  return {
    ...archive,
    kinds: [...counts]
      .map(([kind, files]) => ({ kind, files: files.length }))
      .toSorted((one, other) => other.files - one.files),
    // Data come first, because templates don't affect them.
    differences: [...differences.values()].toSorted(
      (one, other) => Number(isText(other.path)) - Number(isText(one.path)),
    ),
    pinned,
  };
}

/** No publish changes a language that a rollback pins. */
async function splitPinned(all: readonly Language[], { vault }: Publishing) {
  const { pins } = (await readWithheld(vault.own)).note;
  const pinned = all.flatMap((language) => pins.find((pin) => pin.language === language) ?? []);
  return { pinned, languages: all.filter((one) => !pinned.some(({ language }) => language === one)) };
}

/** Decides which paths are reported. A path stays reported when a lost conditional write makes another proposal. */
function chooseReported(): (path: string) => boolean {
  const reported = new Set<string>();
  const kinds = new Set<string>();
  let texts = 0;
  return (path) => {
    if (reported.has(path)) return true;
    const kind = kindOfPath(path);
    const asText = isText(path) && texts < mostTexts;
    if (!asText && kinds.has(kind)) return false;
    if (asText) texts += 1;
    kinds.add(kind);
    reported.add(path);
    return true;
  };
}

/** Whether a path is the data of one text, which no template affects. */
function isText(path: string) {
  const at = parsePath(path);
  return at !== undefined && shows(at, "text") && tree[at.row].schemas !== undefined;
}

const decoder = new TextDecoder();

/** Undefined for an added or removed file, which differs as a whole, and for a picture, which has no lines. */
async function differenceIn(
  { path, reason }: PathChange,
  next: NextState,
  published: PublishedSite,
  puts: Puts,
) {
  const nothing = { lines: [], more: 0 };
  if (reason !== "changed" || typeOf(path).startsWith("image/")) return nothing;
  const before = await unlessDamaged(() => publishedBytes(published, path));
  const object = (await published.reader.files(next, groupOf(path)))[path]?.object;
  const place = object === undefined ? "" : objectPath(object, path);
  const after = next.newObjects.find(({ key }) => key === place)?.bytes ?? puts.held.get(place);
  if (before === undefined || after === undefined) return nothing;
  return differenceOf(decoder.decode(before), decoder.decode(after), path);
}

// The files that the first publish with this code would change, for `almanac upgrade`. The current pages are rendered once.

interface ChangedPath {
  readonly path: string;
  readonly kind: string;
  /** The hash of the new content; absent for a removed file. */
  readonly hash?: string | undefined;
}

/** In every language except those that a rollback pins, which no publish changes. */
export async function changedPaths(publishing: Publishing): Promise<ChangedPath[]> {
  const { languages } = await splitPinned(publishing.configuration.languages, publishing);
  if (languages.length === 0) return [];
  const changes = new Map<string, ChangedPath>();
  const onProposed: ArchiveInput["onProposed"] = async (next, { manifest, reader }) => {
    for (const { path } of await changesBetween(reader, manifest, next)) {
      const hash = (await reader.files(next, groupOf(path)))[path]?.object;
      changes.set(path, { path, kind: kindOfPath(path), hash });
    }
  };
  await renderArchive({ languages, evenMany: false, onProposed }, publishing);
  return [...changes.values()];
}

/** Such as `{lang}/daily/{sign}/{key}/index.html`. */
function kindOfPath(path: string): string {
  const at = parsePath(path);
  if (at === undefined) return path;
  const kind = tree[at.row].path.replace("{language}", "{lang}");
  return "kind" in at
    ? kind.replace("{kind}", at.kind)
    : "operation" in at
      ? kind.replace("{operation}", at.operation)
      : kind;
}

// The paths on which the site shows refused answers: a person who withdraws a text has to name its page.

type ResponseReader = Pick<Vault, "intactResponse">;

export async function withPaths(
  revalidated: Revalidated,
  published: PublishedSite,
  vault: ResponseReader,
): Promise<Revalidated> {
  const refused: RefusedAnswer[] = [];
  for (const one of revalidated.refused) {
    const request = requestOf(one.key);
    refused.push({ ...one, path: request && (await pathShowing(request, published, vault)) });
  }
  return { ...revalidated, refused };
}

async function pathShowing(
  request: ReadingRequest,
  published: PublishedSite,
  vault: ResponseReader,
): Promise<string | undefined> {
  if (!isFurtherDraw(request)) {
    const own = await publishedAmong(published, ownPaths(request));
    return own.find(isFolder) ?? own[0];
  }
  const { language, operation } = request;
  const { cards } = await shownInDeck(request, published, vault);
  return cards.length > 0 ? pathOf({ row: "deckPage", language, operation }) : undefined;
}
