// Steps past parts that can't be made again: their groups of paths go back to the newest state before that has them whole,
// without what was withdrawn since, and the next publish renders all languages again from the vault.
import { unlessDamaged } from "../../vault/json.ts";
import { readWithheld } from "../../vault/withheld.ts";
import { sha256 } from "../../vault/sha256.ts";
import { asDecidedSince } from "../history/rollback.ts";
import { merge, type NextState } from "../render/merged-state.ts";
import { summariesOf } from "../render/render-and-put.ts";
import { withSitemaps } from "../render/sitemaps.ts";
import type { Manifest } from "../state/manifest.schema.ts";
import { createPartReader, groupsIn, partsIn } from "../state/parts.ts";
import type { PublishedSite } from "../state/published-files.ts";
import type { Publishing } from "../state/publish-context.ts";
import type { Puts } from "../state/puts.ts";
import { manifestPath, readManifest } from "../state/state.ts";
import { commitState } from "../step/commit.ts";
import type { Owned } from "../step/recovery.ts";
import type { BaseState } from "../step/site-state.ts";
import { filesOf, repairObjects } from "./object-repair.ts";
import type { TellRepair } from "./repair-report.ts";

/** No state has it, so that the next publish renders whatever the vault has. */
const nobodys = `sha256-${sha256(new Uint8Array())}`;

/** `lost` are the hashes of parts. */
export async function stepPastParts(
  publishing: Owned<Publishing>,
  state: BaseState,
  lost: ReadonlySet<string>,
  tell: TellRepair,
): Promise<void> {
  const { site, now } = publishing;
  const groups = groupsIn(state.manifest).filter((group) =>
    partsIn(state.manifest, group).some(([, hash]) => lost.has(hash)),
  );
  const earlier = await wholeBefore(publishing, state.manifest, groups);
  const stay = Object.entries(state.manifest.parts).filter(
    ([part]) => !groups.some((group) => partsIn(state.manifest, group).some(([own]) => own === part)),
  );
  const parts = Object.fromEntries([...stay, ...[...earlier.values()].flatMap((one) => one.parts)]);
  const by = { run: "repair", asOf: now().toISOString() };
  const tree = { ...state.manifest, parts };
  await repairObjects(publishing, tree, await filesOf(tree, site), tell); // pages are rendered with what the tree has
  await commitState(publishing, by, (_base, reader, puts) =>
    proposeTree({ site, manifest: tree, reader }, publishing, puts),
  );
  for (const group of groups) {
    const version = earlier.get(group)?.version;
    const pages =
      version === undefined ? "its pages are missing" : `its pages are those of version ${version}`;
    const reason = `lost; ${pages} until the next publish, or \`almanac render\`, restores those in the vault`;
    for (const [, hash] of partsIn(state.manifest, group))
      if (lost.has(hash)) tell(manifestPath(hash), "written", reason);
  }
}

/** An earlier tree as the next state, without what was withdrawn since; the next publish renders every language of it. */
export async function proposeTree(
  tree: PublishedSite & { readonly manifest: Manifest },
  publishing: Publishing,
  puts: Puts,
): Promise<NextState> {
  const { vault, now } = publishing;
  const rendered = await asDecidedSince(tree, await readWithheld(vault.own), publishing, puts);
  const files = rendered.flatMap((one) => one.files);
  const leaves = rendered.flatMap((one) => one.leaves);
  const news = { files, leaves, summaries: summariesOf(rendered) };
  const together = await withSitemaps(tree, news, publishing, now());
  const merged = await merge(tree.manifest, [...files, ...together.files], together.leaves, tree.reader);
  return { ...merged, fingerprint: nobodys, alternates: tree.manifest.alternates };
}

interface EarlierGroup {
  readonly version: number;
  readonly parts: readonly [part: string, hash: string][];
}

/** For each of these groups the newest earlier state that has it whole; a group without one is left out. */
async function wholeBefore({ site, owner }: Owned, from: Manifest, groups: readonly string[]) {
  const reader = createPartReader(site);
  const found = new Map<string, EarlierGroup>();
  for (const { manifest: hash, version } of owner.record.value.states) {
    if (found.size === groups.length) break;
    const isBefore = version < from.version;
    const manifest = isBefore ? await unlessDamaged(() => readManifest(site, hash)) : undefined;
    if (manifest === undefined) continue;
    for (const group of groups) {
      const parts = partsIn(manifest, group);
      if (found.has(group) || parts.length === 0) continue;
      if ((await unlessDamaged(() => reader.files(manifest, group))) === undefined) continue;
      found.set(group, { version, parts });
    }
  }
  return found;
}
