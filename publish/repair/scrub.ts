// The scrub reads one thirtieth of the vault and of the published site per day, so damage by a disk is found within a month, while
// the vault has a copy and the service may still return the reading. Damaged responses are copied to damaged/, where the next plan
// finds them. The scrub reads the vault's keys, then the groups of the site's files. It stores its position and continues from
// there after any interruption. activities/index.ts calls it.
import { setTimeout as delay } from "node:timers/promises";
import { inParallel, always } from "../../store/store.ts";
import { requestOfResponse } from "../../vault/file-faults.ts";
import { writeJson, format, UnreadableFile, wholeKey } from "../../vault/files.ts";
import {
  lastScrub,
  type Scrub,
  type ScrubFinding,
  scrubNote,
  type ScrubPosition,
} from "../../vault/scrub-note.ts";
import { recordIn, repairRecord } from "../../vault/journal.ts";
import type { Vault } from "../../vault/vault.ts";
import type { PublishContext } from "../state/publish-context.ts";
import { findingFrom, inBatches, patientReader, storeSource } from "./store-source.ts";
import { createPartReader, groupsIn } from "../state/parts.ts";
import { objectPath, pointerPath, readState, type SiteState } from "../state/state.ts";
import { differenceFrom, findingOf } from "./site-source.ts";

export interface ScrubBounds {
  /** Minimum read by one scrub, so that a small site is read completely each day. */
  readonly leastBytes: number;
  /** Maximum read by one scrub. */
  readonly mostBytes: number;
  /** Time limit of one call. */
  readonly forMs: number;
  /** Delay before findings on the site are checked again, because a publish may be writing the file. */
  readonly againAfterMs: number;
  readonly signal: AbortSignal;
}

/** A round takes some days less than a month, because files come meanwhile. */
const daysOfRound = 28;
const dayMs = 24 * 60 * 60_000;
const filesAtOnce = 64;
/** The note is written after so long, and holds so many findings. */
const noteEveryMs = 5_000;
const mostFindings = 100;
const start: ScrubPosition = { store: "vault", after: "" };

type ScrubStores = Pick<PublishContext, "site" | "now"> & { readonly vault: Vault };

/** Continues the scrub with this id, or begins it. `endedAt` is set once it has read its share. */
export async function walkOn(id: string, bounds: ScrubBounds, stores: ScrubStores): Promise<Scrub> {
  const before = await lastScrub(stores.vault.own);
  let current = before?.id === id ? before : await begun(id, before, bounds, stores);
  if (current.endedAt !== undefined) return current;
  const untilMs = performance.now() + bounds.forMs;
  let notedMs = performance.now();
  for await (const step of stepsFrom(current, bounds, stores)) {
    bounds.signal.throwIfAborted();
    current = advanced(current, step);
    if (step.findings.length > 0 || performance.now() - notedMs > noteEveryMs) {
      await note(current, stores);
      notedMs = performance.now();
    }
    if (current.sizeBytes >= current.shareBytes) break;
    if (performance.now() > untilMs) return note(current, stores);
  }
  return note({ ...current, endedAt: stores.now().toISOString() }, stores);
}

async function begun(
  id: string,
  before: Scrub | undefined,
  bounds: ScrubBounds,
  stores: ScrubStores,
): Promise<Scrub> {
  const { vault, site, now } = stores;
  const total = (await sizeOf(vault.store.list(""))) + (await sizeOf(site.list("")));
  const days = before === undefined ? 1 : (now().getTime() - Date.parse(before.startedAt)) / dayMs;
  const wanted = Math.ceil((total * Math.min(daysOfRound, Math.max(1, days))) / daysOfRound);
  const shareBytes = Math.min(bounds.mostBytes, Math.max(bounds.leastBytes, wanted));
  const slowDays = Math.ceil(total / bounds.mostBytes);
  const from = before?.next ?? start;
  return {
    id,
    startedAt: now().toISOString(),
    from,
    next: from,
    files: 0,
    sizeBytes: 0,
    shareBytes,
    isAround: false,
    ...(slowDays > 30 ? { slowDays } : {}),
    findings: await stillThere(before?.findings ?? [], bounds, stores),
  };
}

async function sizeOf(listed: AsyncIterable<{ readonly sizeBytes: number }>): Promise<number> {
  let sum = 0;
  for await (const { sizeBytes } of listed) sum += sizeBytes;
  return sum;
}

/** Earlier findings that still have to be checked. */
async function stillThere(
  findings: readonly ScrubFinding[],
  bounds: ScrubBounds,
  stores: ScrubStores,
): Promise<ScrubFinding[]> {
  const keys = findings.flatMap(({ store, path }) => (store === "vault" ? [path] : []));
  const groups = new Set(findings.flatMap(({ group }) => group ?? []));
  const ofVault = await vaultFindings(keys, stores);
  const ofSite: ScrubFinding[] = [];
  for (const group of groups) ofSite.push(...(await groupLook(group, bounds, stores)).findings);
  return [...ofVault, ...ofSite];
}

/** Some files that were looked at. */
interface ScrubStep {
  readonly next: ScrubPosition;
  readonly files: number;
  readonly sizeBytes: number;
  readonly findings: readonly ScrubFinding[];
  /** Whether this is the first step of another round. */
  readonly isStart?: boolean;
}

function advanced(current: Scrub, { next, files, sizeBytes, findings, isStart = false }: ScrubStep): Scrub {
  const known = new Map([...current.findings, ...findings].map((one) => [`${one.store} ${one.path}`, one]));
  return {
    ...current,
    next,
    files: current.files + files,
    sizeBytes: current.sizeBytes + sizeBytes,
    isAround: current.isAround || isStart,
    findings: [...known.values()].slice(0, mostFindings),
  };
}

/** The steps from where the scrub is, once around at most. */
async function* stepsFrom(
  { from, next, isAround }: Scrub,
  bounds: ScrubBounds,
  stores: ScrubStores,
): AsyncGenerator<ScrubStep> {
  if (!isAround) {
    yield* stepsAfter(next, bounds, stores);
    yield { next: start, files: 0, sizeBytes: 0, findings: [], isStart: true };
  }
  if (isAround ? isAtLeast(next, from) : isAtLeast(start, from)) return;
  for await (const step of stepsAfter(isAround ? next : start, bounds, stores)) {
    yield step;
    if (isAtLeast(step.next, from)) return;
  }
}

function isAtLeast(one: ScrubPosition, other: ScrubPosition): boolean {
  return one.store === other.store ? one.after >= other.after : one.store === "site";
}

async function* stepsAfter(
  { store, after }: ScrubPosition,
  bounds: ScrubBounds,
  stores: ScrubStores,
): AsyncGenerator<ScrubStep> {
  if (store === "vault") {
    for await (const batch of inBatches(stores.vault.store.list(""), filesAtOnce, after)) {
      const keys = batch.map(({ key }) => key);
      const findings = await vaultFindings(keys, stores);
      const sizeBytes = batch.reduce((sum, one) => sum + one.sizeBytes, 0);
      yield { next: { store, after: keys.at(-1) ?? after }, files: batch.length, sizeBytes, findings };
    }
  }
  for (const group of await groupsOfSite(stores)) {
    if (store === "site" && group <= after) continue;
    yield { next: { store: "site", after: group }, ...(await groupLook(group, bounds, stores)) };
  }
}

async function vaultFindings(keys: readonly string[], { vault }: ScrubStores): Promise<ScrubFinding[]> {
  await repairRecords(keys, vault);
  const read = patientReader(vault.store);
  const damaged: string[] = [];
  const found = await inParallel(keys, async (key): Promise<ScrubFinding[]> => {
    const look = await read(key);
    const finding = findingFrom(key, look);
    if (finding === undefined) return [];
    const request = requestOfResponse(key);
    if (look?.kind === "bytes" && request !== undefined) damaged.push(request);
    return [{ store: "vault", ...finding }];
  });
  await vault.copyDamaged(damaged);
  return found.flat();
}

/** Restores lost and damaged copies of this site's decisions from the other copy. */
async function repairRecords(keys: readonly string[], { own }: Vault): Promise<void> {
  const root = wholeKey(own, "");
  const found = keys.flatMap((key) => (key.startsWith(root) ? (recordIn(key.slice(root.length)) ?? []) : []));
  const records = new Map(found.map(({ group, name }) => [name, group]));
  // The look at each file reports every failure.
  await inParallel(records, ([name, group]) => repairRecord(own, group, name).catch(() => undefined));
}

async function note(current: Scrub, { vault }: ScrubStores): Promise<Scrub> {
  // One scrub goes at a time, which its workflow's id sees to: the last word is right.
  await writeJson(vault.own, scrubNote.key, { format, ...current }, always);
  return current;
}

type Context = Pick<PublishContext, "site">;

const nothing = { kind: "none", seen: "nothing" } as const;

/** The group that stands for the pointer and the manifest. */
const ofPointer = "";

/** The groups of the current state in their order; before them one that stands for pointer and manifest. */
async function groupsOfSite({ site }: Context): Promise<string[]> {
  const state = await stateOf({ site });
  return state === undefined || "path" in state
    ? [ofPointer]
    : [ofPointer, ...groupsIn(state.manifest).sort()];
}

interface GroupLook {
  readonly files: number;
  readonly sizeBytes: number;
  readonly findings: ScrubFinding[];
}

/** Findings are checked again after a while, because a publish may just write the file. */
export async function groupLook(
  group: string,
  { againAfterMs }: { readonly againAfterMs: number },
  context: Context,
): Promise<GroupLook> {
  const look = await oneLook(group, context);
  if (look.findings.length === 0) return look;
  await delay(againAfterMs);
  return oneLook(group, context);
}

async function oneLook(group: string, { site }: Context): Promise<GroupLook> {
  const none = { files: 0, sizeBytes: 0, findings: [] };
  const state = await stateOf({ site });
  if (state === undefined) return none; // not published yet
  if ("path" in state) return { ...none, findings: [{ ...state, group }] };
  if (group === ofPointer) return { ...none, files: 2 };
  const [source, read] = [storeSource(site), patientReader(site)];
  try {
    const entries = Object.entries(await createPartReader(site).files(state.manifest, group));
    const found = await inParallel(entries, async ([path, entry]) => {
      const object = objectPath(entry.object, path);
      const lost = differenceFrom(entry, (await read(object)) ?? nothing);
      const other = differenceFrom(entry, (await read(path)) ?? nothing);
      const findings: ScrubFinding[] = [];
      if (lost !== undefined)
        findings.push({ store: "site", group, ...findingOf(object, entry, lost, "object", source) });
      if (other !== undefined)
        findings.push({ store: "site", group, ...findingOf(path, entry, other, "public", source) });
      return findings;
    });
    const sizeBytes = entries.reduce((sum, [, { size }]) => sum + 2 * size, 0);
    return { files: 2 * entries.length, sizeBytes, findings: found.flat() };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { ...none, findings: [unreadable(`${group} of the manifest`, error, group)] };
  }
}

async function stateOf({ site }: Context): Promise<SiteState | ScrubFinding | undefined> {
  try {
    return await readState(site);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return unreadable(pointerPath, error, ofPointer);
  }
}

function unreadable(path: string, { message }: UnreadableFile, group: string): ScrubFinding {
  const expected = "a readable file";
  return { store: "site", group, path, expected, seen: message, remedy: "`almanac repair`" };
}
