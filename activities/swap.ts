// Writes the next state and swaps the pointer to it: objects, parts, manifest, pointer. Nothing that readers follow
// changes before the last of these, so a death in between costs nothing but some unused objects.
import pLimit from "p-limit";
import { absent, always, type Store } from "../store/store.ts";
import { manifestHeaders, objectHeaders, pointerHeaders } from "./headers.ts";
import { type Manifest, type Pointer } from "./manifest.schema.ts";
import { type Merged } from "./merge.ts";
import { canonical, hashed, manifestPath, objectPath, pointerPath, type SiteState } from "./site-state.ts";

/** Writes under way at once: enough for a bucket's latency, few enough for a small machine. */
export const writesAtOnce = 16;
/** A reader that finds the pointer older than this should take the copy for a frozen one. */
const expiresAfterMs = 14 * 24 * 60 * 60_000;

export interface Swapped {
  readonly hash: string;
  readonly manifest: Manifest;
}

/** Undefined when the pointer had moved: nothing was published. */
export async function swapIn(
  site: Store,
  base: SiteState | undefined,
  merged: Merged,
  by: { readonly run: string; readonly asOf: string; readonly at: Date },
): Promise<Swapped | undefined> {
  const limit = pLimit(writesAtOnce);
  // Without a condition: an object that is there already has its age renewed, so that no clean-up takes it from us.
  await Promise.all(
    merged.changes.map(({ path, entry, bytes }) =>
      limit(() => site.write(objectPath(entry.object, path), bytes, objectHeaders(entry.type), always)),
    ),
  );
  await Promise.all(
    merged.newParts.map(({ hash, bytes }) =>
      limit(() => site.write(manifestPath(hash), bytes, manifestHeaders, always)),
    ),
  );
  const manifest: Manifest = {
    format: 1,
    parent: base?.pointer.manifest ?? null,
    version: (base?.pointer.version ?? 0) + 1,
    run: by.run,
    asOf: by.asOf,
    parts: merged.parts,
  };
  const root = hashed(canonical(manifest));
  await site.write(manifestPath(root.hash), root.bytes, manifestHeaders, always);
  const pointer: Pointer = {
    format: 1,
    manifest: root.hash,
    version: manifest.version,
    publishedAt: by.at.toISOString(),
    expires: new Date(by.at.getTime() + expiresAfterMs).toISOString(),
  };
  const when = base === undefined ? absent : ({ kind: "version", version: base.pointerVersion } as const);
  const written = await site.write(pointerPath, canonical(pointer), pointerHeaders, when);
  return written.kind === "written" ? { hash: root.hash, manifest } : undefined;
}
