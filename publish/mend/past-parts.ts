// Steps past parts that can't be made again: their groups of paths go back to the newest state before that has them whole,
// without what was withdrawn since, and the next turn presses all languages anew from the vault.
import { unlessDamaged } from "../../vault/json.ts";
import { readWithheld } from "../../vault/withheld.ts";
import { sha256 } from "../../vault/sha256.ts";
import { asDecidedSince } from "../history/rollback.ts";
import { merge, type NextState } from "../press/merged-state.ts";
import { summariesOf } from "../press/printing.ts";
import { withSitemaps } from "../press/sitemaps.ts";
import { manifestSchema, type Manifest } from "../state/manifest.schema.ts";
import { createPartReader, groupsIn, partsIn } from "../state/parts.ts";
import type { PublishedSite } from "../state/published-files.ts";
import type { Publishing } from "../state/publishing-place.ts";
import type { Puts } from "../state/puts.ts";
import { manifestPath, parseFormat, readManifest, type SiteState } from "../state/state.ts";
import { advance } from "../step/advance.ts";
import { type Intent, keptManifest, readIntents } from "../step/intents.ts";
import { filesOf, mendObjects } from "./object-repair.ts";
import type { TellRepair } from "./repair-report.ts";

/** No state has it, so that the next turn presses whatever the vault has. */
const nobodys = `sha256-${sha256(new Uint8Array())}`;
const mostStates = 40;

/** `lost` are the hashes of parts. */
export async function stepPastParts(
  publishing: Publishing,
  state: SiteState,
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
  await mendObjects(publishing, tree, await filesOf(tree, site), tell); // pages are pressed with what the tree has
  await advance(publishing, by, async (base, reader, puts) => {
    // Somebody else has published meanwhile: the next round looks at theirs.
    if (base?.pointer.manifest !== state.pointer.manifest) return merge(base?.manifest, [], [], reader);
    return proposeTree({ site, manifest: tree, reader }, publishing, puts);
  });
  for (const group of groups) {
    const version = earlier.get(group)?.version;
    const pages = version === undefined ? "its pages are gone" : `its pages are those of version ${version}`;
    const reason = `lost; ${pages} until the next turn, or \`almanac press\`, brings those that the vault has`;
    for (const [, hash] of partsIn(state.manifest, group))
      if (lost.has(hash)) tell(manifestPath(hash), "written", reason);
  }
}

/** An earlier tree as the next state, without what was withdrawn since; the next turn presses every language of it. */
export async function proposeTree(
  tree: PublishedSite & { readonly manifest: Manifest },
  publishing: Publishing,
  puts: Puts,
): Promise<NextState> {
  const { vault, now } = publishing;
  const presses = await asDecidedSince(tree, await readWithheld(vault.store), publishing, puts);
  const files = presses.flatMap((one) => one.files);
  const leaves = presses.flatMap((one) => one.leaves);
  const news = { files, leaves, summaries: summariesOf(presses) };
  const together = await withSitemaps(tree, news, publishing, now());
  const merged = await merge(tree.manifest, [...files, ...together.files], together.leaves, tree.reader);
  return { ...merged, fingerprint: nobodys, alternates: tree.manifest.alternates };
}

interface EarlierGroup {
  readonly version: number;
  readonly parts: readonly [part: string, hash: string][];
}

/** For each of these groups the newest earlier state that has it whole; a group without one is left out. */
async function wholeBefore(publishing: Publishing, from: Manifest, groups: readonly string[]) {
  const intents = await readIntents(publishing);
  const reader = createPartReader(publishing.site);
  const found = new Map<string, EarlierGroup>();
  let { parent } = from;
  for (let state = 0; state < mostStates && parent !== null && found.size < groups.length; state += 1) {
    const manifest = await manifestAt(publishing, parent, intents);
    if (manifest === undefined) break;
    for (const group of groups) {
      const parts = partsIn(manifest, group);
      if (found.has(group) || parts.length === 0) continue;
      if ((await unlessDamaged(() => reader.files(manifest, group))) === undefined) continue;
      found.set(group, { version: manifest.version, parts });
    }
    ({ parent } = manifest);
  }
  return found;
}

async function manifestAt(publishing: Publishing, hash: string, intents: readonly Intent[]) {
  const there = await unlessDamaged(() => readManifest(publishing.site, hash));
  if (there !== undefined) return there;
  const kept = await keptManifest(publishing, hash, intents);
  return kept && parseFormat(manifestPath(hash), kept, manifestSchema);
}
