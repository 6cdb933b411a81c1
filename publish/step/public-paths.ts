// Writes the public paths, the last steps of a publish: those that may not show the current state yet, in an order in which no page
// that can be reached from a front page is ever missing. The record names the state that they show, and further ones that a path
// may show since an owner of the site's lease has died in between.
import type { Owned, SiteOwner } from "./site-state.ts";
import { always, letGo, type Store, inParallel } from "../../store/store.ts";
import { parsePath } from "../../site/paths.ts";
import { type Row, stages, tree } from "../../site/tree.ts";
import { UnreadableFile, unlessDamaged, sha256 } from "../../vault/files.ts";
import { projectedHeaders } from "../state/headers.ts";
import { differing } from "../state/parts.ts";
import type { FileEntry, Manifest } from "../../site/manifest.schema.ts";
import { objectPath, readManifest } from "../state/state.ts";

/** A path that may show something else than the target state has there. */
interface Doubtful {
  readonly path: string;
  /** The target's entry; undefined where the target does not have the path. */
  readonly entry: FileEntry | undefined;
  /** Whether the path may not be there yet. */
  readonly isNew: boolean;
}

type Present = Doubtful & { readonly entry: FileEntry };

/** Writes the public paths if they may show another state than the current one. */
export async function finishPublicPaths(context: Owned): Promise<void> {
  const { found, record } = context.owner;
  const { current, written, partlyWritten } = record.value;
  if (context.site.forgets === true || found.judgement !== "current" || current === null) return;
  if (written?.manifest !== current.manifest || partlyWritten.length > 0) await writePublicPaths(context);
}

async function writePublicPaths(context: Owned): Promise<void> {
  const { site, owner } = context;
  const { current, written, partlyWritten } = owner.record.value;
  if (current === null) return;
  const to = current.manifest;
  const doubtful = await doubtfulPaths(site, [written?.manifest ?? null, ...partlyWritten], to, owner);
  await rewrite(context, doubtful);
  // Caches are notified before the record is written: if this owner dies in between, the next one notifies them again.
  const paths = doubtful.map(({ path }) => path);
  await context.noteChange?.({ ...current, paths });
  await owner.record.note((before) => ({ ...before, written: before.current, partlyWritten: [] }));
  owner.held.clear();
  owner.put.clear();
}

/** A public path that showed something else than its entry says. */
interface Rewritten extends Doubtful {
  readonly isThere: boolean;
}

/**
 * Compares the public paths in which these states differ from the current one, and writes those again that do not show it: a process
 * that has lost the lease may have written them late, or anybody may have damaged them. A state that is null stands for all paths; the
 * paths of `lost` objects stay as they are.
 */
export async function rewriteChanged(
  context: Owned,
  states: readonly (string | null)[],
  lost: Pick<ReadonlyMap<string, unknown>, "has"> = new Map(),
  read = async (path: string) => (await context.site.read(path))?.body,
): Promise<readonly Rewritten[]> {
  const { site, owner, noteChange } = context;
  const { current, written, partlyWritten } = owner.record.value;
  if (current === null) return [];
  const doubtful = await doubtfulPaths(site, states, current.manifest, owner);
  const looked = await inParallel(doubtful, async (one): Promise<Rewritten[]> => {
    const { path, entry } = one;
    if (entry !== undefined && lost.has(objectPath(entry.object, path))) return [];
    const bytes = await read(path);
    const object = bytes && sha256(bytes);
    return object === entry?.object ? [] : [{ ...one, isThere: bytes !== undefined }];
  });
  const changed = looked.flat();
  await rewrite(context, changed);
  // Caches may not know of an interrupted publish yet, and may have taken a damaged path that somebody has put right since.
  const isNoted =
    !states.includes(null) && written?.manifest === current.manifest && partlyWritten.length === 0;
  const paths = (isNoted ? changed : doubtful).map(({ path }) => path);
  if (paths.length > 0) await noteChange?.({ ...current, paths });
  return changed;
}

/** Writes these paths as their entries have them, and removes those that have none. */
async function rewrite(
  { site, siteId, owner: { held, put } }: Owned,
  doubtful: readonly Doubtful[],
): Promise<void> {
  const link = async (object: string, path: string) => (await site.link?.(object, path)) === true;
  const write = async ({ path, entry }: Present) => {
    const object = objectPath(entry.object, path);
    const isSound = put.has(object); // else its bytes are checked first
    if (isSound && (await link(object, path))) return;
    const bytes = held.get(object) ?? (await site.read(object))?.body;
    if (bytes === undefined || (!held.has(object) && sha256(bytes) !== entry.object)) {
      const fault = bytes === undefined ? "missing" : "damaged";
      throw new UnreadableFile(
        `the manifest names ${object} for ${path}, which is ${fault}. Run \`almanac repair\``,
      );
    }
    if (isSound || !(await link(object, path)))
      await site.write(path, bytes, projectedHeaders(entry.type, path, siteId), always);
    if (!held.has(object)) letGo(bytes);
  };
  for (const step of stepsOf(doubtful.filter((one): one is Present => one.entry !== undefined)))
    await inParallel(step, write, site.writesAtOnce);
  // A page that leads to others is removed before them.
  const gone = stepsOf(doubtful.filter(({ entry }) => entry === undefined)).toReversed();
  if (gone.length > 0) await site.remove(gone.flat().map(({ path }) => path));
}

/** The paths in which one of these states, which the paths may show, differs from the target; all paths if one is unknown. */
async function doubtfulPaths(
  site: Store,
  shown: readonly (string | null)[],
  to: string,
  { reader, manifests }: Pick<SiteOwner, "reader" | "manifests">,
): Promise<Doubtful[]> {
  const target = await readManifest(site, to, manifests);
  const found = new Map<string, Doubtful>();
  const include = async (before: Manifest | undefined, after: Manifest | undefined) => {
    for (const [group, paths] of await differing(reader, before, after)) {
      const [had, wanted] = await Promise.all([reader.files(before, group), reader.files(target, group)]);
      for (const path of paths) {
        const isNew = had[path] === undefined || found.get(path)?.isNew === true;
        found.set(path, { path, entry: wanted[path], isNew });
      }
    }
    return true;
  };
  for (const from of shown) {
    const before = from === null ? undefined : await unlessDamaged(() => readManifest(site, from, manifests));
    if (before !== undefined && (await unlessDamaged(() => include(before, target))) === true) continue;
    if (before !== undefined) await unlessDamaged(() => include(undefined, before));
    await include(undefined, target);
  }
  return [...found.values()];
}

/**
 * Groups of paths that may be written together, in order: new paths before changed ones, because nothing links to them yet; then by
 * stage. Among front pages the deeper ones come first, because the higher ones link to them, and feeds before their page.
 */
const unknown: Pick<Row, "stage" | "path" | "isFeed"> = { stage: "latest", path: "" };

function stepsOf<File extends Doubtful>(files: readonly File[]): File[][] {
  const steps = new Map<number, File[]>();
  for (const file of files) {
    const at = parsePath(file.path);
    const { stage, path, isFeed } = at === undefined ? unknown : tree[at.row];
    const depth = path.split("/").length + (isFeed ? 1 : 0);
    const height = stage === "front" ? 9 - depth : 0;
    const step = (file.isNew ? 0 : 100) + stages.indexOf(stage) * 10 + height;
    const others = steps.get(step);
    if (others === undefined) steps.set(step, [file]);
    else others.push(file);
  }
  return [...steps].sort(([one], [other]) => one - other).map(([, step]) => step);
}
