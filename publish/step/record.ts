// The record of a site's states, kept twice in the vault: which state is current, which one is about to be, and which one the public
// paths show. A publisher notes a state here before the pointer names it, so the next owner of the site's lease knows after
// any crash what the pointer names (site-state.ts) and what is left to do (site-owner.ts).
//
// The manifests of the current and the pending state are kept next to it, each named by version and hash. They bring back a manifest
// that the site has lost, and they rebuild a record that is lost, or is an older one that somebody put back.
import { z } from "zod";
import { always, type Store } from "../../store/store.ts";
import { unlessDamaged, sha256, siteFolders, siteLayout } from "../../vault/files.ts";
import { type FoundKept, type Kept, readKept, writeKept } from "../../vault/note.ts";
import { manifestHeaders } from "../state/headers.ts";
import { hash } from "../../site/manifest.schema.ts";
import type { PublishContext } from "../state/publish-context.ts";
import { readManifest } from "../state/state.ts";

const state = z.object({ version: z.int().min(1), manifest: hash });
export type NamedState = z.infer<typeof state>;

const mostStates = 50;
const mostEntries = 8;

const uncleanEntry = z.object({
  at: z.iso.datetime(),
  /** The states as which a public path may still be written. */
  states: z.array(hash),
  /** The beginning of the objects that a clean-up was removing. */
  prefix: z.string().nullable(),
});
export type UncleanEntry = z.infer<typeof uncleanEntry>;

const recordSchema = z.object({
  /** The epoch of the lease under which it was written. */
  epoch: z.int().min(0),
  /** The highest version that any manifest of ours has had. No version is used twice. */
  highest: z.int().min(0),
  current: state.nullable(),
  /** The state that the pointer is about to name. */
  pending: state.nullable(),
  /** The state that the public paths show; null if nothing is known of them. */
  written: state.nullable(),
  /** Further states that a public path may show. */
  partlyWritten: z.array(hash).max(mostEntries),
  /** The states that were current, the newest first, the current one included. */
  states: z.array(state).max(mostStates),
  /** Pending states that never became current. */
  dropped: z.array(state).max(mostEntries),
  /** The beginning of the objects that a clean-up is removing. */
  removing: z.string().nullable(),
  /** The writes that owners who did not release the lease may still have under way. */
  unclean: z.array(uncleanEntry).max(mostEntries),
});
export type StateRecord = z.infer<typeof recordSchema>;

export const siteRecord: Kept<StateRecord> = {
  keys: ["1", "2"].map(siteLayout.record),
  schema: recordSchema,
  empty: {
    epoch: 0,
    highest: 0,
    current: null,
    pending: null,
    written: null,
    partlyWritten: [],
    states: [],
    dropped: [],
    removing: null,
    unclean: [],
  },
};

/**
 * Reads the record; `pointed` is the manifest that the pointer names. If the record does not expect that one, or a copy of it is lost,
 * damaged or older than the other, the manifest copies correct it.
 */
export async function readStateRecord(
  context: PublishContext,
  pointed: string | undefined,
): Promise<FoundKept<StateRecord>> {
  const vault = context.vault.own;
  const found = await readKept(vault, siteRecord);
  const { current, pending } = found.value;
  const isExpected = pointed !== undefined && [current?.manifest, pending?.manifest].includes(pointed);
  if (found.isWhole && isExpected) return found;
  const copies = await listManifestCopies(vault);
  if (copies.length === 0) return found;
  const value = found.change > 0 ? corrected(found.value, copies) : await rebuilt(context, copies, pointed);
  return { ...found, value, isWhole: found.isWhole && value === found.value };
}

/**
 * A copy with a higher version than the record knows was at least pending: the record is an older one, and the public paths may show
 * any state since.
 */
function corrected(record: StateRecord, copies: readonly NamedState[]): StateRecord {
  const newer = copies.filter(({ version }) => version > record.highest);
  const pending = newer.at(-1);
  if (pending === undefined) return record;
  const others = [record.pending, ...newer.slice(0, -1)].filter((one) => one !== null);
  const partlyWritten = newer.slice(-mostEntries).map(({ manifest }) => manifest);
  return { ...dropping(record, others), highest: pending.version, pending, written: null, partlyWritten };
}

/** The record from the copies alone: nothing is known of the public paths then, so all of them are written. */
async function rebuilt(
  context: PublishContext,
  copies: readonly NamedState[],
  pointed: string | undefined,
): Promise<StateRecord> {
  const current = copies.find(({ manifest }) => manifest === pointed) ?? copies.at(0) ?? null;
  const known = { ...siteRecord.empty, current, highest: current?.version ?? 0 };
  const states = current === null ? [] : await statesFrom(context, current);
  return corrected({ ...known, states }, copies);
}

/** A state and those that it came out of, as their manifests name them. */
async function statesFrom(context: PublishContext, first: NamedState): Promise<NamedState[]> {
  const states = [first];
  let at: string | null = first.manifest;
  while (at !== null && states.length < mostStates) {
    const hashAt: string = at;
    const manifest = await unlessDamaged(() => readManifest(context.site, hashAt));
    if (manifest === undefined) break;
    if (hashAt !== first.manifest) states.push({ version: manifest.version, manifest: hashAt });
    at = manifest.parent;
  }
  return states;
}

/** Moves states to the dropped ones, the newest of which are kept. */
export function dropping(record: StateRecord, states: readonly NamedState[]): StateRecord {
  return { ...record, dropped: [...states, ...record.dropped].slice(0, mostEntries) };
}

/** Makes a state the current one, as the pointer names it. */
export function becoming(record: StateRecord, current: NamedState): StateRecord {
  const before = record.current;
  const isWritten = before === null || before.manifest === record.written?.manifest;
  return {
    ...record,
    current,
    pending: record.pending?.manifest === current.manifest ? null : record.pending,
    states: [current, ...record.states.filter(({ manifest }) => manifest !== current.manifest)].slice(
      0,
      mostStates,
    ),
    dropped: record.dropped.filter(({ manifest }) => manifest !== current.manifest),
    ...(isWritten ? {} : withPartlyWritten(record, before.manifest)),
  };
}

/** If the paths may show too many states, nothing is known about them any more. */
function withPartlyWritten({ written, partlyWritten }: StateRecord, manifest: string) {
  const all = [manifest, ...partlyWritten.filter((one) => one !== manifest)];
  return all.length > mostEntries ? { written: null, partlyWritten: [] } : { written, partlyWritten: all };
}

/** Adds what a dead owner may still write; too many entries become one of all files. */
export function withUnclean(record: StateRecord, entry: UncleanEntry): StateRecord {
  const all = [...record.unclean, entry];
  if (all.length <= mostEntries) return { ...record, unclean: all };
  const states = [...new Set(all.flatMap((one) => one.states))];
  return { ...record, unclean: [{ at: entry.at, states, prefix: "" }] };
}

/** Thrown if another owner has written the record: the lease of this one was lost. */
export class RecordMoved extends Error {
  override readonly name = "RecordMoved";
  readonly type = "RecordMoved";
  constructor() {
    super("another process has written the record of the site's states and has its lease now. Try again");
  }
}

/** The record in the hands of the owner of the site's lease, its only writer. */
export interface OwnRecord {
  readonly value: StateRecord;
  /** Writes a change. Throws `RecordMoved`. */
  note(change: (record: StateRecord) => StateRecord): Promise<void>;
}

export function ownRecord(vault: Store, first: FoundKept<StateRecord>, epoch: number): OwnRecord {
  let found = first;
  return {
    get value() {
      return found.value;
    },
    async note(change) {
      const next = await writeKept(vault, siteRecord, found, { ...change(found.value), epoch });
      if (next === undefined) throw new RecordMoved();
      found = next;
    },
  };
}

const name = /\/(\d{1,16})~([0-9a-f]{64})\.json$/;

/** The oldest first. */
export async function listManifestCopies(vault: Store): Promise<NamedState[]> {
  const copies: NamedState[] = [];
  for await (const key of vault.keys(siteFolders.manifests)) {
    const [, version, manifest] = name.exec(key) ?? [];
    if (version !== undefined && manifest !== undefined) copies.push({ version: Number(version), manifest });
  }
  return copies.sort((one, other) => one.version - other.version);
}

export async function writeManifestCopy(vault: Store, named: NamedState, bytes: Uint8Array): Promise<void> {
  await vault.write(copyKey(named), bytes, manifestHeaders, always);
}

/** Undefined if there is no copy, or it is damaged. */
export async function readManifestCopy(vault: Store, named: NamedState): Promise<Uint8Array | undefined> {
  const stored = await vault.read(copyKey(named));
  return stored !== undefined && sha256(stored.body) === named.manifest ? stored.body : undefined;
}

/**
 * Removes the copies of these states, once a newer one is current. The copy of a dropped state stays until then: the copies must
 * name the highest version that was used.
 */
export async function dropManifestCopies(vault: Store, old: readonly NamedState[]): Promise<void> {
  if (old.length > 0) await vault.remove(old.map(copyKey));
}

function copyKey({ version, manifest }: NamedState): string {
  return siteLayout.manifestCopy(String(version), manifest);
}

/** Notes that the pointer names this state, and removes the manifest copies that nobody needs any more. */
export async function makeCurrent(
  context: PublishContext,
  record: OwnRecord,
  next: NamedState,
): Promise<void> {
  const before = record.value;
  await record.note((one) => becoming(one, next));
  const old = [...(before.current === null ? [] : [before.current]), ...before.dropped];
  await dropManifestCopies(
    context.vault.own,
    old.filter(({ version }) => version < next.version),
  );
}
