// Brings the stable paths back to the state that the pointer names, as a publisher does after an interrupted publish of which
// nothing is known, but writes only files that differ. So it is as safe beside publishers as they are beside each other
// (projection.ts).
import type { Store } from "../../store/store.ts";
import { randomUUID } from "node:crypto";
import { sha256 } from "../../vault/sha256.ts";
import { journalNote } from "../step/journal.ts";
import { changeNote } from "../../vault/note.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { project } from "../step/projection.ts";
import type { Entries, TellRepair } from "./repair-report.ts";
import { objectPath, type SiteState } from "../state/state.ts";
import { storeSource } from "./store-source.ts";

/** `lost` are the lost objects: the paths that show them stay as they are. */
export async function mendStablePaths(
  place: PublishingPlace,
  { pointer }: SiteState,
  files: Entries,
  lost: ReadonlyMap<string, unknown>,
  tell: TellRepair,
): Promise<void> {
  await doubtEverything(place, pointer.manifest);
  const held = new Map([...lost.keys()].map((object) => [object, new Uint8Array()])); // they are not written
  await project({ ...place, site: sparing(place.site, files, lost, tell) }, { held });
}

/** Puts a line without an owner into the journal: the next projection writes every path and removes the line as a dead one's. */
async function doubtEverything(place: PublishingPlace, to: string) {
  const line = { id: randomUUID(), since: new Date(0).toISOString(), from: null, to };
  await changeNote(place.vault.store, journalNote, (journal) => ({
    ...journal,
    underWay: [...journal.underWay, line],
  }));
}

/** The site as a store on which a write does nothing when the same bytes are there already. */
function sparing(site: Store, files: Entries, lost: ReadonlyMap<string, unknown>, tell: TellRepair): Store {
  const spared = { kind: "written", version: "" } as const; // nobody swaps a stable path
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
      tell(path, "written", look.kind === "none" ? "missing" : "not what the manifest has");
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
