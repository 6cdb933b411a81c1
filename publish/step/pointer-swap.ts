// Writes the next state and swaps the pointer to it: intent, objects, parts, manifest, pointer. Nothing that readers follow
// changes before the last of these, so a death in between costs nothing but some unused objects.
import { mostAheadMs } from "../../readings/dates-ahead.ts";
import { unlessChanged } from "../../store/store.ts";
import { pointerHeaders } from "../state/headers.ts";
import type { Manifest, Pointer } from "../state/manifest.schema.ts";
import type { NextState } from "../press/merged-state.ts";
import { believedTime } from "../state/believed-time.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { manifestPut, putMissing, type Puts } from "../state/puts.ts";
import { forgetSwept } from "../state/sweeping.ts";
import { signed } from "../state/signature.ts";
import { canonical } from "../state/canonical.ts";
import { isStandIn } from "./going-on.ts";
import { intend } from "./intents.ts";
import { judge, lastConfirmed } from "./judgement.ts";
import { vaultWord } from "./found-state.ts";
import { hashed, pointerPath, type SiteState } from "../state/state.ts";

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
  const after = base ? replacedBy(base) : (lastConfirmed(await vaultWord(place))?.manifest ?? null);
  const { version, root } = await intend(place, after, highestIn(base), (as) =>
    hashed(canonical(manifestAfter(base, next, by, as, place))),
  );
  await putMissing(site, next.newObjects, puts);
  await putMissing(site, [...next.newParts, root].map(manifestPut), puts);
  if (await forgetSwept(place, puts)) return undefined;
  const pointer = await pointerTo(root.hash, version, place);
  const isWritten = await writePointer(place, pointer, base?.pointerVersion, after);
  return isWritten ? pointer : undefined;
}

/** The state in whose place the next one comes: of a stand-in that is not the one that it is built on. */
export function replacedBy(base: SiteState): string {
  return (isStandIn(base) ? base.confirmed?.manifest : undefined) ?? base.pointer.manifest;
}

/** Whether the vault knows of another state by now that was published in place of that one. */
async function isOvertaken(after: string | null, place: PublishingPlace): Promise<boolean> {
  const word = await vaultWord(place);
  if (after === null) return lastConfirmed(word) !== undefined;
  const judgement = judge({ manifest: after, parent: undefined, isSigned: undefined }, word);
  return judgement === "older" || judgement === "not ours";
}

function manifestAfter(
  base: SiteState | undefined,
  next: NextState,
  by: PublishedBy,
  version: number,
  place: PublishingPlace,
): Manifest {
  const { asOf = by.asOf } = base?.manifest ?? {};
  // One that a clock ahead has given is not kept for all states to come.
  const before = Date.parse(asOf) > place.now().getTime() + mostAheadMs ? by.asOf : asOf;
  return {
    format: 1,
    parent: base?.pointer.manifest ?? null,
    version,
    fingerprint: next.fingerprint ?? base?.manifest.fingerprint ?? place.fingerprint,
    run: by.run,
    asOf: before > by.asOf ? before : by.asOf,
    parts: next.parts,
    alternates: next.alternates ?? base?.manifest.alternates,
  };
}

/** A forged pointer could use up all numbers that there are. */
const mostAhead = 1_000_000;

/** The highest version that readers may have seen. */
function highestIn(base: SiteState | undefined): number {
  if (base === undefined) return 0;
  const { pointer, manifest } = base;
  return pointer.version > manifest.version + mostAhead
    ? manifest.version
    : Math.max(pointer.version, manifest.version);
}

/** The pointer to a state that is published now. */
export async function pointerTo(manifest: string, version: number, place: PublishingPlace): Promise<Pointer> {
  const at = await believedTime(place);
  return alive({ format: 1, manifest, version, publishedAt: at.toISOString() }, at, place);
}

function alive(
  pointer: Omit<Pointer, "expires" | "signature">,
  at: Date,
  { signer }: PublishingPlace,
): Pointer {
  return signed({ ...pointer, expires: new Date(at.getTime() + expiresAfterMs).toISOString() }, signer);
}

/**
 * Writes the pointer in place of that version. False when it had moved, or another state was published in place of `after`, after
 * which this one is to come: where somebody has put the very pointer back, the swap alone would not tell.
 */
export async function writePointer(
  place: PublishingPlace,
  pointer: Pointer,
  version: string | undefined,
  after: string | null,
): Promise<boolean> {
  if (await isOvertaken(after, place)) return false;
  const { site } = place;
  const written = await site.write(pointerPath, canonical(pointer), pointerHeaders, unlessChanged(version));
  return written.kind === "written";
}

/** Writes the pointer of the same state with a new expiry. False when the pointer had moved. */
export async function renew(state: SiteState, place: PublishingPlace): Promise<boolean> {
  const { pointer, pointerVersion, manifest } = state;
  const { signature: _old, ...unsigned } = pointer;
  return writePointer(
    place,
    alive({ ...unsigned, version: manifest.version }, await believedTime(place), place),
    pointerVersion,
    replacedBy(state),
  );
}
