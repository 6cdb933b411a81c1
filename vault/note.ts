// A note: a small file of the vault that is read, changed, and written back by compare-and-swap, so that of changes at once
// none is lost. Whoever keeps one says its key, its shape, what an absent one says, and whether a damaged one counts as such.
import { z } from "zod";
import { type Store, unlessChanged, type Stored } from "../store/store.ts";
import {
  format,
  isOfNewerVersion,
  parseJson,
  UnreadableFile,
  wholeKey,
  writeJson,
  jsonBytes,
  unlessDamaged,
  sha256,
} from "./files.ts";

export interface Note<Value, Empty = Value> {
  readonly key: string;
  /** The schema of the value, without the format's number, which every file has. */
  readonly schema: z.ZodType<Value>;
  /** The value where there is no file. */
  readonly empty: Empty;
  /** Whether a damaged file is named and stays as it is. Otherwise it counts as absent, and the next change replaces it. */
  readonly isNeeded?: boolean;
}

const numbered = z.object({ format: z.literal(format) });

export interface FoundNote<Value> {
  readonly value: Value;
  /** The store's version of the file; undefined where there is none. */
  readonly version?: string;
  /** Why the file can't be read; the value is the empty one then. */
  readonly damage?: UnreadableFile;
}

/** Reads a note and returns damage as a value. */
export async function lookAt<Value, Empty>(
  store: Store,
  note: Note<Value, Empty>,
): Promise<FoundNote<Value | Empty>> {
  const { key, empty } = note;
  const stored = await store.read(key);
  if (stored === undefined) return { value: empty };
  const { body, version } = stored;
  try {
    return { value: parseNote({ ...note, key: wholeKey(store, key) }, body), version };
  } catch (damage) {
    if (damage instanceof UnreadableFile) return { value: empty, version, damage };
    throw damage;
  }
}

/** A note's file, from its bytes. Throws UnreadableFile. */
function parseNote<Value>({ key, schema }: Note<Value, unknown>, body: Uint8Array): Value {
  parseJson(key, body, numbered);
  return parseJson(key, body, schema);
}

export async function readNote<Value, Empty>(store: Store, note: Note<Value, Empty>): Promise<Value | Empty> {
  return (await readable(store, note)).value;
}

/** Changes a note; false where `make` returns undefined, for no change. `make` is called again where another change came first. */
export async function changeNote<Value extends object, Empty>(
  store: Store,
  note: Note<Value, Empty>,
  make: (before: Value | Empty) => Value | undefined | Promise<Value | undefined>,
): Promise<boolean> {
  for (;;) {
    const { value, version } = await readable(store, note);
    const changed = await make(value);
    if (changed === undefined) return false;
    const answer = await writeJson(store, note.key, { format, ...changed }, unlessChanged(version));
    if (answer.kind === "written") return true;
  }
}

async function readable<Value, Empty>(
  store: Store,
  note: Note<Value, Empty>,
): Promise<FoundNote<Value | Empty>> {
  const found = await lookAt(store, note);
  if (found.damage !== undefined && note.isNeeded) throw found.damage;
  return found;
}

// Stores a note that must not be lost in several copies. Each copy has the number of the change that wrote it and a checksum, so a
// lost, damaged, altered or outdated copy is detected. The newest sound copy counts.
export interface Kept<Value, Empty = Value> {
  /** The keys of the copies. The first copy decides between changes that are made at once. */
  readonly keys: readonly string[];
  /** The schema of the value, without the numbers that each copy has. */
  readonly schema: z.ZodType<Value>;
  /** The value where no copy was ever written. */
  readonly empty: Empty;
}

export interface FoundKept<Value> {
  readonly value: Value;
  /** The number of the newest change; 0 where no copy can be read. */
  readonly change: number;
  /** The store's versions of the copies. */
  readonly versions: readonly (string | undefined)[];
  /** Whether all copies are there, sound and equal, or no copy was ever written. */
  readonly isWhole: boolean;
  /** Whether there are copies, and none of them can be read. */
  readonly isLost: boolean;
}

/** Throws `UnreadableFile` where no copy can be read and a newer version of Almanac wrote one. */
export async function readKept<Value, Empty>(
  store: Store,
  kept: Kept<Value, Empty>,
): Promise<FoundKept<Value | Empty>> {
  const stored = await Promise.all(kept.keys.map((key) => store.read(key)));
  const copies = await Promise.all(kept.keys.map((key, at) => soundCopy(kept, key, stored[at])));
  const sound = copies.filter((copy) => copy !== undefined);
  const change = Math.max(0, ...sound.map((copy) => copy.change));
  const newest = sound.find((copy) => copy.change === change);
  if (newest === undefined)
    requireKnownFormat(
      kept.keys.map((key) => wholeKey(store, key)),
      stored,
    );
  const isUnwritten = stored.every((one) => one === undefined);
  return {
    value: newest === undefined ? kept.empty : newest.value,
    change,
    versions: stored.map((one) => one?.version),
    isWhole: isUnwritten || copies.every((copy) => copy !== undefined && copy.check === newest?.check),
    isLost: newest === undefined && !isUnwritten,
  };
}

/**
 * Writes the next change in place of what was found, and returns what is there then. Undefined where another change came first. The
 * change is in effect once the first copy is written.
 */
export async function writeKept<Value extends object>(
  store: Store,
  { keys }: Kept<Value, unknown>,
  found: Pick<FoundKept<unknown>, "change" | "versions">,
  value: Value,
): Promise<FoundKept<Value> | undefined> {
  const next = { change: found.change + 1, ...value };
  const copy = { format, check: checkOf(next), ...next };
  const versions: string[] = [];
  // One after the other: of two writers at once, the one that loses the first copy writes none.
  for (const [at, key] of keys.entries()) {
    const answer = await writeJson(store, key, copy, unlessChanged(found.versions[at]));
    if (answer.kind === "refused" && at === 0) return undefined;
    versions.push(answer.kind === "written" ? answer.version : await replaceOlder(store, key, copy));
  }
  return { value, change: next.change, versions, isWhole: true, isLost: false };
}

/**
 * Writes a further copy, in which a late write of an older change came between, or already a newer change. Returns the version of
 * what is there then.
 */
async function replaceOlder(store: Store, key: string, copy: { readonly change: number }): Promise<string> {
  for (;;) {
    const stored = await store.read(key);
    const there = stored && (await unlessDamaged(async () => parseCopy(key, stored.body)));
    if (stored !== undefined && there !== undefined && there.change > copy.change) return stored.version;
    const answer = await writeJson(store, key, copy, unlessChanged(stored?.version));
    if (answer.kind === "written") return answer.version;
  }
}

function requireKnownFormat(keys: readonly string[], stored: readonly (Stored | undefined)[]) {
  const newer = keys.find((key, at) => isOfNewerVersion(key, stored[at]?.body ?? new Uint8Array()));
  if (newer === undefined) return;
  throw new UnreadableFile(`${newer} was written by a newer version of Almanac. Use that version`);
}

async function soundCopy<Value>({ schema }: Kept<Value, unknown>, key: string, stored: Stored | undefined) {
  if (stored === undefined) return undefined;
  return unlessDamaged(async () => ({
    ...parseCopy(key, stored.body),
    value: parseJson(key, stored.body, schema),
  }));
}

const copySchema = z.looseObject({ format: z.literal(format), check: z.string(), change: z.int().min(1) });

/** The number of a copy's change and its check. Throws `UnreadableFile` for a copy that is not as it was written. */
export function parseCopy(
  key: string,
  body: Uint8Array,
): { readonly change: number; readonly check: string } {
  const { format: _, check, ...rest } = parseJson(key, body, copySchema);
  if (check !== checkOf(rest)) throw new UnreadableFile(`${key} differs from the written content`);
  return { change: rest.change, check };
}

function checkOf(content: object): string {
  return sha256(jsonBytes(content)).slice(0, 16);
}
