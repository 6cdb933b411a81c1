// Puts missing and damaged objects back: from a public path that still has the bytes, or by rendering again from the vault.
import { type Store, always } from "../../store/store.ts";
import { sha256 } from "../../vault/sha256.ts";
import { objectHeaders } from "../state/headers.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { differenceFrom, findingOf } from "./file-comparison.ts";
import type { FileEntry, Manifest } from "../state/manifest.schema.ts";
import { createPartReader, groupsIn } from "../state/parts.ts";
import type { Publishing } from "../state/publish-context.ts";
import { filesFromVault } from "./files-from-vault.ts";
import type { Entries, TellRepair } from "./repair-report.ts";
import type { SiteFinding } from "./site-source.ts";
import { objectPath } from "../state/state.ts";
import { storeSource } from "./store-source.ts";

type Use = [path: string, entry: FileEntry];

export async function filesOf(manifest: Manifest, site: Store): Promise<Entries> {
  const reader = createPartReader(site);
  const files = new Map<string, FileEntry>();
  for (const group of groupsIn(manifest)) {
    for (const [path, entry] of Object.entries(await reader.files(manifest, group))) files.set(path, entry);
  }
  return files;
}

/** Returns the objects that stay lost, by path. */
export async function repairObjects(
  publishing: Publishing,
  manifest: Manifest,
  files: Entries,
  tell: TellRepair,
): Promise<ReadonlyMap<string, SiteFinding>> {
  const { site } = publishing;
  const source = storeSource(site);
  const lost = new Map<string, SiteFinding>();
  const put = async (object: string, type: string, bytes: Uint8Array, reason: string) => {
    await site.write(object, bytes, objectHeaders(type), always);
    tell(object, "restored", reason);
    lost.delete(object);
  };
  const usesOf = Map.groupBy(files, ([path, { object }]) => objectPath(object, path));
  await inParallel(usesOf, async ([object, uses]) => {
    const [first] = uses;
    if (first === undefined) return;
    const [path, entry] = first;
    const look = await source.file(object);
    const difference = differenceFrom(entry, look);
    if (difference === undefined) return;
    const copy = await copyOf(site, uses);
    const what = look.kind === "none" ? "missing" : "damaged";
    if (copy !== undefined) return put(object, entry.type, copy, `${what}; copied from ${path}`);
    lost.set(object, { ...findingOf(object, entry, difference, "object", source), remedy: remedyFor(path) });
  });
  // Rendering one file may need another lost one, so this is repeated as long as it helps.
  for (let before = Number.POSITIVE_INFINITY; lost.size > 0 && lost.size < before;) {
    before = lost.size;
    const uses = [...lost.keys()].flatMap((object) => usesOf.get(object) ?? []);
    const published = { site, manifest, reader: createPartReader(site) };
    const paths = uses.map(([path]) => path);
    const remade = await filesFromVault(paths, published, publishing);
    const rendered = new Map(remade.map(({ bytes }) => [sha256(bytes), bytes]));
    for (const [path, { object, type }] of uses) {
      const bytes = rendered.get(object);
      const key = objectPath(object, path);
      if (bytes === undefined || !lost.has(key)) continue;
      await put(key, type, bytes, "missing or damaged; rendered from the vault");
    }
  }
  return lost;
}

/** The bytes as one of the public paths has them. */
async function copyOf(site: Store, uses: readonly Use[]): Promise<Uint8Array | undefined> {
  for (const [path, { object }] of uses) {
    const look = await storeSource(site).file(path);
    if (look.kind === "bytes" && sha256(look.bytes) === object) return look.bytes;
  }
  return undefined;
}

function remedyFor(path: string) {
  return `${path} needs it, and its text is no longer in the vault. Restore the text from a backup (\`almanac restore\`), then run \`almanac repair\`. Or return to a version without it: \`almanac rollback\``;
}
