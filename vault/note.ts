// A note: a small file of the vault that is read, changed, and written back by compare-and-swap, so that of changes at once
// none is lost. Whoever keeps one says its key, its shape, what an absent one says, and whether a damaged one counts as such.
import { type Refused, type Store, type Written, unlessChanged } from "../store/store.ts";
import { z } from "zod";
import { parseJson, UnreadableFile, wholeKey, writeJson } from "./json.ts";

export interface Note<Value, Empty = Value> {
  readonly key: string;
  /** The schema of the value, without the format's number, which every file has. */
  readonly schema: z.ZodType<Value>;
  /** The value where there is no file. */
  readonly empty: Empty;
  /** Whether a damaged file is named and stays as it is. Otherwise it counts as absent, and the next change replaces it. */
  readonly isNeeded?: boolean;
}

/** The number of each shape as it was landed first. CONTRIBUTING.md says how a shape gets a second one. */
export const format = 1;
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

/** Writes the note if it still has that version; refused otherwise. */
export async function compareAndSwapNote<Value extends object>(
  store: Store,
  { key }: Note<Value, unknown>,
  value: Value,
  version: string | undefined,
): Promise<Written | Refused> {
  return writeJson(store, key, { format, ...value }, unlessChanged(version));
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
    if ((await compareAndSwapNote(store, note, changed, version)).kind === "written") return true;
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
