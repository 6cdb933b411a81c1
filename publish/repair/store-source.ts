// The source that reads the site from its store.
import { type Listed, type Store, StoreFailure, inParallel } from "../../store/store.ts";
import { modifiedAt } from "../history/past-states.ts";
import { isOwnPath, parsePath, shows } from "../../site/paths.ts";
import type { FileLook, SiteFinding, SiteSource } from "./site-source.ts";
import { manifestPath } from "../state/state.ts";
import { faultInFile } from "../../vault/file-faults.ts";

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
            : "no file: Almanac did not publish it",
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
/** The folder of the web server and its certificates. */
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

/** Files that are read and held in memory at once. */
const filesAtOnce = 64;

/** Reads the whole vault. A file that the store does not give is a finding too. */
export async function verifyVault(vault: Store, onProgress: (done: number) => void = () => undefined) {
  let [files, sizeBytes] = [0, 0];
  const findings: SiteFinding[] = [];
  const read = patientReader(vault);
  for await (const batch of inBatches(vault.list(""), filesAtOnce)) {
    const found = await inParallel(batch, async ({ key }) => findingFrom(key, await read(key)));
    findings.push(...found.filter((one) => one !== undefined));
    files += batch.length;
    for (const listed of batch) sizeBytes += listed.sizeBytes;
    onProgress(files);
  }
  return { files, sizeBytes, findings };
}

/** Undefined for a file that is right, or gone by now. */
export function findingFrom(key: string, look: FileRead | undefined): SiteFinding | undefined {
  if (look === undefined) return undefined;
  const fault = look.kind === "bytes" ? faultInFile(key, look.bytes) : look;
  return (
    fault && { path: key, expected: "the file as it was stored", seen: fault.seen, remedy: fault.remedy }
  );
}

/** After this many consecutive files without a response, the store counts as unreachable. */
const mostUnanswered = 8;

type FileRead =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "none"; readonly seen: string; readonly remedy: string };

/** Continues after a single unreadable file, but not if the store returns none. */
export function patientReader(store: Store): (key: string) => Promise<FileRead | undefined> {
  let unanswered = 0;
  return async (key) => {
    try {
      const stored = await store.read(key);
      unanswered = 0;
      return stored && { kind: "bytes", bytes: stored.body };
    } catch (error) {
      unanswered += 1;
      if (!(error instanceof StoreFailure) || unanswered > mostUnanswered) throw error;
      return { kind: "none", seen: error.facts.seen, remedy: error.facts.remedy };
    }
  };
}

/** The listed files behind this key. */
export async function* inBatches(
  listed: AsyncIterable<Listed>,
  size: number,
  after = "",
): AsyncGenerator<Listed[]> {
  let batch: Listed[] = [];
  for await (const one of listed) {
    if (one.key > after) batch.push(one);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
