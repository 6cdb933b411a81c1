// Writes damaged intents again, whose manifests the site still has: they are the copies from which a lost manifest comes back.
// Where that is gone as well they go.
import { inParallel } from "../../store/parallel-calls.ts";
import { unlessDamaged } from "../../vault/json.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { manifestPath, readHashed } from "../state/state.ts";
import { intentKey, keptManifest, readIntents, writeIntent } from "../step/intents.ts";
import type { TellRepair } from "./repair-report.ts";

export async function mendIntents(place: PublishingPlace, tell: TellRepair): Promise<void> {
  const intents = await readIntents(place);
  await inParallel(intents, async (intent) => {
    if ((await keptManifest(place, intent.manifest, [intent])) !== undefined) return;
    const key = intentKey(intent);
    const path = manifestPath(intent.manifest);
    const bytes = await unlessDamaged(() => readHashed(place.site, intent.manifest));
    if (bytes !== undefined) {
      await writeIntent(place, intent, bytes);
      return tell(key, "put again", `in the vault; damaged; ${path} still had it`);
    }
    // Its number stays used while there is a newer one.
    if (!intents.some(({ version }) => version > intent.version)) return;
    await place.vault.store.remove([key]);
    tell(key, "removed", `in the vault; damaged, and ${path} is not there any more`);
  });
}
