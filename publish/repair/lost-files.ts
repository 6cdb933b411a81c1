// Lost files that can't be made again with the same bytes, because the vault, the templates or the time have moved on: they are
// published again, as the next publish would make them.
import { unlessDamaged } from "../../vault/json.ts";
import { commitState } from "../step/commit.ts";
import type { Owned } from "../step/recovery.ts";
import { changesOf } from "../step/changed-paths.ts";
import { merge } from "../render/merged-state.ts";
import type { Entries, TellRepair } from "./repair-report.ts";
import { filesFromVault } from "./files-from-vault.ts";
import { languageOf } from "../state/parts.ts";
import type { Publishing } from "../state/publish-context.ts";
import { noLanguages, withSitemaps } from "../render/sitemaps.ts";
import { objectPath } from "../state/state.ts";

/** `lost` are the lost objects, by path. Returns whether there is a newer state now. */
export async function publishLost(
  publishing: Owned<Publishing>,
  files: Entries,
  lost: ReadonlyMap<string, unknown>,
  tell: TellRepair,
): Promise<boolean> {
  const isLost = (path: string) => {
    const entry = files.get(path);
    return entry !== undefined && lost.has(objectPath(entry.object, path));
  };
  const paths = [...files.keys()].filter(isLost);
  if (paths.length === 0) return false;
  const { site, now } = publishing;
  const by = { run: "repair", asOf: now().toISOString() };
  const committed = await unlessDamaged(() =>
    commitState(publishing, by, async (base, reader) => {
      if (base === undefined) return merge(undefined, [], [], reader);
      const published = { site, manifest: base.manifest, reader };
      const shared = await withSitemaps(published, noLanguages, publishing, now());
      const own = await filesFromVault(paths.filter(languageOf), published, publishing);
      const rendered = [...shared.files, ...own].filter(({ path }) => isLost(path));
      return merge(base.manifest, rendered, [], reader);
    }),
  );
  if (committed === undefined) return false;
  const changes = await changesOf(committed);
  for (const { path } of changes) tell(path, "written", "lost; rendered and published again");
  return changes.length > 0;
}
