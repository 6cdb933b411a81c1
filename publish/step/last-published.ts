// The state to go on from where the pointer says nothing.
import { unlessDamaged } from "../../vault/json.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import { manifestSchema } from "../state/manifest.schema.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { type Manifests, manifestPath, parseFormat, readHashed, readManifest } from "../state/state.ts";
import { type Intent, keptManifest } from "./intents.ts";
import type { VaultWord } from "./judgement.ts";
import type { NamedState } from "./record.ts";

/**
 * The last state that may have been the pointer's: the last confirmed one, or a whole one that was intended in its place. Its
 * publisher may have died before the journal, or the journal is lost.
 */
export async function lastPublished(
  place: PublishingPlace,
  confirmed: NamedState | undefined,
  { intents }: VaultWord,
  known: Manifests,
): Promise<NamedState | undefined> {
  const after = confirmed?.manifest ?? null;
  const later = intents.filter((one) => one.after === after && one.version > (confirmed?.version ?? 0));
  for (const one of later.sort((first, second) => second.version - first.version)) {
    if (await isWhole(place, one, known)) return { manifest: one.manifest, version: one.version };
  }
  return confirmed;
}

async function isWhole(place: PublishingPlace, intent: Intent, known: Manifests): Promise<boolean> {
  const whole = await unlessDamaged(async () => {
    const kept = await keptManifest(place, intent.manifest, [intent]);
    const manifest =
      kept === undefined
        ? await readManifest(place.site, intent.manifest, known)
        : parseFormat(manifestPath(intent.manifest), kept, manifestSchema);
    const parts = Object.values(manifest?.parts ?? {});
    const read = await inParallel(parts, (part) => readHashed(place.site, part));
    return manifest !== undefined && !read.includes(undefined);
  });
  return whole === true;
}
