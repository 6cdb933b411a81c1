// What became of a state after its swap. Until the journal names it, or an intent the state that comes next, the vault does not
// know that it was published: who puts an older pointer back in that moment makes all others take that one for the newest. And
// who does so between a publisher's last look and its swap lets it swap over a newer state. So a publisher is done when its own
// state stands, or one that was built on it; otherwise it takes another step.
import { randomUUID } from "node:crypto";
import { unlessDamaged } from "../../vault/json.ts";
import { changeNote } from "../../vault/note.ts";
import type { PublishingPlace } from "../state/publishing-place.ts";
import { isBuiltOn } from "../state/state.ts";
import { findState, vaultWord } from "./found-state.ts";
import { readIntents } from "./intents.ts";
import { journalNote } from "./journal.ts";
import { judge } from "./judgement.ts";
import type { NamedState } from "./record.ts";
import { project } from "./projection.ts";
import { StateRefused } from "./refusal.ts";
import type { StepState } from "./stable-paths.ts";

/** `lost`: another state is in its place. `astray`: it is the pointer's, in the place of one that is newer than its base. */
export type AfterSwap = "stands" | "lost" | "astray";

/** Shows the state that this publisher has swapped in, or has found as the pointer's and left as it is. */
export async function showSwapped(
  place: PublishingPlace,
  seen: NamedState,
  known: Partial<StepState>,
): Promise<AfterSwap> {
  try {
    const shown = await project(place, known);
    if (shown?.pointer.manifest === seen.manifest) return "stands";
    if (shown !== undefined && shown.manifest.version > seen.version) {
      const isOn = await unlessDamaged(() => isBuiltOn(shown.manifest, seen, place.site, known.manifests));
      return isOn === true ? "stands" : "lost";
    }
  } catch (error) {
    if (!(error instanceof StateRefused)) throw error;
    const { pointer, refusal } = await findState(place);
    if (refusal !== undefined && pointer?.manifest === seen.manifest) return "astray";
  }
  // On a trial run nothing was written, and the vault does not have its intent either.
  const intents = await readIntents(place);
  if (!intents.some(({ manifest }) => manifest === seen.manifest)) return "stands";
  await noteSeen(place, seen);
  return "lost";
}

/** Tells the vault that this state was published, as long as it knows of none that is newer. */
async function noteSeen(place: PublishingPlace, { manifest }: NamedState): Promise<void> {
  await changeNote(place.vault.store, journalNote, async (journal) => {
    const pointed = { manifest, parent: undefined, isSigned: undefined };
    if (judge(pointed, await vaultWord(place)) !== "ours") return undefined;
    // As if this publisher had died before it wrote the stable paths.
    const line = { id: randomUUID(), since: place.now().toISOString(), from: journal.shown, to: manifest };
    return { ...journal, underWay: [...journal.underWay, line] };
  });
}
