// Writes the next state and swaps the pointer to it: objects, parts, manifest, pointer. Nothing that readers follow
// changes before the last of these, so a death in between costs nothing but some unused objects.
import { absent } from "../../store/store.ts";
import { manifestHeaders, pointerHeaders } from "../state/headers.ts";
import type { Manifest, Pointer } from "../state/manifest.schema.ts";
import type { NextState } from "../press/merged-state.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { type Put, putMissing, type Puts } from "../state/puts.ts";
import { forgetSwept } from "../state/sweeping.ts";
import { signed } from "../state/signature.ts";
import { canonical } from "../state/canonical.ts";
import { hashed, manifestPath, pointerPath, type SiteState } from "../state/state.ts";

/** A reader that finds an older pointer should take the site for a frozen copy. */
export const expiresAfterMs = 14 * 24 * 60 * 60_000;

/** Who publishes, and for which instant. */
export interface PublishedBy {
  readonly run: string;
  readonly asOf: string;
}

/** Undefined when the pointer had moved, or a clean-up may have taken some of what was put: nothing was published. */
export async function swapIn(
  place: PublishingPlace,
  base: SiteState | undefined,
  next: NextState,
  by: PublishedBy,
  puts: Puts,
): Promise<Pointer | undefined> {
  const { site } = place;
  const root = hashed(canonical(manifestAfter(base, next, by, place)));
  const manifests = [...next.newParts, root].map(({ hash, bytes }): Put => {
    return { key: manifestPath(hash), bytes, headers: manifestHeaders };
  });
  await putMissing(site, next.newObjects, puts);
  await putMissing(site, manifests, puts);
  if (await forgetSwept(place, puts)) return undefined;
  const pointer = pointerTo(root.hash, (base?.pointer.version ?? 0) + 1, place);
  const when = base === undefined ? absent : ({ kind: "version", version: base.pointerVersion } as const);
  const swap = await site.write(pointerPath, canonical(pointer), pointerHeaders, when);
  return swap.kind === "written" ? pointer : undefined;
}

function manifestAfter(
  base: SiteState | undefined,
  next: NextState,
  by: PublishedBy,
  place: PublishingPlace,
): Manifest {
  const before = base?.manifest.asOf ?? by.asOf;
  return {
    format: 1,
    parent: base?.pointer.manifest ?? null,
    version: (base?.pointer.version ?? 0) + 1,
    fingerprint: next.fingerprint ?? base?.manifest.fingerprint ?? place.fingerprint,
    run: by.run,
    asOf: before > by.asOf ? before : by.asOf,
    parts: next.parts,
  };
}

function pointerTo(manifest: string, version: number, { now, signer }: PublishingPlace): Pointer {
  const at = now();
  return signed(
    {
      format: 1,
      manifest,
      version,
      publishedAt: at.toISOString(),
      expires: new Date(at.getTime() + expiresAfterMs).toISOString(),
    },
    signer,
  );
}

/** Writes the pointer of the same state with a new expiry. False when the pointer had moved. */
export async function renew(state: SiteState, { site, now, signer }: PublishingPlace): Promise<boolean> {
  const { signature: _old, ...pointer } = state.pointer;
  const expires = new Date(now().getTime() + expiresAfterMs).toISOString();
  const when = { kind: "version", version: state.pointerVersion } as const;
  const bytes = canonical(signed({ ...pointer, expires }, signer));
  return (await site.write(pointerPath, bytes, pointerHeaders, when)).kind === "written";
}
