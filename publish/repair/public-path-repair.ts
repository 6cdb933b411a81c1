// Brings the public paths back to the current state, as the next owner of the site does after a publish of which nothing is known, but
// writes only files that differ.
import type { Store } from "../../store/store.ts";
import { sha256 } from "../../vault/sha256.ts";
import { writePublicPaths } from "../step/public-paths.ts";
import type { Owned } from "../step/recovery.ts";
import type { Entries, TellRepair } from "./repair-report.ts";
import { objectPath } from "../state/state.ts";
import { storeSource } from "./store-source.ts";

/** `lost` are the lost objects: the paths that show them stay as they are. */
export async function repairPublicPaths(
  context: Owned,
  files: Entries,
  lost: ReadonlyMap<string, unknown>,
  tell: TellRepair,
): Promise<void> {
  const { record, held } = context.owner;
  await record.note((before) => ({ ...before, written: null }));
  for (const object of lost.keys()) held.set(object, new Uint8Array()); // they are not written
  await writePublicPaths({ ...context, site: sparing(context.site, files, lost, tell) });
}

/** The site as a store on which a write does nothing when the same bytes are there already. */
function sparing(site: Store, files: Entries, lost: ReadonlyMap<string, unknown>, tell: TellRepair): Store {
  const spared = { kind: "written", version: "" } as const; // the version of a public path counts for nobody
  const source = storeSource(site);
  const isLost = (path: string) => {
    const entry = files.get(path);
    return entry !== undefined && lost.has(objectPath(entry.object, path));
  };
  return {
    ...site,
    async write(path, bytes, headers, when) {
      if (isLost(path)) return spared;
      const look = await source.file(path);
      if (look.kind === "bytes" && sha256(look.bytes) === sha256(bytes)) return spared;
      tell(path, "written", look.kind === "none" ? "missing" : "different from the manifest");
      return site.write(path, bytes, headers, when);
    },
    async remove(paths) {
      for (const path of paths) {
        if ((await site.read(path)) !== undefined) tell(path, "removed", "not in the manifest");
      }
      await site.remove(paths);
    },
  };
}
