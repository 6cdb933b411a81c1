// Lost parts of a manifest. A part is made again from the public paths, if these give its hash. Otherwise its group of paths goes back
// to the newest earlier state that has the whole group.
import { type Store, always } from "../../store/store.ts";
import { typeOf } from "../../site/draft.ts";
import { isOwnPath } from "../../site/paths.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { unlessDamaged, sha256 } from "../../vault/json.ts";
import { manifestHeaders } from "../state/headers.ts";
import type { FileEntry, Manifest } from "../../site/manifest.schema.ts";
import { createPartReader, groupOf, groupsIn, partsIn, withGroup } from "../state/parts.ts";
import { manifestPath, readManifest } from "../state/state.ts";
import type { Owned } from "../step/recovery.ts";
import type { TellRepair } from "./site-source.ts";

/** Returns the hashes of the parts that stay lost. */
export async function restoreParts(
  site: Store,
  manifest: Manifest,
  tell: TellRepair,
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  await inParallel(new Set(Object.values(manifest.parts)), async (hash) => {
    const stored = await site.read(manifestPath(hash));
    if (stored === undefined || sha256(stored.body) !== hash) lost.add(hash);
  });
  if (lost.size === 0) return lost;
  const groups = new Map<string, Record<string, FileEntry>>();
  const paths = await Array.fromAsync(site.list(""), ({ key }) => key);
  await inParallel(paths.filter(isOwnPath), async (path) => {
    const stored = await site.read(path);
    if (stored === undefined) return;
    const files = groups.get(groupOf(path)) ?? {};
    files[path] = { object: sha256(stored.body), size: stored.body.length, type: typeOf(path) };
    groups.set(groupOf(path), files);
  });
  const made = [...groups].flatMap(([group, files]) => withGroup({}, group, files).made);
  await inParallel(made, async ({ hash, bytes }) => {
    if (!lost.delete(hash)) return;
    await site.write(manifestPath(hash), bytes, manifestHeaders, always);
    tell(manifestPath(hash), "restored", "missing or damaged");
  });
  return lost;
}

/** The manifest with earlier parts in place of the lost groups; a group that no earlier state has is left out. */
export async function withoutLostParts(
  context: Owned,
  manifest: Manifest,
  lost: ReadonlySet<string>,
  tell: TellRepair,
): Promise<Manifest> {
  let { parts } = manifest;
  for (const group of groupsIn(manifest)) {
    const own = partsIn(manifest, group).flatMap(([, hash]) => (lost.has(hash) ? [hash] : []));
    if (own.length === 0) continue;
    const earlier = await earlierGroup(context, group, manifest.version);
    parts = { ...withGroup(parts, group, {}).parts, ...earlier?.parts };
    const pages =
      earlier === undefined ? "its pages are missing" : `its pages are those of version ${earlier.version}`;
    const reason = `lost; ${pages} until the next publish, or \`almanac render\`, restores those in the vault`;
    for (const hash of own) tell(manifestPath(hash), "written", reason);
  }
  return { ...manifest, parts };
}

/** The group's parts in the newest earlier state that has all of them. */
async function earlierGroup({ site, owner }: Owned, group: string, before: number) {
  for (const { manifest: hash, version } of owner.record.value.states) {
    const manifest = version < before ? await unlessDamaged(() => readManifest(site, hash)) : undefined;
    if (manifest === undefined) continue;
    const parts = partsIn(manifest, group);
    const files = await unlessDamaged(() => createPartReader(site).files(manifest, group));
    if (parts.length > 0 && files !== undefined) return { version, parts: Object.fromEntries(parts) };
  }
  return undefined;
}
