// Writes the stable paths from the manifest that the pointer names: dated files first, then the latest ones, front pages
// last, and only then takes away what left the site. Interrupted anywhere it is finished by whoever publishes next.
import { randomUUID } from "node:crypto";
import { always } from "../../store/store.ts";
import { stageOf, stages } from "../../site/paths.ts";
import { UnreadableFile } from "../vault.ts";
import { projectedHeaders } from "./headers.ts";
import { inParallel } from "./in-parallel.ts";
import { deadAfterMs, type Journal, readJournal, type Rewriting, writeJournal } from "./journal.ts";
import { type FileEntry, type Manifest } from "./manifest.schema.ts";
import { createPartReader, groupsIn, type PartReader, sameGroup } from "./parts.ts";
import { type Place } from "./place.ts";
import { objectPath, readManifest, readState } from "./state.ts";

/** Object's path -> bytes: what was just published need not be read back. */
export type InHand = ReadonlyMap<string, Uint8Array>;

/** Others publish meanwhile: so many rounds in a row mean that something else is wrong. */
const mostRounds = 50;

export async function project(place: Place, inHand: InHand = new Map()): Promise<void> {
  const id = randomUUID();
  const reader = createPartReader(place.site);
  const own: Rewriting[] = []; // what an earlier round wrote may be overtaken: the next one writes it again
  for (let round = 0; round < mostRounds; round += 1) {
    const state = await readState(place.site);
    if (state === undefined) return;
    const target = state.pointer.manifest;
    const { journal, version } = await readJournal(place);
    if (journal.shown === target && journal.underWay.length === 0) return;
    const line: Rewriting = { id, since: place.now().toISOString(), from: journal.shown, to: target };
    const others = journal.underWay.filter((one) => one.id !== id);
    const begun: Journal = { ...journal, underWay: [...others, ...own, line] };
    if (!(await writeJournal(place, begun, version))) continue;
    own.push(line);
    await rewrite(place, reader, begun, { hash: target, manifest: state.manifest }, inHand);
    if (await ended(place, line)) return;
  }
  throw new Error(
    `the stable paths were overtaken ${mostRounds} times: does the vault honour conditional writes?`,
  );
}

/** Takes our lines away if nobody else finished meanwhile; else, what we wrote may be older than what they did. */
async function ended(place: Place, line: Rewriting): Promise<boolean> {
  for (;;) {
    const { journal, version } = await readJournal(place);
    if (journal.shown !== line.from) return false;
    const dead = place.now().getTime() - deadAfterMs;
    const others = journal.underWay.filter(({ id, since }) => id !== line.id && Date.parse(since) > dead);
    if (!(await writeJournal(place, { format: 1, shown: line.to, underWay: others }, version))) continue;
    return (await readState(place.site))?.pointer.manifest === line.to;
  }
}

interface Target {
  readonly hash: string;
  readonly manifest: Manifest;
}

async function rewrite(
  { site }: Place,
  reader: PartReader,
  { underWay }: Journal,
  target: Target,
  inHand: InHand,
): Promise<void> {
  const wanted = new Map<string, FileEntry | undefined>();
  const manifestOf = async (hash: string | null): Promise<Manifest | undefined> => {
    if (hash === target.hash) return target.manifest;
    return hash === null ? undefined : readManifest(site, hash);
  };
  for (const { from, to } of underWay) {
    // Where one of the two is no longer kept, every path of the target is written.
    const [before, after] = await Promise.all([manifestOf(from), manifestOf(to)]);
    const ends = before === undefined || after === undefined ? [undefined, target.manifest] : [before, after];
    for (const [group, path] of await differing(reader, ends[0], ends[1])) {
      wanted.set(path, (await reader.files(target.manifest, group))[path]);
    }
  }
  const write = async (path: string, entry: FileEntry): Promise<void> => {
    const object = objectPath(entry.object, path);
    const bytes = inHand.get(object) ?? (await site.read(object))?.body;
    if (bytes === undefined)
      throw new UnreadableFile(
        `the manifest names ${object} for ${path}, which is not there: \`almanac repair\``,
      );
    await site.write(path, bytes, projectedHeaders(entry.type, stageOf(path) === "dated"), always);
  };
  const present = [...wanted].flatMap(([path, entry]) => (entry === undefined ? [] : [{ path, entry }]));
  for (const stage of stages) {
    const files = present.filter(({ path }) => stageOf(path) === stage);
    await inParallel(files, ({ path, entry }) => write(path, entry));
  }
  const gone = [...wanted].filter(([, entry]) => entry === undefined).map(([path]) => path);
  if (gone.length > 0) await site.remove(gone);
}

/** The paths, with their groups, in which two states differ. Only parts that changed are read. */
export async function differing(
  reader: PartReader,
  before: Manifest | undefined,
  after: Manifest | undefined,
): Promise<[group: string, path: string][]> {
  const found: [group: string, path: string][] = [];
  const groups = new Set([before, after].flatMap((one) => (one === undefined ? [] : groupsIn(one))));
  for (const group of groups) {
    if (before !== undefined && after !== undefined && sameGroup(before, after, group)) continue;
    const [had, has] = [await reader.files(before, group), await reader.files(after, group)];
    for (const path of new Set([...Object.keys(had), ...Object.keys(has)])) {
      const [one, other] = [had[path], has[path]];
      if (one?.object !== other?.object || one?.type !== other?.type) found.push([group, path]);
    }
  }
  return found;
}
