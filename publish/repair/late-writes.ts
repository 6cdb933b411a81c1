// Looks, a quarter of an hour after a process has lost the site's lease, whether one of its writes has arrived late: a public path that
// shows another state, or a removal by a clean-up. No request lives that long.
import type { Owned } from "../step/site-state.ts";
import type { Publishing, PublishContext } from "../state/publish-context.ts";
import { allFiles, createPartReader } from "../state/parts.ts";
import { manifestPath, objectPath } from "../state/state.ts";
import { ownerBase } from "../step/commit.ts";
import { rewriteChanged } from "../step/public-paths.ts";
import type { UncleanEntry } from "../step/record.ts";
import { repairOwned } from "./repair.ts";

const overAfterMs = 15 * 60_000;

/** Whether nothing can arrive any more; also if a clock was set since. */
export function isOver({ at }: UncleanEntry, { now }: Pick<PublishContext, "now">): boolean {
  return Math.abs(now().getTime() - Date.parse(at)) >= overAfterMs;
}

/** Compares the files that may have been written late, and brings back those that were. */
export async function repairLateWrites(publishing: Owned<Publishing>): Promise<void> {
  const { owner, log } = publishing;
  const over = owner.record.value.unclean.filter((entry) => isOver(entry, publishing));
  if (over.length === 0) return;
  const missing = await missingUnder(
    over.flatMap(({ prefix }) => prefix ?? []),
    publishing,
  );
  if (missing.length > 0) {
    log.warn(
      { missing: missing.slice(0, 10) },
      `repairing ${missing.length} files that a cleanup deleted late`,
    );
    await repairOwned(publishing, false);
  }
  const rewritten = await rewriteChanged(
    publishing,
    over.flatMap(({ states }) => states),
  );
  const paths = rewritten.map(({ path }) => path);
  if (paths.length > 0)
    log.warn({ paths: paths.slice(0, 10) }, `${paths.length} public paths written again after a late write`);
  await owner.record.note((record) => ({
    ...record,
    unclean: record.unclean.filter(({ at }) => !over.some((one) => one.at === at)),
  }));
}

/** The files of the current state whose keys begin so, and that are not there. */
async function missingUnder(prefixes: readonly string[], publishing: Owned<Publishing>): Promise<string[]> {
  if (prefixes.length === 0) return [];
  const { site } = publishing;
  const base = await ownerBase(publishing);
  if (base === undefined) return [];
  const needed = new Set([manifestPath(base.hash), ...Object.values(base.manifest.parts).map(manifestPath)]);
  const there = new Set<string>();
  for (const prefix of new Set(prefixes)) for await (const key of site.keys(prefix)) there.add(key);
  const isMissing = (key: string) => prefixes.some((prefix) => key.startsWith(prefix)) && !there.has(key);
  const parts = [...needed].filter(isMissing);
  if (parts.length > 0) return parts;
  for (const [path, { object }] of await allFiles(createPartReader(site), base.manifest))
    needed.add(objectPath(object, path));
  return [...needed].filter(isMissing);
}
