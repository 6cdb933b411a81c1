// Commits the next state of a site, in six steps. A reader sees one whole state wherever they break off, and the next owner of the
// site's lease knows what is left to do (site-owner.ts):
//
// 1. objects, parts and manifest are written: nothing leads to them yet
// 2. the record names the state as pending; then a copy of its manifest is written next to the record
// 3. the pointer is written, on the condition that it is as it was found
// 4. the record names the state as current
// 5. the public paths are written (public-paths.ts)
// 6. the record names the state as written
import { mostAheadMs } from "../../readings/calendar.ts";
import { unlessChanged } from "../../store/store.ts";
import { type NextState, manifestPut, newPuts, putMissing, type Puts } from "../render/merged-state.ts";
import { canonical } from "../../vault/files.ts";
import { pointerHeaders } from "../state/headers.ts";
import type { Manifest, Pointer } from "../../site/manifest.schema.ts";
import { type PartReader, sameParts, type SiteStep } from "../state/parts.ts";
import type { PublishContext } from "../state/publish-context.ts";
import { hashed, pointerPath } from "../state/state.ts";
import { isToRenew, pointerAfter, renewedPointer } from "./pointer.ts";
import { dropping, type NamedState, writeManifestCopy, makeCurrent } from "./record.ts";
import { finishPublicPaths } from "./public-paths.ts";
import { type BaseOptions, type BaseState, baseIn, type Owned, type SiteOwner } from "./site-state.ts";

/** The run that publishes, and its instant. */
export interface PublishedBy {
  readonly run: string;
  readonly asOf: string;
}

export type ProposeStep<Proposed extends NextState> = (
  base: BaseState | undefined,
  reader: PartReader,
  puts: Puts,
) => Promise<Proposed>;

export interface Committed<Proposed extends NextState = NextState> {
  readonly version: number;
  /** Undefined if nothing has changed. */
  readonly step: SiteStep | undefined;
  readonly reader: PartReader;
  readonly proposed: Proposed;
}

/** All six steps. */
export async function commit<Proposed extends NextState>(
  context: Owned,
  by: PublishedBy,
  propose: ProposeStep<Proposed>,
  options: BaseOptions = {},
): Promise<Committed<Proposed>> {
  const committed = await commitState(context, by, propose, options);
  await finishPublicPaths(context);
  return committed;
}

/** The first four steps: a repair writes the public paths itself. */
export async function commitState<Proposed extends NextState>(
  context: Owned,
  by: PublishedBy,
  propose: ProposeStep<Proposed>,
  options: BaseOptions = {},
): Promise<Committed<Proposed>> {
  const { site, owner } = context;
  const { reader } = owner;
  const puts = newPuts(site.holdsBytes, owner.held, owner.put);
  const base = await ownerBase(context, options);
  const proposed = await propose(base, reader, puts);
  const known = { reader, proposed };
  if (isSame(base?.manifest, proposed) && base?.isReplacement !== true)
    return { ...known, version: base?.manifest.version ?? 0, step: undefined };
  const version = nextVersion(owner);
  const root = hashed(canonical(manifestAfter(base, proposed, by, version, context)));
  await putMissing(site, proposed.newObjects, puts);
  await putMissing(site, [...proposed.newParts, root].map(manifestPut), puts);
  const { parts, changed } = proposed;
  const step = { before: base?.manifest, after: { parts }, changed };
  if (site.forgets !== true) await pointTo(context, { version, manifest: root.hash }, root.bytes);
  return { ...known, version, step };
}

/** The state that the owner builds on. */
export function ownerBase(context: Owned, options: BaseOptions = {}): Promise<BaseState | undefined> {
  const { found, record, manifests } = context.owner;
  return baseIn(context, found, record.value, options, manifests);
}

/** Steps 2 to 4. */
async function pointTo(context: Owned, next: NamedState, bytes: Uint8Array): Promise<void> {
  const { owner, vault } = context;
  await owner.record.note((before) => {
    const stale = before.pending === null ? [] : [before.pending];
    return { ...dropping(before, stale), pending: next, highest: Math.max(before.highest, next.version) };
  });
  await writeManifestCopy(vault.own, next, bytes);
  await writePointer(context, await pointerAfter(context, owner.found.pointer, next));
  await makeCurrent(context, owner.record, next);
}

/** Writes the pointer in place of the one that was found. */
export async function writePointer({ site, owner }: Owned, pointer: Pointer): Promise<void> {
  const body = canonical(pointer);
  const { found } = owner;
  const answer = await site.write(pointerPath, body, pointerHeaders, unlessChanged(found.stored?.version));
  if (answer.kind === "refused") throw new PointerMoved();
  const stored = { body, version: answer.version };
  owner.found = { ...found, stored, pointer, judgement: "current", refusal: undefined };
}

/** Thrown if somebody has written the pointer who does not hold the site's lease, or a late write has arrived. */
export class PointerMoved extends Error {
  override readonly name = "PointerMoved";
  readonly type = "PointerMoved";
  constructor() {
    super(`${pointerPath} was changed during this publish by a process without the site's lease. Try again`);
  }
}

/** Writes a pointer to the same state again if it expires soon, or somebody has changed it. */
export async function renewPointer(context: Owned): Promise<void> {
  const { found, record } = context.owner;
  const { current } = record.value;
  if (found.judgement !== "current" || found.pointer === undefined || current === null) return;
  if (await isToRenew(context, found.pointer, current.version))
    await writePointer(context, await renewedPointer(context, found.pointer, current.version));
}

function isSame(before: Manifest | undefined, next: NextState): boolean {
  const { parts = {}, dependencies = {}, fingerprint } = before ?? {};
  return (
    sameParts(parts, next.parts) &&
    sameParts(dependencies, next.dependencies ?? dependencies) &&
    (next.fingerprint ?? fingerprint) === fingerprint
  );
}

function manifestAfter(
  base: BaseState | undefined,
  next: NextState,
  by: PublishedBy,
  version: number,
  context: PublishContext,
): Manifest {
  const { asOf = by.asOf } = base?.manifest ?? {};
  // One that a clock ahead has given is not kept for all states to come.
  const before = Date.parse(asOf) > context.now().getTime() + mostAheadMs ? by.asOf : asOf;
  return {
    format: 1,
    parent: base?.hash ?? null,
    version,
    fingerprint: next.fingerprint ?? base?.manifest.fingerprint ?? context.fingerprint,
    run: by.run,
    asOf: before > by.asOf ? before : by.asOf,
    parts: next.parts,
    dependencies: next.dependencies ?? base?.manifest.dependencies,
  };
}

/** A forged pointer could use up all numbers that there are. */
const mostAhead = 1_000_000;

/** Above every version that was used, and the one that readers may have seen. */
function nextVersion({ found, record }: SiteOwner): number {
  const { highest } = record.value;
  const seen = found.pointer?.version ?? 0;
  return (seen > highest + mostAhead ? highest : Math.max(highest, seen)) + 1;
}
