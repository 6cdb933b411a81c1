// Brings the site back to a state that is ours: a lost pointer is put back, a lost manifest as the vault has it, and where the
// pointer names what is not ours, the last state that is comes under a new version, above all that were ever seen.
import { UnreadableFile, unlessDamaged } from "../../vault/json.ts";
import { merge } from "../press/merged-state.ts";
import type { PartReader } from "../state/parts.ts";
import type { Publishing } from "../state/publishing-place.ts";
import type { Puts } from "../state/puts.ts";
import { manifestPath, pointerPath, readManifest, type SiteState } from "../state/state.ts";
import { advance } from "../step/advance.ts";
import { stateToGoOn } from "../step/going-on.ts";
import { type FoundState, findState } from "../step/found-state.ts";
import { changeIn } from "../step/living-pointer.ts";
import { replacedBy, pointerTo, renew, writePointer } from "../step/pointer-swap.ts";
import { proposeTree } from "./past-parts.ts";
import type { TellRepair } from "./repair-report.ts";

export async function mendCurrentState(place: Publishing, tell: TellRepair): Promise<void> {
  const found = await findState(place);
  const { stored, pointer, last } = found;
  if (pointer === undefined && last === undefined) {
    throw new UnreadableFile(
      `${pointerPath} is ${stored === undefined ? "not there" : "damaged"}, and the vault has no note of what was shown: nothing was published from this vault, or it is another site's`,
    );
  }
  if (found.refusal !== undefined && last === undefined) throw found.refusal;
  if (pointer === undefined && found.refusal === undefined) {
    throw new UnreadableFile(
      `the site's store has nothing of ours any more: \`almanac turn\` publishes the current pages anew, and then \`almanac press --from\` those of the past`,
    );
  }
  const wanted = (found.refusal === undefined ? pointer : last)?.manifest ?? "";
  const isThere = (await unlessDamaged(() => readManifest(place.site, wanted))) !== undefined;
  const base = await stateToGoOn(place);
  if (base === undefined) throw new UnreadableFile(`${pointerPath} went away during the repair`);
  const { manifest, pointer: shown } = base;
  if (!isThere && shown.manifest === wanted) {
    tell(manifestPath(wanted), "put again", "missing or damaged; the vault had it");
  }
  if (!base.isStandIn) {
    const change = await changeIn(base, place);
    if (change !== undefined && (await renew(base, place))) tell(pointerPath, "written", change);
    return;
  }
  if (isOnlyLost(found, base.pointer.manifest, manifest.version)) {
    const again = await pointerTo(shown.manifest, manifest.version, place);
    if (await writePointer(place, again, base.pointerVersion, replacedBy(base))) {
      return tell(pointerPath, "put again", "missing or damaged");
    }
  }
  const by = { run: "repair", asOf: place.now().toISOString() };
  const propose = async (state: SiteState | undefined, reader: PartReader, puts: Puts) => {
    if (state === undefined) throw new UnreadableFile(`${pointerPath} went away during the repair`);
    const tree = { site: place.site, manifest: state.manifest, reader };
    // Where parts of it are lost as well, these are what is mended next.
    return (
      (await unlessDamaged(() => proposeTree(tree, place, puts))) ?? merge(tree.manifest, [], [], reader)
    );
  };
  const version = await versionAfter(place, () => advance(place, by, propose, { goesOn: true }));
  const why = found.refusal?.message ?? `${manifestPath(wanted)} is lost`;
  tell(pointerPath, "written", `version ${version} goes on from version ${manifest.version}; ${why}`);
}

/** Where a part is damaged as well, the pointer stands after the step, and the stable paths can't follow before that is mended. */
async function versionAfter(place: Publishing, step: () => Promise<{ readonly version: number }>) {
  try {
    return (await step()).version;
  } catch (error) {
    const { pointer, refusal } = await findState(place);
    if (!(error instanceof UnreadableFile) || refusal !== undefined || pointer === undefined) throw error;
    return pointer.version;
  }
}

/** Whether the pointer went while it named this state: no other can have been seen since. */
function isOnlyLost({ pointer, last, word }: FoundState, manifest: string, version: number) {
  return (
    pointer === undefined &&
    last?.manifest === manifest &&
    word.intents.every((intent) => intent.version <= version)
  );
}
