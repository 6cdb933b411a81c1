// Writes the stable paths: it finds those that may not show a state yet, and writes them in an order in which no page that can
// be reached from a front page is ever missing.
import { always, letGo } from "../../store/store.ts";
import { parsePath } from "../../site/paths.ts";
import { type Row, stages, tree } from "../../site/tree.ts";
import { UnreadableFile, unlessDamaged } from "../../vault/json.ts";
import { sha256 } from "../../vault/sha256.ts";
import { projectedHeaders } from "../state/headers.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { differing } from "./changed-paths.ts";
import type { Rewriting } from "./journal.ts";
import type { FileEntry, Manifest } from "../state/manifest.schema.ts";
import type { Puts } from "../state/puts.ts";
import type { PartReader } from "../state/parts.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { type Manifests, objectPath, readManifest } from "../state/state.ts";

/** What a publisher has just written, so that it need not be read. */
export interface StepState {
  readonly reader: PartReader;
  readonly manifests: Manifests;
  /** Bytes of objects that need not be read. */
  readonly held: Puts["held"];
}

/** A path that may show something else than the target state has there. */
interface Doubtful {
  readonly path: string;
  /** The target's entry; undefined where the target does not have the path. */
  readonly entry: FileEntry | undefined;
  /** Whether the path may not be there yet. */
  readonly isNew: boolean;
}

type Present = Doubtful & { readonly entry: FileEntry };

function isPresent(one: Doubtful): one is Present {
  return one.entry !== undefined;
}

/** Writes, as the target has it, every path in which the two states of a line differ; returns those paths. */
export async function rewrite(
  { site, siteId }: PublishingPlace,
  lines: readonly Rewriting[],
  target: Manifest,
  { reader, manifests, held }: StepState,
): Promise<string[]> {
  const doubtful = await doubtfulPaths(site, lines, target, { reader, manifests });
  const write = async ({ path, entry }: Present) => {
    const object = objectPath(entry.object, path);
    const bytes = held.get(object) ?? (await site.read(object))?.body;
    if (bytes === undefined || (!held.has(object) && sha256(bytes) !== entry.object)) {
      const fault = bytes === undefined ? "not there" : "damaged";
      throw new UnreadableFile(
        `the manifest names ${object} for ${path}, which is ${fault}: \`almanac repair\``,
      );
    }
    await site.write(path, bytes, projectedHeaders(entry.type, path, siteId), always);
    if (!held.has(object)) letGo(bytes);
  };
  for (const step of stepsOf(doubtful.filter(isPresent))) await inParallel(step, write, site.writesAtOnce);
  // A page that leads to others is removed before them.
  const gone = stepsOf(doubtful.filter(({ entry }) => entry === undefined)).toReversed();
  if (gone.length > 0) await site.remove(gone.flat().map(({ path }) => path));
  return doubtful.map(({ path }) => path);
}

/** Whether a line leaves open which paths it is about: it has no beginning, or its manifests were cleaned up. */
export async function knowsTooLittle(
  { site }: PublishingPlace,
  lines: readonly Rewriting[],
  manifests: Manifests,
): Promise<boolean> {
  for (const line of lines) {
    if ((await endsOf(line, site, manifests)).includes(undefined)) return true;
  }
  return false;
}

async function endsOf(
  { from, to }: Pick<Rewriting, "from" | "to">,
  site: PublishingPlace["site"],
  manifests: Manifests,
): Promise<[before: Manifest | undefined, after: Manifest | undefined]> {
  return Promise.all([
    from === null ? undefined : unlessDamaged(() => readManifest(site, from, manifests)),
    unlessDamaged(() => readManifest(site, to, manifests)),
  ]);
}

async function doubtfulPaths(
  site: PublishingPlace["site"],
  lines: readonly Rewriting[],
  target: Manifest,
  { reader, manifests }: Pick<StepState, "reader" | "manifests">,
): Promise<Doubtful[]> {
  const found = new Map<string, Doubtful>();
  const include = async (before: Manifest | undefined, after: Manifest | undefined) => {
    for (const [group, paths] of await differing(reader, before, after)) {
      const [had, wanted] = await Promise.all([reader.files(before, group), reader.files(target, group)]);
      for (const path of paths) {
        const isNew = had[path] === undefined || found.get(path)?.isNew === true;
        found.set(path, { path, entry: wanted[path], isNew });
      }
    }
  };
  const pairs = new Map(lines.map(({ from, to }) => [`${from} ${to}`, { from, to }]));
  for (const line of pairs.values()) {
    const [before, after] = await endsOf(line, site, manifests);
    const isWhole = before !== undefined && after !== undefined;
    if (isWhole && (await unlessDamaged(async () => (await include(before, after), true))) === true) continue;
    // Every path of either state is written; projection.ts has a line for all paths of the target, too.
    for (const state of [before, after]) {
      if (state !== undefined) await unlessDamaged(() => include(undefined, state));
    }
    await include(undefined, target);
  }
  return [...found.values()];
}

/**
 * What may be written at once, step after step: new paths before changed ones, because nothing leads to them yet; then by
 * stage; among front pages the deeper ones first, because the higher ones link to them, and feeds before their page.
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
