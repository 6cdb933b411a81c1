// Lost files of the shared part that can't be made again with the same bytes, such as the status, which says when editions
// came: they are published anew, as the next publish would do.
import { UnreadableFile, unlessDamaged } from "../../vault/json.ts";
import { advance } from "../step/advance.ts";
import { merge } from "../press/merged-state.ts";
import type { Entries, TellRepair } from "./repair-report.ts";
import { groupOf } from "../state/parts.ts";
import type { Publishing } from "../state/publishing-place.ts";
import { noLanguages, withSitemaps } from "../press/sitemaps.ts";
import { objectPath, pointerPath } from "../state/state.ts";

/** `lost` are the lost objects, by path. Returns whether there is a newer state now. */
export async function publishLost(
  publishing: Publishing,
  files: Entries,
  lost: ReadonlyMap<string, unknown>,
  tell: TellRepair,
): Promise<boolean> {
  const isLost = (path: string) => {
    const entry = files.get(path);
    return entry !== undefined && groupOf(path) === "shared" && lost.has(objectPath(entry.object, path));
  };
  if (![...files.keys()].some(isLost)) return false;
  const { site, now } = publishing;
  const by = { run: "repair", asOf: now().toISOString() };
  const advanced = await unlessDamaged(() =>
    advance(publishing, by, async (base, reader) => {
      if (base === undefined) throw new UnreadableFile(`${pointerPath} went away during the repair`);
      const published = { site, manifest: base.manifest, reader };
      const pressed = await withSitemaps(published, noLanguages, publishing, now());
      return merge(
        base.manifest,
        pressed.files.filter(({ path }) => isLost(path)),
        [],
        reader,
      );
    }),
  );
  for (const { path } of advanced?.changes ?? [])
    tell(path, "written", "lost; published anew as the next publish would");
  return advanced !== undefined && advanced.changes.length > 0;
}
