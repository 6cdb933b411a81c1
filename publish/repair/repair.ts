// Repairs the published site from the inside out: the pointer, the current state's parts, its objects, the public paths. All
// of it is checked against its hash first, so that a sound site is left as it is.
import type { Entries, RepairedPath, TellRepair } from "./repair-report.ts";
import { filesOf, repairObjects } from "./object-repair.ts";
import { stepPastParts } from "./past-parts.ts";
import { publishLost } from "./lost-files.ts";
import { repairPublicPaths } from "./public-path-repair.ts";
import type { Publishing } from "../state/publish-context.ts";
import { remakeParts } from "./lost-parts.ts";
import { repairCurrentState, repairManifestCopies } from "./current-state.ts";
import { withSite } from "../step/site-owner.ts";
import { signedByUs } from "../step/site-state.ts";
import { ownerBase } from "../step/commit.ts";
import type { Owned } from "../step/recovery.ts";
import { requireUsual, UnusualRemoval } from "../render/unusual-removal.ts";
import type { SiteFinding } from "./site-source.ts";
import { pointerPath } from "../state/state.ts";
import { wholeKey } from "../../vault/json.ts";
import { siteFolders } from "../../vault/layout.ts";
import { repairMarkers } from "../../vault/installation.ts";
import { repairWithheld } from "../../vault/withheld.ts";
import { findOrphans } from "./store-source.ts";

export interface Repaired {
  readonly version: number;
  readonly repairs: readonly RepairedPath[];
  /** The files that could not be repaired, each with its remedy. */
  readonly lost: readonly SiteFinding[];
  /** The reason why orphaned files were not removed. */
  readonly unusual: UnusualRemoval | undefined;
}

/** What is lost may be found in what was put back; so many rounds mean that something else is wrong. */
const mostRounds = 20;

/** `evenMany`: a person has said that an unusual share of the site may be taken away. */
export function repair(publishing: Publishing, evenMany: boolean): Promise<Repaired> {
  return withSite(publishing, "repair", (owned) => repairOwned(owned, evenMany));
}

export async function repairOwned(publishing: Owned<Publishing>, evenMany: boolean): Promise<Repaired> {
  const { site, vault, owner } = publishing;
  const repairs = new Map<string, RepairedPath>();
  const tell: TellRepair = (path, deed, reason) => {
    if (!repairs.has(path)) repairs.set(path, { path, deed, reason });
  };
  const inVault = (folder: string) =>
    tell(wholeKey(vault.own, folder), "restored", "in the vault; a copy was missing or damaged");
  if (await repairWithheld(vault.own)) inVault(siteFolders.decisions);
  if (!owner.found.record.isWhole) inVault(siteFolders.record); // the recovery has written both copies
  for (const key of await repairMarkers({ vault, site })) tell(key, "restored", "missing or damaged");
  await repairCurrentState(publishing, tell);
  await repairManifestCopies(publishing, tell);
  for (let round = 0; round < mostRounds; round += 1) {
    const state = await ownerBase(publishing);
    if (state === undefined) break;
    const remade = await remakeParts(site, state.manifest);
    for (const path of remade.made) tell(path, "restored", "missing or damaged");
    if (remade.lost.size > 0) {
      await stepPastParts(publishing, state, remade.lost, tell);
      continue;
    }
    const files = await filesOf(state.manifest, site);
    const lost = await repairObjects(publishing, state.manifest, files, tell);
    if (await publishLost(publishing, files, lost, tell)) continue;
    await repairPublicPaths(publishing, files, lost, tell);
    const unusual = await removeOrphans(publishing, files, evenMany, tell);
    const left = [...lost.values(), ...signatureIn(publishing)];
    return { version: state.manifest.version, repairs: [...repairs.values()], lost: left, unusual };
  }
  throw new Error(`the site is still damaged after ${mostRounds} passes. Run the repair again`);
}

/** Our state under a signature of somebody else's, where there is no key here to sign it again. */
function signatureIn(publishing: Owned<Publishing>): SiteFinding[] {
  const { pointer } = publishing.owner.found;
  if (pointer === undefined || signedByUs(publishing, pointer) !== false) return [];
  const expected = "a signature by a key of publishing.publicKeys";
  const seen = pointer.signature === undefined ? "no signature" : "a signature by another key";
  const remedy =
    "run this command with the key (ALMANAC_SIGNING_KEY_FILE), or run `almanac publish` with a worker that has it";
  return [{ path: pointerPath, expected, seen, remedy }];
}

async function removeOrphans(
  publishing: Publishing,
  files: Entries,
  evenMany: boolean,
  tell: TellRepair,
): Promise<UnusualRemoval | undefined> {
  const { site, configuration } = publishing;
  const orphans = (await findOrphans(site, files)).map(({ key }) => key);
  if (orphans.length === 0) return undefined;
  try {
    if (!evenMany) requireUsual(orphans.length, files.size, configuration.publishing.unusualShare);
  } catch (error) {
    if (error instanceof UnusualRemoval) return error;
    throw error;
  }
  await site.remove(orphans);
  for (const path of orphans) tell(path, "removed", "not in the manifest");
  return undefined;
}
