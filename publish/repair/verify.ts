// Checks everything that is published: pointer, manifest, parts and objects against their hashes, and the public paths against
// the manifest. It only reads. The same walk serves the store and, over HTTP, the site that readers really get.
import type { KeyObject } from "node:crypto";
import { UnreadableFile, parseJson, sha256 } from "../../vault/files.ts";
import { inParallel } from "../../store/store.ts";
import {
  differenceFrom,
  findingOf,
  type SiteFinding,
  type SiteSource,
  type StateTree,
  inWords,
} from "./site-source.ts";
import {
  type FileEntry,
  type Pointer,
  pointerSchema,
  manifestSchema,
  partSchema,
} from "../../site/manifest.schema.ts";
import { isSignedBy } from "../step/pointer.ts";
import { objectPath, parseFormat, pointerPath, manifestPath } from "../state/state.ts";

export interface VerifySettings {
  /** The keys of which one must have signed the pointer; without keys the signature is not checked. */
  readonly publicKeys: readonly KeyObject[];
  readonly now: () => Date;
  /** With it, the earlier states that were superseded after this instant are checked as well. */
  readonly since?: Date;
  /** Whether it is a copy on a host with few files, which has no objects: its public paths alone are looked at. */
  readonly withoutObjects?: boolean;
  readonly onProgress?: (done: number, of: number) => void;
}

export interface Verified {
  readonly pointer: Pointer | undefined;
  readonly files: number;
  readonly objects: number;
  readonly states: number;
  /** The findings, in the order of their paths. */
  readonly findings: readonly SiteFinding[];
}

/** A publish in between makes sound files look wrong, so the check is begun again, so many times at most. */
const mostRounds = 3;
/** How many earlier states are searched for the bytes that an old copy shows. */
const mostEarlier = 20;

export async function verify(source: SiteSource, settings: VerifySettings): Promise<Verified> {
  for (let round = 1; ; round += 1) {
    const verified = await verifyOnce(source, settings);
    if (verified.findings.length === 0 || round === mostRounds) return verified;
    const pointer = await readPointer(source, () => undefined);
    if (pointer === undefined || pointer.manifest === verified.pointer?.manifest) return verified;
  }
}

async function verifyOnce(source: SiteSource, settings: VerifySettings): Promise<Verified> {
  const findings = new Map<string, SiteFinding>(); // a part of several states is reported once
  const find: ReportFinding = (finding) => void findings.set(`${finding.path} ${finding.expected}`, finding);
  const pointer = await readPointer(source, find);
  if (pointer !== undefined) judgePointer(pointer, source, settings, find);
  const trees = stateReader(source);
  const tree = pointer === undefined ? undefined : await trees.read(pointer.manifest, find);
  const counts =
    tree === undefined
      ? { files: 0, objects: 0, states: 0 }
      : await verifyTree(tree, trees, source, settings, find);
  const sorted = [...findings.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  return { pointer, ...counts, findings: sorted };
}

async function verifyTree(
  tree: StateTree,
  trees: StateReader,
  source: SiteSource,
  { since, withoutObjects, onProgress }: VerifySettings,
  find: ReportFinding,
) {
  const { files } = tree;
  const states = [tree];
  if (since !== undefined) {
    const isWanted = async (child: StateTree) => ((await source.publishedAt(child)) ?? since) > since;
    for await (const earlier of trees.before(tree, isWanted, find)) states.push(earlier);
  }
  const objects = new Map<string, { readonly entry: FileEntry; readonly state: StateTree }>();
  for (const state of withoutObjects === true ? [] : states.toReversed()) {
    for (const [path, entry] of state.files) objects.set(objectPath(entry.object, path), { entry, state });
  }
  let done = 0;
  const step = () => onProgress?.((done += 1), objects.size + files.size);
  await inParallel(objects, async ([path, { entry, state }]) => {
    const difference = differenceFrom(entry, await source.file(path));
    step();
    if (difference === undefined) return;
    const seen =
      state === tree ? difference.seen : `${difference.seen}, needed by version ${state.manifest.version}`;
    find(findingOf(path, entry, { ...difference, seen }, state === tree ? "object" : "earlier", source));
  });
  const history = historyOf(tree, trees);
  await inParallel(files, async ([path, entry]) => {
    const difference = differenceFrom(entry, await source.page(path));
    step();
    if (difference === undefined) return;
    const shown = difference.hash === undefined ? undefined : await showing(path, difference.hash, history);
    const seen = shown === undefined ? difference.seen : `${difference.seen}, as in version ${shown}`;
    const fault = shown === undefined ? "public" : "stale";
    find(findingOf(path, entry, { ...difference, seen }, fault, source));
  });
  const earlier = states.length > 1 ? states.slice(1) : [await history(1)];
  const gone = await source.leftBehind(
    tree,
    earlier.filter((one) => one !== undefined),
  );
  for (const finding of gone) find(finding);
  return { files: files.size, objects: objects.size, states: states.length };
}

type History = (back: number) => Promise<StateTree | undefined>;

/** The states before one by how far back they are, from 1 on, read only as far as callers need; many may read at once. */
function historyOf(tree: StateTree, trees: StateReader): History {
  const before = trees.before(
    tree,
    async () => true,
    () => undefined,
  );
  const found: ReturnType<typeof before.next>[] = [];
  return async (back) => {
    while (found.length < back) found.push(before.next());
    const state = await found[back - 1];
    return state?.done === true ? undefined : state?.value;
  };
}

/** The version of the newest earlier state that had these bytes on the path. */
async function showing(path: string, hash: string, history: History) {
  for (let back = 1; back <= mostEarlier; back += 1) {
    const tree = await history(back);
    if (tree === undefined) return undefined;
    if (tree.files.get(path)?.object === hash) return tree.manifest.version;
  }
  return undefined;
}

async function readPointer(source: SiteSource, find: ReportFinding): Promise<Pointer | undefined> {
  const look = await source.file(pointerPath);
  const wrong = (seen: string, remedy = source.remedies.pointer) => {
    find({ path: pointerPath, expected: "a pointer to the current version", seen, remedy });
    return undefined;
  };
  if (look.kind === "none") return wrong(look.seen, look.remedy);
  try {
    return parseFormat(pointerPath, look.bytes, pointerSchema);
  } catch (error) {
    if (error instanceof UnreadableFile) return wrong(error.message);
    throw error;
  }
}

function judgePointer(
  pointer: Pointer,
  { remedies }: SiteSource,
  { publicKeys, now }: VerifySettings,
  find: ReportFinding,
) {
  const path = pointerPath;
  if (publicKeys.length > 0 && !isSignedBy(pointer, publicKeys)) {
    const seen = pointer.signature === undefined ? "no signature" : "a signature by another key";
    const expected = "a signature by a key of publishing.publicKeys";
    find({ path, expected, seen, remedy: remedies.signature });
  }
  if (Date.parse(pointer.expires) < now().getTime()) {
    const expected = `a version that has not expired at ${now().toISOString()}`;
    find({ path, expected, seen: `expired ${pointer.expires}`, remedy: remedies.expired });
  }
}

type ReportFinding = (finding: SiteFinding) => void;

type StateReader = ReturnType<typeof stateReader>;

/** Reads a source's states; parts that several of them share are read once. */
function stateReader(source: SiteSource) {
  const parts = new Map<string, Promise<Uint8Array | undefined>>();
  const readPart = (name: string, hash: string, find: ReportFinding) => {
    const reading = parts.get(hash) ?? readHashed(source, hash, `the part ${name}`, find);
    parts.set(hash, reading);
    return reading;
  };
  /** Undefined if the manifest is missing or damaged; that, and each damaged part, is reported to `find`. */
  const read = async (hash: string, find: ReportFinding): Promise<StateTree | undefined> => {
    const bytes = await readHashed(source, hash, "the state's manifest", find);
    if (bytes === undefined) return undefined;
    const manifest = parseFormat(manifestPath(hash), bytes, manifestSchema);
    const files = new Map<string, FileEntry>();
    await inParallel(Object.entries(manifest.parts), async ([name, part]) => {
      const found = await readPart(name, part, find);
      const entries = found && parseJson(manifestPath(part), found, partSchema).files;
      for (const [path, entry] of Object.entries(entries ?? {})) files.set(path, entry);
    });
    return { hash, manifest, files };
  };
  /** The states before one, newest first, as long as they are there and `isWanted` says so. */
  async function* before(
    current: StateTree,
    isWanted: (child: StateTree) => Promise<boolean>,
    find: ReportFinding,
  ): AsyncGenerator<StateTree> {
    let child: StateTree | undefined = current;
    while (child !== undefined && child.manifest.parent !== null && (await isWanted(child))) {
      const { parent } = child.manifest;
      // A clean-up may have taken it by then.
      if ((await source.file(manifestPath(parent))).kind === "none") return;
      child = await read(parent, find);
      if (child !== undefined) yield child;
    }
  }
  return { read, before };
}

async function readHashed(source: SiteSource, hash: string, name: string, find: ReportFinding) {
  const path = manifestPath(hash);
  const look = await source.file(path);
  if (look.kind === "bytes" && sha256(look.bytes) === hash) return look.bytes;
  const seen = look.kind === "none" ? look.seen : inWords(sha256(look.bytes), look.bytes.length);
  const remedy = (look.kind === "none" ? look.remedy : undefined) ?? source.remedies.manifest;
  find({ path, expected: `${name}, sha256 ${hash}`, seen, remedy });
  return undefined;
}
