// The source that reads the site from its store.
import type { Listed, Store } from "../../store/store.ts";
import { modifiedAt } from "../state/kept-states.ts";
import { isOwnPath, parsePath, shows } from "../../site/paths.ts";
import type { FileLook, SiteFinding, SiteSource } from "./site-source.ts";
import { manifestPath } from "../state/state.ts";
import { patientReader } from "./vault-files.ts";

const remedies: SiteSource["remedies"] = {
  pointer: "if the site was published before, run `almanac repair`; else publish it with `almanac nightly`",
  signature:
    "it may have been written without the key. `almanac repair` with the key signs the version of this vault, and so does the next publish",
  expired: "`almanac publish` renews it. Check that the schedule and a worker are running",
  manifest: "`almanac repair`",
  object: "`almanac repair`",
  earlier: "current pages do not need it, but do not roll back to a version that contains it",
  public: "`almanac repair`",
  stale: "`almanac repair`, unless a publish is writing it now",
  left: "`almanac repair` deletes it",
};

export function storeSource(site: Store): SiteSource {
  const read = patientReader(site);
  const file = async (path: string): Promise<FileLook> =>
    (await read(path)) ?? { kind: "none", seen: "nothing" };
  return {
    file,
    page: file,
    publishedAt: ({ hash }) => modifiedAt(site, manifestPath(hash)),
    async leftBehind({ files }) {
      const found: SiteFinding[] = [];
      for await (const { key, sizeBytes, modifiedAt: at } of site.list("")) {
        if (files.has(key) || isRecord(key) || key.startsWith(wellKnown)) continue;
        const isOwn = isOwnPath(key);
        found.push({
          path: key,
          expected: isOwn
            ? "nothing: the manifest does not contain it"
            : "nothing: a site does not contain such a file",
          seen: `${sizeBytes} bytes, written ${at.toISOString()}`,
          remedy: isOwn ? remedies.left : orphanRemedy,
        });
      }
      return found;
    },
    remedies,
  };
}

const orphanRemedy =
  "readers can fetch it, and no command deletes it. Move it to its place, such as theme/root/, or delete it";
/** Of the web server and its certificates, too. */
const wellKnown = ".well-known/";

/** Whether a path is of a pointer, a manifest, a part, an object or the marker. */
function isRecord(key: string) {
  const at = parsePath(key);
  return at !== undefined && shows(at, "record");
}

/** Orphaned files: under our own paths, but not in the state. */
export async function findOrphans(site: Store, files: ReadonlyMap<string, unknown>): Promise<Listed[]> {
  const listed = await Array.fromAsync(site.list(""));
  return listed.filter(({ key }) => isOwnPath(key) && !files.has(key));
}
