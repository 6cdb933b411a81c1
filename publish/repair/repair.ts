// Repairs the published site in three steps. It compares pointer, manifest, parts, objects and public paths with their hashes, and
// leaves a sound file as it is. It restores each other file from a copy that still has its hash. It renders the rest from the
// vault, and publishes that as a new state.
import { merge } from "../render/merged-state.ts";
import { signedByUs } from "../step/pointer.ts";
import { unlessDamaged, wholeKey, sha256, siteFolders } from "../../vault/files.ts";
import { repairMarkers } from "../../vault/installation.ts";
import { type Attribution, guards, lostDecision, repairJournal } from "../../vault/journal.ts";
import { readWithheld, repairWithheld } from "../../vault/withheld.ts";
import type { RenderedFile } from "../../site/edition.ts";
import { asDecidedSince } from "../history/rollback.ts";
import { unusualRemoval, type UnusualRemoval } from "../render/leaving-paths.ts";
import type { FileEntry, Manifest } from "../../site/manifest.schema.ts";
import { allFiles, createPartReader, changesOf } from "../state/parts.ts";
import type { Publishing } from "../state/publish-context.ts";
import { objectPath, pointerPath, readManifest } from "../state/state.ts";
import { commitState, ownerBase } from "../step/commit.ts";
import { rewriteChanged } from "../step/public-paths.ts";
import { withSite } from "../step/site-owner.ts";
import type { Owned } from "../step/site-state.ts";
import { recordOverride, repairManifestCopies, repairPointer } from "./current-state.ts";
import { repairObjects, restoreParts, withoutLostParts } from "./lost-files.ts";
import type { RepairedPath, SiteFinding, TellRepair } from "./site-source.ts";
import { findOrphans, storeSource } from "./store-source.ts";

export interface Repaired {
  readonly version: number;
  readonly repairs: readonly RepairedPath[];
  /** The files that could not be repaired, each with its remedy. */
  readonly lost: readonly SiteFinding[];
  /** The reason why orphaned files were not removed. */
  readonly unusual: UnusualRemoval | undefined;
}

/** Repaired files may show further damage; more rounds than this mean that something else is wrong. */
const mostRounds = 20;

/**
 * `evenMany`: a person has confirmed that an unusual share of the site may be removed. `by`: the person; absent if a program repairs.
 * It is called only if the person overrides something.
 */
export function repair(publishing: Publishing, evenMany: boolean, by?: () => Attribution): Promise<Repaired> {
  return withSite(publishing, "repair", (owned) => repairOwned(owned, evenMany, by));
}

export async function repairOwned(
  publishing: Owned<Publishing>,
  evenMany: boolean,
  by?: () => Attribution,
): Promise<Repaired> {
  const { site } = publishing;
  const repairs = new Map<string, RepairedPath>();
  const tell: TellRepair = (path, deed, reason) => {
    if (!repairs.has(path)) repairs.set(path, { path, deed, reason });
  };
  const lostDecisions = await repairVault(publishing, tell);
  const refused = await repairPointer(publishing, tell);
  for (let round = 0; round < mostRounds; round += 1) {
    const state = await ownerBase(publishing, { continues: true });
    if (state === undefined) break;
    const lostParts = await restoreParts(site, state.manifest, tell);
    const manifest =
      lostParts.size === 0
        ? state.manifest
        : await withoutLostParts(publishing, state.manifest, lostParts, tell);
    const files = await allFiles(createPartReader(site), manifest);
    const { lost, rendered } = await repairObjects(publishing, manifest, files, tell);
    if (state.isReplacement || lostParts.size > 0) {
      const foreign = publishing.owner.found.pointer?.manifest;
      if (state.isReplacement && by) await recordOverride(publishing, guards.foreign, by(), foreign);
      const version = await publishTree(publishing, manifest, lostParts.size > 0);
      if (state.isReplacement)
        tell(
          pointerPath,
          "written",
          `version ${version} continues from version ${state.manifest.version}; ${refused}`,
        );
      continue;
    }
    if (await publishRendered(publishing, rendered, lost, tell)) continue;
    await repairManifestCopies(publishing, tell);
    await repairPublicPaths(publishing, lost, tell);
    const unusual = await removeOrphans(publishing, files, { evenMany, by }, tell);
    const left = [...lostDecisions, ...lost.values(), ...foreignSignature(publishing)];
    return { version: state.manifest.version, repairs: [...repairs.values()], lost: left, unusual };
  }
  throw new Error(`the site is still damaged after ${mostRounds} passes. Run the repair again`);
}

/** Restores the vault's files of which it has several copies, and the markers of vault and site. Returns the lost decisions. */
async function repairVault(
  { site, vault, owner }: Owned<Publishing>,
  tell: TellRepair,
): Promise<SiteFinding[]> {
  const restored = "in the vault; a copy was missing or damaged";
  const inVault = (folder: string) => tell(wholeKey(vault.own, folder), "restored", restored);
  if (await repairWithheld(vault.own)) inVault(siteFolders.decisions);
  const { repaired, lost } = await repairJournal(vault.own);
  for (const file of repaired) tell(file, "restored", restored);
  if (!owner.found.record.isWhole) inVault(siteFolders.record); // the recovery has written both copies
  for (const key of await repairMarkers({ vault, site })) tell(key, "restored", "missing or damaged");
  const { seen, remedy } = lostDecision;
  return lost.map((path) => ({ path, expected: "a readable decision", seen, remedy }));
}

/** No state has this fingerprint, so that the next publish renders every language again, and later ones the past months. */
const nobodys = { fingerprint: `sha256-${sha256(new Uint8Array())}`, dependencies: {} };

/**
 * Publishes another tree than the pointer's as a new state, without the texts that were withdrawn since. Returns its version.
 * `hasEarlierParts`: the tree may still have such texts, so that it must not be published if their pages can't be rendered.
 */
async function publishTree(
  publishing: Owned<Publishing>,
  manifest: Manifest,
  hasEarlierParts: boolean,
): Promise<number> {
  const at = publishing.now();
  const withheld = await readWithheld(publishing.vault.own);
  const { version } = await commitState(
    publishing,
    { run: "repair", asOf: at.toISOString() },
    async (_base, reader, puts) => {
      const tree = { ...publishing, manifest, reader, puts };
      const asDecided = () => asDecidedSince(withheld, tree, { at, isMixed: true, current: hasEarlierParts });
      const decided = await (hasEarlierParts ? asDecided() : unlessDamaged(asDecided));
      return decided === undefined ? merge(manifest, [], [], reader) : { ...decided, ...nobodys };
    },
    { continues: true },
  );
  return version;
}

/** Publishes lost files as the vault has them now. Returns whether there is a newer state now. */
async function publishRendered(
  publishing: Owned<Publishing>,
  rendered: readonly RenderedFile[],
  lost: Pick<ReadonlyMap<string, unknown>, "has">,
  tell: TellRepair,
): Promise<boolean> {
  if (rendered.length === 0) return false;
  const incomplete = await versionsWith(publishing, lost);
  const by = { run: "repair", asOf: publishing.now().toISOString() };
  const committed = await commitState(publishing, by, (base, reader) =>
    merge(base?.manifest, rendered, [], reader),
  );
  const changes = await changesOf(committed);
  for (const { path } of changes)
    tell(path, "written", `lost; rendered and published again. No rollback to ${incomplete} is possible`);
  return changes.length > 0;
}

/** The versions that have one of these objects, in words. */
async function versionsWith(
  { site, owner }: Owned,
  objects: Pick<ReadonlyMap<string, unknown>, "has">,
): Promise<string> {
  const found: number[] = [];
  for (const { manifest: hash, version } of owner.record.value.states) {
    const manifest = await unlessDamaged(() => readManifest(site, hash));
    const files = manifest && (await unlessDamaged(() => allFiles(createPartReader(site), manifest)));
    if (files?.entries().some(([path, { object }]) => objects.has(objectPath(object, path))) === true)
      found.push(version);
  }
  return `${found.length === 1 ? "version" : "versions"} ${found.toReversed().join(", ")}`;
}

/** Brings the public paths to the current state. Those of the lost objects stay as they are. */
async function repairPublicPaths(
  publishing: Owned<Publishing>,
  lost: ReadonlyMap<string, unknown>,
  tell: TellRepair,
): Promise<void> {
  const { site, owner } = publishing;
  const source = storeSource(site);
  const read = async (path: string) => {
    const look = await source.file(path);
    return look.kind === "bytes" ? look.bytes : undefined;
  };
  const states = [null, ...owner.record.value.partlyWritten];
  for (const { path, entry, isThere } of await rewriteChanged(publishing, states, lost, read)) {
    if (entry === undefined) tell(path, "removed", "not in the manifest");
    else tell(path, "written", isThere ? "different from the manifest" : "missing");
  }
  await owner.record.note((before) => ({ ...before, written: before.current, partlyWritten: [] }));
}

async function removeOrphans(
  publishing: Publishing,
  files: ReadonlyMap<string, FileEntry>,
  { evenMany, by }: { readonly evenMany: boolean; readonly by: (() => Attribution) | undefined },
  tell: TellRepair,
): Promise<UnusualRemoval | undefined> {
  const { site, configuration } = publishing;
  const orphans = (await findOrphans(site, files)).map(({ key }) => key);
  if (orphans.length === 0) return undefined;
  const unusual = unusualRemoval(orphans.length, files.size, configuration.publishing.unusualShare);
  if (unusual !== undefined && !evenMany) return unusual;
  if (unusual !== undefined && by) await recordOverride(publishing, guards.removal, by());
  await site.remove(orphans);
  for (const path of orphans) tell(path, "removed", "not in the manifest");
  return undefined;
}

/** Our state with another signer's signature, if no key here can sign it again. */
function foreignSignature(publishing: Owned<Publishing>): SiteFinding[] {
  const { pointer } = publishing.owner.found;
  if (pointer === undefined || signedByUs(publishing, pointer) !== false) return [];
  const expected = "a signature by a key of publishing.publicKeys";
  const seen = pointer.signature === undefined ? "no signature" : "a signature by another key";
  const remedy =
    "run `almanac repair` with the key (ALMANAC_SIGNING_KEY_FILE). A worker that has it signs the pointer at its next publish";
  return [{ path: pointerPath, expected, seen, remedy }];
}
