// Brings the site back to a state that is ours: a lost pointer is put back, a lost manifest as the vault has it, and where the
// pointer names what is not ours, the last state that is comes under a new version, above all that were ever seen.
import { UnreadableFile, unlessDamaged, wholeKey } from "../../vault/json.ts";
import { siteFolders } from "../../vault/layout.ts";
import { merge } from "../render/merged-state.ts";
import type { Publishing } from "../state/publish-context.ts";
import { manifestPath, pointerPath, readHashed, readManifest } from "../state/state.ts";
import { commitState, ownerBase, writePointer } from "../step/commit.ts";
import { changeInPointer, pointerAfter, renewedPointer } from "../step/pointer.ts";
import {
  dropManifestCopies,
  listManifestCopies,
  readManifestCopy,
  type StateRecord,
  writeManifestCopy,
} from "../step/record.ts";
import type { Owned } from "../step/recovery.ts";
import type { FoundSite } from "../step/site-state.ts";
import { proposeTree } from "./past-parts.ts";
import type { TellRepair } from "./repair-report.ts";

export async function repairCurrentState(context: Owned<Publishing>, tell: TellRepair): Promise<void> {
  const { found, record } = context.owner;
  const { pointer, refusal } = found;
  const { current } = record.value;
  requirePublished(found, record.value);
  const wanted = (refusal === undefined ? pointer : current)?.manifest ?? "";
  const isThere = (await unlessDamaged(() => readManifest(context.site, wanted))) !== undefined;
  const base = await ownerBase(context, { continues: true });
  if (base === undefined) return;
  const { version } = base.manifest;
  if (!isThere && base.hash === wanted)
    tell(manifestPath(wanted), "restored", "missing or damaged; copied from the vault");
  if (!base.isReplacement && pointer !== undefined) {
    const change = await changeInPointer(context, pointer, version);
    if (change === undefined) return;
    await writePointer(context, await renewedPointer(context, pointer, version));
    return tell(pointerPath, "written", change);
  }
  // Since the pointer went no other state can have been seen.
  if (pointer === undefined && base.hash === current?.manifest && record.value.highest === version) {
    await writePointer(context, await pointerAfter(context, undefined, current));
    return tell(pointerPath, "restored", "missing or damaged");
  }
  const by = { run: "repair", asOf: context.now().toISOString() };
  const next = await commitState(
    context,
    by,
    async (_base, reader, puts) => {
      const tree = { site: context.site, manifest: base.manifest, reader };
      // Where parts of it are lost as well, these are what is repaired next.
      const proposed = await unlessDamaged(() => proposeTree(tree, context, puts));
      return proposed ?? merge(tree.manifest, [], [], reader);
    },
    { continues: true },
  );
  const why = refusal?.message ?? `${manifestPath(wanted)} is missing`;
  tell(pointerPath, "written", `version ${next.version} continues from version ${version}; ${why}`);
}

function requirePublished({ stored, pointer, refusal, judgement }: FoundSite, record: StateRecord): void {
  if (judgement === "nothing" && record.states.length > 0) {
    throw new UnreadableFile(
      `the site's store is empty. Publish the current pages with \`almanac publish\`, then past ones with \`almanac render --from\``,
    );
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
