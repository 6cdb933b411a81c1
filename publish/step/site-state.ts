// The state that the pointer names, judged by the vault's record. A publisher builds on nothing else: whoever can write to the site's
// store can put anything there, and what a publisher builds on, it signs. A refusal says what was seen, and what to do.
import type { PartReader } from "../state/parts.ts";
import { isRootFile, parsePath } from "../../site/paths.ts";
import { always, type Stored } from "../../store/store.ts";
import { UnreadableFile } from "../../vault/files.ts";
import type { FoundKept } from "../../vault/note.ts";
import { manifestHeaders } from "../state/headers.ts";
import { type Manifest, manifestSchema, type Pointer, pointerSchema } from "../../site/manifest.schema.ts";
import type { PublishContext } from "../state/publish-context.ts";
import { signedByUs } from "./pointer.ts";
import {
  type Manifests,
  manifestPath,
  NewerFormat,
  parseFormat,
  pointerPath,
  readManifest,
} from "../state/state.ts";
import {
  type NamedState,
  type OwnRecord,
  readManifestCopy,
  readStateRecord,
  type StateRecord,
} from "./record.ts";

/**
 * - nothing: there is no pointer, and nothing was published, or the site was emptied since
 * - late: the pointer names a state that was dropped, by a write that arrived after all
 * - foreign: the pointer names an older state of ours, or somebody else's; or it is lost, damaged, or of a newer format
 */
type SiteJudgement = "nothing" | "current" | "pending" | "late" | "foreign";

export interface FoundSite {
  /** The pointer's bytes as they are there. */
  readonly stored: Stored | undefined;
  /** Undefined if it is lost or damaged. */
  readonly pointer: Pointer | undefined;
  readonly record: FoundKept<StateRecord>;
  readonly judgement: SiteJudgement;
  /** Why nothing is built on a foreign state. */
  readonly refusal: StateRefused | undefined;
}

/**
 * Looks at the pointer first and at the record then, which names a state before the pointer does. A refusal counts only if the
 * pointer is still as it was: otherwise somebody published in between.
 */
export async function lookAtSite(context: PublishContext): Promise<FoundSite> {
  for (;;) {
    const found = await lookOnce(context);
    if (found.refusal === undefined) return found;
    const again = await context.site.read(pointerPath);
    if (again?.version === found.stored?.version) return found;
  }
}

async function lookOnce(context: PublishContext): Promise<FoundSite> {
  const stored = await context.site.read(pointerPath);
  const seen = pointerIn(stored);
  const { pointer } = seen;
  const record = await readStateRecord(context, pointer?.manifest);
  const { value } = record;
  const found = { stored, pointer, record, refusal: undefined };
  if (stored === undefined && (value.current === null || (await isEmptied(context))))
    return { ...found, judgement: "nothing" };
  const judgement = pointer === undefined ? "foreign" : judge(pointer.manifest, value);
  if (judgement !== "foreign") return { ...found, judgement };
  return { ...found, judgement, refusal: refusalOf(context, stored, seen, value) };
}

function judge(manifest: string, { current, pending, dropped }: StateRecord): SiteJudgement {
  if (manifest === current?.manifest) return "current";
  if (manifest === pending?.manifest) return "pending";
  return dropped.some((one) => one.manifest === manifest) ? "late" : "foreign";
}

/** `isNewer`: a newer version of Almanac wrote it, so it is neither damaged nor believed. */
function pointerIn(stored: Stored | undefined): { readonly pointer?: Pointer; readonly isNewer: boolean } {
  if (stored === undefined) return { isNewer: false };
  try {
    return { pointer: parseFormat(pointerPath, stored.body, pointerSchema), isNewer: false };
  } catch (error) {
    if (error instanceof UnreadableFile) return { isNewer: error instanceof NewerFormat };
    throw error;
  }
}

/** Whether somebody emptied the store to begin again: nothing of ours is left in it. */
async function isEmptied({ site }: PublishContext): Promise<boolean> {
  for await (const key of site.keys("")) {
    const at = parsePath(key);
    if (at !== undefined && !isRootFile(at)) return false;
  }
  return true;
}

/** A manifest of ours. A lost or damaged one is put back from its copy. */
async function readOwnManifest(
  context: PublishContext,
  named: NamedState,
  known: Manifests,
): Promise<Manifest> {
  const path = manifestPath(named.manifest);
  try {
    const there = await readManifest(context.site, named.manifest, known);
    if (there !== undefined) return there;
  } catch (error) {
    // One of ours in a newer format is not damaged.
    if (!(error instanceof UnreadableFile) || error instanceof NewerFormat) throw error;
  }
  const bytes = await readManifestCopy(context.vault.own, named);
  if (bytes === undefined) {
    throw new UnreadableFile(
      `${path} and its copy in the vault are missing or damaged. \`almanac repair\` continues from the previous version`,
    );
  }
  const manifest = parseFormat(path, bytes, manifestSchema);
  await context.site.write(path, bytes, manifestHeaders, always);
  context.log.warn(
    { manifest: named.manifest },
    `${path} was missing or damaged and is restored from the vault`,
  );
  known.set(named.manifest, manifest);
  return manifest;
}

/** The state that the next one is built on. */
export interface BaseState {
  /** The hash of its manifest. */
  readonly hash: string;
  readonly manifest: Manifest;
  /** Whether the pointer does not name it, so that even an unchanged tree has to be published. */
  readonly isReplacement: boolean;
}

export interface BaseOptions {
  /** Continues from the newest state of ours if the pointer names a foreign state, or one whose manifest is lost. */
  readonly continues?: boolean;
}

/** Looks for the state to build on; undefined if nothing is published. Throws `StateRefused`. */
export async function findBase(
  context: PublishContext,
  options: BaseOptions = {},
): Promise<BaseState | undefined> {
  const found = await lookAtSite(context);
  return baseIn(context, found, found.record.value, options);
}

export async function baseIn(
  context: PublishContext,
  { judgement, pointer, refusal }: Pick<FoundSite, "judgement" | "pointer" | "refusal">,
  record: StateRecord,
  { continues = false }: BaseOptions,
  known: Manifests = new Map(),
): Promise<BaseState | undefined> {
  if (judgement === "nothing") return undefined;
  const pointed = [record.current, record.pending, ...record.dropped].find(
    (one) => refusal === undefined && one?.manifest === pointer?.manifest,
  );
  const first = pointed ?? record.current;
  if (refusal !== undefined && (!continues || first === null)) throw refusal;
  if (first === null) return undefined;
  const base = continues
    ? await newestWhole(context, first, record, known)
    : { named: first, manifest: await readOwnManifest(context, first, known) };
  const { manifest: hash } = base.named;
  return { hash, manifest: base.manifest, isReplacement: hash !== pointed?.manifest };
}

/** This state, or if its manifest is lost, the newest state before it whose manifest is not. */
async function newestWhole(
  context: PublishContext,
  first: NamedState,
  { states }: StateRecord,
  known: Manifests,
): Promise<{ readonly named: NamedState; readonly manifest: Manifest }> {
  for (const named of [first, ...states.filter(({ manifest }) => manifest !== first.manifest)]) {
    try {
      return { named, manifest: await readOwnManifest(context, named, known) };
    } catch (error) {
      if (!(error instanceof UnreadableFile) || error instanceof NewerFormat) throw error;
    }
  }
  throw new UnreadableFile(
    `${manifestPath(first.manifest)} and all earlier manifests are lost. Restore it from a copy of the store (its name is its SHA-256)`,
  );
}

/** Thrown where the pointer does not name a state of ours, so that nothing is built on it. */
export class StateRefused extends Error {
  override readonly name = "StateRefused";
  readonly seen: string;
  readonly remedy: string;
  constructor(seen: string, remedy: string, options?: ErrorOptions) {
    super(`${seen}. Next: ${remedy}`, options);
    this.seen = seen;
    this.remedy = remedy;
  }
}

/** Why nothing is built on the pointer's state; `pointer` is undefined if it is gone or can't be read. */
function refusalOf(
  context: PublishContext,
  stored: Stored | undefined,
  { pointer, isNewer }: ReturnType<typeof pointerIn>,
  { current, states }: StateRecord,
): StateRefused {
  const goesOn = current === null ? [] : [`\`almanac repair\` continues from version ${current.version}`];
  if (isNewer) {
    return new StateRefused(
      `${pointerPath} has the format of a newer Almanac`,
      `if a newer Almanac published this site, use that version; if not, ${goesOn[0] ?? "remove that file"}`,
    );
  }
  if (pointer === undefined && current === null) {
    return new StateRefused(
      `${pointerPath} is damaged, and this vault has never published here`,
      "remove that file, or set ALMANAC_VAULT to the vault that published this site",
    );
  }
  if (pointer === undefined) {
    const fault = stored === undefined ? "missing although the site was published before" : "damaged";
    return new StateRefused(`${pointerPath} is ${fault}`, "`almanac repair` restores it");
  }
  const { version, manifest } = pointer;
  const named = `${pointerPath} names version ${version} (manifest ${manifest})`;
  const ours = current === null ? "" : `. Its last version is ${current.version} (${current.manifest})`;
  if (states.some((one) => one.manifest === manifest)) {
    return new StateRefused(
      `${named}, an older version of this vault that something restored${ours}`,
      goesOn.join(),
    );
  }
  const isSigned = signedByUs(context, pointer) === true;
  const signed = isSigned ? ", which is signed by this site's key, but" : ", but";
  const accept = `if the vault was restored from a copy older than the site, \`almanac repair --accept ${manifest}\` accepts that version`;
  return new StateRefused(
    `${named}${signed} this vault did not publish it, so nothing is published on top of it${ours}`,
    [...goesOn, ...(isSigned || current === null ? [accept] : [])].join("; "),
  );
}

/** A site in the hands of the owner of its lease. */
export interface SiteOwner {
  /** The site as it was found, or as this owner has left it since. */
  found: FoundSite;
  readonly record: OwnRecord;
  readonly manifests: Manifests;
  readonly reader: PartReader;
  /** Bytes of objects that the public paths get, as far as there is room. */
  readonly held: Map<string, Uint8Array>;
  /** The objects that this owner has put and not shown yet: their bytes are known to be right. */
  readonly put: Set<string>;
}

export type Owned<Context extends PublishContext = PublishContext> = Context & { readonly owner: SiteOwner };
