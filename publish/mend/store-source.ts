// The source that reads the site from its store.
import type { Listed, Store } from "../../store/store.ts";
import { modifiedAt } from "../state/kept-states.ts";
import { isOwnPath, parsePath, shows } from "../../site/paths.ts";
import type { FileLook, SiteFinding, SiteSource } from "./site-source.ts";
import { manifestPath } from "../state/state.ts";
import { patientReader } from "./vault-files.ts";

const remedies: SiteSource["remedies"] = {
  pointer:
    "`almanac repair` puts it back where the site was published before; else `almanac nightly` publishes it",
  signature:
    "somebody without the key may have written it: `almanac repair`, where the key is, signs our state again, and so does the next publish",
  expired: "`almanac publish` renews it: does the schedule run, and a worker?",
  manifest: "`almanac repair`",
  object: "`almanac repair`",
  earlier: "the site does not need it, but a rollback to a state that has it would: go to another one",
  public: "`almanac repair`",
  stale: "`almanac repair`, unless a publish is just writing it",
  left: "`almanac repair` takes it away",
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
          expected: isOwn ? "nothing: the manifest does not have it" : "nothing: no site has such a file",
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
  "readers can fetch it, and no command removes it: move it to where it belongs, such as theme/root/, or remove it";
/** Of the web server and its certificates, too. */
const wellKnown = ".well-known/";

/** Whether a path is of a pointer, a manifest, a part, an object or the marker. */
function isRecord(key: string) {
  const at = parsePath(key);
  return at !== undefined && shows(at, "record");
}

/** The files under our own paths that are not in the state. */
export async function straysIn(site: Store, files: ReadonlyMap<string, unknown>): Promise<Listed[]> {
  const listed = await Array.fromAsync(site.list(""));
  return listed.filter(({ key }) => isOwnPath(key) && !files.has(key));
}
