// The state that counts, if the pointer does not name a whole state of ours. A lost pointer or manifest is restored from the vault.
// For any other pointer, the repair continues from the last state of ours, unless a person accepts the pointer's state: the vault
// may have come back from a copy that is older than the site.
import { signedByUs, changeInPointer, pointerAfter, renewedPointer } from "../step/pointer.ts";
import { UnreadableFile, unlessDamaged, wholeKey, siteFolders } from "../../vault/files.ts";
import { manifestSchema } from "../../site/manifest.schema.ts";
import { allFiles, createPartReader } from "../state/parts.ts";
import type { PublishContext, Publishing } from "../state/publish-context.ts";
import { manifestPath, parseFormat, pointerPath, readHashed, readManifest } from "../state/state.ts";
import { ownerBase, writePointer } from "../step/commit.ts";
import {
  becoming,
  dropManifestCopies,
  listManifestCopies,
  readManifestCopy,
  type StateRecord,
  writeManifestCopy,
} from "../step/record.ts";
import { withSite } from "../step/site-owner.ts";
import { type Attribution, guards, recordDecision } from "../../vault/journal.ts";
import type { FoundSite, Owned } from "../step/site-state.ts";
import type { TellRepair } from "./site-source.ts";

/** Restores the pointer. If it names another state than the base, it stays, and the reason why the base replaces it is returned. */
export async function repairPointer(
  context: Owned<Publishing>,
  tell: TellRepair,
): Promise<string | undefined> {
  const { found, record } = context.owner;
  const { pointer, refusal } = found;
  const { current } = record.value;
  requirePublished(found, record.value);
  const wanted = (refusal === undefined ? pointer : current)?.manifest ?? "";
  const isThere = (await unlessDamaged(() => readManifest(context.site, wanted))) !== undefined;
  const base = await ownerBase(context, { continues: true });
  if (base === undefined) return undefined;
  const { version } = base.manifest;
  if (!isThere && base.hash === wanted)
    tell(manifestPath(wanted), "restored", "missing or damaged; copied from the vault");
  if (!base.isReplacement && pointer !== undefined) {
    const change = await changeInPointer(context, pointer, version);
    if (change === undefined) return undefined;
    await writePointer(context, await renewedPointer(context, pointer, version));
    tell(pointerPath, "written", change);
    return undefined;
  }
  // Since the pointer went no other state can have been seen.
  if (pointer === undefined && base.hash === current?.manifest && record.value.highest === version) {
    await writePointer(context, await pointerAfter(context, undefined, current));
    tell(pointerPath, "restored", "missing or damaged");
    return undefined;
  }
  return refusal?.seen ?? `${manifestPath(wanted)} is missing`;
}

export const emptySiteRemedy =
  "check that its disk is mounted, and that ALMANAC_SITE is correct. If the site is lost, publish the current pages with " +
  "`almanac publish`, then past ones with `almanac render --from`";

function requirePublished({ stored, pointer, refusal, judgement }: FoundSite, record: StateRecord): void {
  if (judgement === "nothing" && record.states.length > 0) {
    throw new UnreadableFile(`the site's store is empty. Next: ${emptySiteRemedy}`);
  }
  if (pointer === undefined && record.current === null) {
    throw new UnreadableFile(
      `nothing to repair: this vault has never published${stored === undefined ? "" : `, and ${pointerPath} is damaged`}. If that is wrong, check ALMANAC_VAULT and ALMANAC_SITE`,
    );
  }
  if (refusal !== undefined && record.current === null) throw refusal;
}

/** Writes the copy of the current state's manifest again if it is lost or damaged, and removes damaged copies of other states. */
export async function repairManifestCopies({ owner, site, vault }: Owned, tell: TellRepair): Promise<void> {
  const { current } = owner.record.value;
  const folder = wholeKey(vault.own, siteFolders.manifests);
  const others = (await listManifestCopies(vault.own)).filter((one) => one.manifest !== current?.manifest);
  for (const one of others) {
    if ((await readManifestCopy(vault.own, one)) !== undefined) continue;
    await dropManifestCopies(vault.own, [one]);
    tell(folder, "removed", "in the vault; the copy of an earlier manifest was damaged");
  }
  if (current === null || (await readManifestCopy(vault.own, current)) !== undefined) return;
  const bytes = await readHashed(site, current.manifest);
  if (bytes === undefined) return;
  await writeManifestCopy(vault.own, current, bytes);
  tell(folder, "restored", "in the vault; the copy of the manifest was missing or damaged");
}

/** Records an act that overrides a guard. Must come before the act. */
export function recordOverride(
  { vault, now }: PublishContext,
  guard: string,
  by: Attribution,
  manifest?: string,
): Promise<void> {
  const said = { ...by, at: now().toISOString() };
  return recordDecision(vault.own, { kind: "override", ...said, overrides: [guard], subject: { manifest } });
}

/** Thrown if the state can't be accepted. */
export class StateNotAccepted extends Error {
  override readonly name = "StateNotAccepted";
}

/** Part of a hash could be made by trying. */
const hashLength = 64;

export function acceptState(context: PublishContext, wanted: string, by: Attribution): Promise<void> {
  return withSite(context, "accept a state", (owned) => acceptOwned(owned, wanted, by));
}

/** `by`: absent if no person chose the state. */
export async function acceptOwned(context: Owned, wanted: string, by?: Attribution): Promise<void> {
  const { owner } = context;
  const { pointer, refusal } = owner.found;
  const { highest, current } = owner.record.value;
  if (refusal === undefined)
    throw new StateNotAccepted("this vault published the current version, so there is nothing to accept");
  if (pointer === undefined) throw new StateNotAccepted(`${refusal.message}. There is no version to accept`);
  if (wanted.length !== hashLength || wanted !== pointer.manifest) {
    throw new StateNotAccepted(`${pointerPath} names manifest ${pointer.manifest}, not ${wanted}`);
  }
  if (signedByUs(context, pointer) === false) {
    throw new StateNotAccepted(`${pointerPath} is not signed by a key of publishing.publicKeys`);
  }
  const { site } = context;
  const bytes = await unlessDamaged(() => readHashed(site, wanted));
  const manifest =
    bytes && (await unlessDamaged(async () => parseFormat(manifestPath(wanted), bytes, manifestSchema)));
  if (bytes === undefined || manifest === undefined || manifest.version !== pointer.version) {
    throw new StateNotAccepted(`the manifest ${wanted} is missing or damaged, or has another version`);
  }
  if (manifest.version <= highest) {
    throw new StateNotAccepted(
      `version ${manifest.version} is not newer than version ${highest}, which this vault knows. \`almanac repair\` continues from version ${current?.version}`,
    );
  }
  await allFiles(createPartReader(site), manifest); // throws if a part is lost or damaged
  const state = { version: manifest.version, manifest: wanted };
  if (by !== undefined) await recordOverride(context, guards.foreign, by, wanted);
  await writeManifestCopy(context.vault.own, state, bytes);
  // Nothing is known of the public paths.
  await owner.record.note((before) => ({
    ...becoming(before, state),
    highest: manifest.version,
    written: null,
    partlyWritten: [],
  }));
  owner.found = { ...owner.found, judgement: "current", refusal: undefined };
}
