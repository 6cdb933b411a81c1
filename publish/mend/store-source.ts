// The source that reads the site from its store.
import { type Listed, type Store, StoreFailure } from "../../store/store.ts";
import { modifiedAt } from "../state/kept-states.ts";
import { isOwnPath } from "../../site/paths.ts";
import type { FileLook, SiteSource } from "./site-source.ts";
import { manifestPath } from "../state/state.ts";

const remedies: SiteSource["remedies"] = {
  pointer:
    "`almanac repair` puts it back where the site was published before; else `almanac nightly` publishes it",
  signature:
    "somebody without the key may have written it: `almanac repair`, where the key is, signs our state anew, and so does the next turn",
  expired: "`almanac turn` renews it: does the schedule run, and a worker?",
  manifest: "`almanac repair`",
  object: "`almanac repair`",
  earlier: "the site does not need it, but a rollback to a state that has it would: go to another one",
  stable: "`almanac repair`",
  stale: "`almanac repair`, unless a publish is just writing it",
  left: "`almanac repair` takes it away",
};

export function storeSource(site: Store): SiteSource {
  const file = async (path: string): Promise<FileLook> => {
    try {
      const stored = await site.read(path);
      return stored === undefined ? { kind: "none", seen: "nothing" } : { kind: "bytes", bytes: stored.body };
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      return { kind: "none", seen: error.facts.seen, remedy: error.facts.remedy };
    }
  };
  return {
    file,
    page: file,
    publishedAt: ({ hash }) => modifiedAt(site, manifestPath(hash)),
    async leftBehind({ files }) {
      const strays = await straysIn(site, files);
      return strays.map(({ key, sizeBytes, modifiedAt: at }) => ({
        path: key,
        expected: "nothing: the manifest does not have it",
        seen: `${sizeBytes} bytes, written ${at.toISOString()}`,
        remedy: remedies.left,
      }));
    },
    remedies,
  };
}

/** The files under our own paths that are not in the state. */
export async function straysIn(site: Store, files: ReadonlyMap<string, unknown>): Promise<Listed[]> {
  const listed = await Array.fromAsync(site.list(""));
  return listed.filter(({ key }) => isOwnPath(key) && !files.has(key));
}
