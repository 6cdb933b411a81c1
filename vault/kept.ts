// A note that must not be lost, in several copies. Each copy has the number of the change that wrote it and a check over its content,
// so a copy that is lost, damaged, altered, or older and put back is known as such. The newest sound copy counts.
import { type Store, type Stored, unlessChanged } from "../store/store.ts";
import { z } from "zod";
import { jsonBytes, parseJson, UnreadableFile, unlessDamaged, wholeKey, writeJson } from "./json.ts";
import { format } from "./note.ts";
import { sha256 } from "./sha256.ts";
import { isOfNewerVersion } from "./stored-response.ts";

export interface Kept<Value> {
  /** The keys of the copies. The first copy decides between changes that are made at once. */
  readonly keys: readonly string[];
  /** The schema of the value, without the numbers that each copy has. */
  readonly schema: z.ZodType<Value>;
  /** The value where no copy was ever written. */
  readonly empty: Value;
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
export async function readKept<Value>(store: Store, kept: Kept<Value>): Promise<FoundKept<Value>> {
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
  { keys }: Kept<Value>,
  found: FoundKept<Value>,
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

async function soundCopy<Value>({ schema }: Kept<Value>, key: string, stored: Stored | undefined) {
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
