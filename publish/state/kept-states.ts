// The kept states: the current one and the earlier ones that a rollback may go back to. An earlier state's time
// runs from the moment when the next one took its place, which is when that one's manifest was written.
import type { Store } from "../../store/store.ts";
import type { Manifest } from "../../site/manifest.schema.ts";
import { manifestPath, readManifest } from "./state.ts";

const dayMs = 24 * 60 * 60_000;

export interface KeptState {
  readonly hash: string;
  readonly manifest: Manifest;
  /** When the next state took its place; undefined for the current one. */
  readonly supersededAt: Date | undefined;
}

/** The moment after which a state must have been superseded to be kept (`publishing.keepDays`). */
export function keptSince(now: Date, keepDays: number): Date {
  return new Date(now.getTime() - keepDays * dayMs);
}

/**
 * From the state that the pointer names back by `parent`, newest first. A rollback may go to those superseded within
 * keepDays; a clean-up keeps them for the grace period longer, so that it never takes what a rollback has just chosen.
 * The walk ends where the time is over, or where an earlier clean-up took the manifest.
 */
export async function* keptStates(site: Store, pointed: string, since: Date): AsyncGenerator<KeptState> {
  let hash: string | null = pointed;
  let supersededAt: Date | undefined;
  while (hash !== null && (supersededAt === undefined || supersededAt > since)) {
    const manifest: Manifest | undefined = await readManifest(site, hash);
    if (manifest === undefined) return;
    yield { hash, manifest, supersededAt };
    supersededAt = await modifiedAt(site, manifestPath(hash));
    if (supersededAt === undefined) return; // gone meanwhile
    hash = manifest.parent;
  }
}

export async function modifiedAt(store: Store, key: string): Promise<Date | undefined> {
  for await (const listed of store.list(key)) if (listed.key === key) return listed.modifiedAt;
  return undefined;
}
