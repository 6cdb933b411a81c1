// Mends what is published, from the inside out: the pointer, the current state's parts, its objects, the stable paths. All
// of it is checked against its hash first, so that a sound site is left as it is.
import { UnreadableFile } from "../../vault/json.ts";
import type { Entries, RepairedPath, TellRepair } from "./repair-report.ts";
import { filesOf, mendObjects } from "./object-repair.ts";
import { mendIntents } from "./intent-repair.ts";
import { stepPastParts } from "./past-parts.ts";
import { publishLost } from "./lost-files.ts";
import { mendStablePaths } from "./stable-path-repair.ts";
import type { Publishing } from "../state/publishing-place.ts";
import { remakeParts } from "./lost-parts.ts";
import { mendCurrentState } from "./current-state.ts";
import { signedByUs } from "../step/site-state.ts";
import { ownState } from "../step/own-state.ts";
import { requireUsual, UnusualRemoval } from "../press/unusual-removal.ts";
import type { SiteFinding } from "./site-source.ts";
import { pointerPath, type SiteState } from "../state/state.ts";
import { folders } from "../../vault/layout.ts";
import { mendMarkers } from "../../vault/place-identity.ts";
import { mendWithheld } from "../../vault/withheld.ts";
import { straysIn } from "./store-source.ts";

export interface Repaired {
  readonly version: number;
  readonly mends: readonly RepairedPath[];
  /** The files that could not be mended, each with what to do about it. */
  readonly lost: readonly SiteFinding[];
  /** Why stray files were left where they are. */
  readonly unusual: UnusualRemoval | undefined;
}

/** Others may publish meanwhile; if they do so many times in a row, something else is wrong. */
const mostRounds = 20;

/** `evenMany`: a person has said that an unusual share of the site may be taken away. */
export async function repair(publishing: Publishing, evenMany: boolean): Promise<Repaired> {
  const mends = new Map<string, RepairedPath>();
  const tell: TellRepair = (path, deed, reason) => void mends.set(path, { path, deed, reason });
  if (await mendWithheld(publishing.vault.store)) {
    tell(folders.decisions, "put again", "in the vault; a copy was missing or damaged");
  }
  for (const key of await mendMarkers({ vault: publishing.vault.store, site: publishing.site }))
    tell(key, "put again", "missing or damaged");
  await mendCurrentState(publishing, tell);
  await mendIntents(publishing, tell);
  for (let round = 0; round < mostRounds; round += 1) {
    const state = await currentState(publishing);
    const remade = await remakeParts(publishing.site, state.manifest);
    for (const path of remade.made) tell(path, "put again", "missing or damaged");
    if (remade.lost.size > 0) {
      await stepPastParts(publishing, state, remade.lost, tell).catch(async (error: unknown) => {
        // An object may be lost besides: the next round sees to it, in the state that has come in the place of this one.
        const isStill = (await currentState(publishing)).pointer.manifest === state.pointer.manifest;
        if (isStill || !(error instanceof UnreadableFile)) throw error;
      });
      continue;
    }
    const files = await filesOf(state.manifest, publishing.site);
    const lost = await mendObjects(publishing, state.manifest, files, tell);
    if (await publishLost(publishing, files, lost, tell)) continue;
    await mendStablePaths(publishing, state, files, lost, tell);
    const unusual = await removeStrays(publishing, state, files, evenMany, tell);
    if ((await currentState(publishing)).pointer.manifest !== state.pointer.manifest) continue;
    const { version } = state.pointer;
    const left = [...lost.values(), ...signatureIn(state, publishing)];
    return { version, mends: [...mends.values()], lost: left, unusual };
  }
  throw new Error(`the site was published ${mostRounds} times during the repair: begin it again`);
}

async function currentState(publishing: Publishing): Promise<SiteState> {
  const state = await ownState(publishing);
  if (state === undefined) throw new UnreadableFile(`${pointerPath} went away during the repair`);
  return state;
}

/** Our state under a signature of somebody else's, where there is no key here to sign it anew. */
function signatureIn({ pointer }: SiteState, publishing: Publishing): SiteFinding[] {
  if (signedByUs(publishing, pointer) !== false) return [];
  const expected = "a signature by a key of publishing.publicKeys";
  const seen = pointer.signature === undefined ? "no signature" : "a signature that none of them made";
  const remedy =
    "give this command the key (ALMANAC_SIGNING_KEY_FILE), or have a worker that has it run `almanac turn`";
  return [{ path: pointerPath, expected, seen, remedy }];
}

async function removeStrays(
  publishing: Publishing,
  { pointer }: SiteState,
  files: Entries,
  evenMany: boolean,
  tell: TellRepair,
): Promise<UnusualRemoval | undefined> {
  const { site, configuration } = publishing;
  const strays = (await straysIn(site, files)).map(({ key }) => key);
  if (strays.length === 0) return undefined;
  try {
    if (!evenMany) requireUsual(strays.length, files.size, configuration.publishing.unusualShare);
  } catch (error) {
    if (error instanceof UnusualRemoval) return error;
    throw error;
  }
  // If the pointer has moved meanwhile, a publish may be writing these files right now.
  if ((await currentState(publishing)).pointer.manifest !== pointer.manifest) return undefined;
  await site.remove(strays);
  for (const path of strays) tell(path, "removed", "not in the manifest");
  return undefined;
}
