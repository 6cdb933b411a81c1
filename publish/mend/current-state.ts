// Brings the site back to a state that is ours: a lost pointer is put back, a lost manifest as the vault has it, and where the
// pointer names what is not ours, the last state that is comes under a new version, above all that were ever seen.
import { UnreadableFile, unlessDamaged } from "../../vault/json.ts";
import { merge } from "../press/merged-state.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { manifestPath, pointerPath, readManifest } from "../state/state.ts";
import { advance } from "../step/advance.ts";
import { stateToGoOn } from "../step/going-on.ts";
import { type FoundState, findState } from "../step/own-state.ts";
import { pointerTo, writePointer } from "../step/pointer-swap.ts";
import type { TellRepair } from "./repair-report.ts";

export async function mendCurrentState(place: PublishingPlace, tell: TellRepair): Promise<void> {
  const found = await findState(place);
  const { stored, pointer, last } = found;
  if (pointer === undefined && last === undefined) {
    throw new UnreadableFile(
      `${pointerPath} is ${stored === undefined ? "not there" : "damaged"}, and the vault has no note of what was shown: nothing was published from this vault, or it is another site's`,
    );
  }
  if (found.refusal !== undefined && last === undefined) throw found.refusal;
  const wanted = (found.refusal === undefined ? pointer : last)?.manifest ?? "";
  const isThere = (await unlessDamaged(() => readManifest(place.site, wanted))) !== undefined;
  const base = await stateToGoOn(place);
  if (base === undefined) throw new UnreadableFile(`${pointerPath} went away during the repair`);
  const { manifest, pointer: shown } = base;
  if (!isThere && shown.manifest === wanted) {
    tell(manifestPath(wanted), "put again", "missing or damaged; the vault had it");
  }
  if (!base.isStandIn) return;
  if (isOnlyLost(found, base.pointer.manifest, manifest.version)) {
    const again = pointerTo(shown.manifest, manifest.version, place);
    if (await writePointer(place, again, base.pointerVersion)) {
      return tell(pointerPath, "put again", "missing or damaged");
    }
  }
  const by = { run: "repair", asOf: place.now().toISOString() };
  const { version } = await advance(place, by, (state, reader) => merge(state?.manifest, [], [], reader), {
    goesOn: true,
  });
  const why = found.refusal?.message ?? `${manifestPath(wanted)} is lost`;
  tell(pointerPath, "written", `version ${version} goes on from version ${manifest.version}; ${why}`);
}

/** Whether the pointer went while it named this state: no other can have been seen since. */
function isOnlyLost({ pointer, last, word }: FoundState, manifest: string, version: number) {
  return (
    pointer === undefined &&
    last?.manifest === manifest &&
    word.intents.every((intent) => intent.version <= version)
  );
}
