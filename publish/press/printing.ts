// Prints what was pressed, to know each file's hash. A night of all languages is more than a worker should hold at once: what
// the site has already is let go, what is new is held as far as there is room, and the rest is printed again when it is put.
import { setImmediate as others } from "node:timers/promises";
import { groupAt } from "../../site/paths.ts";
import type { PressedFile } from "../../site/press.ts";
import { sha256 } from "../../vault/sha256.ts";
import type { FileEntry } from "../state/manifest.schema.ts";
import type { Published } from "./shared.ts";

/** Its entry is known once it was printed. */
export interface PrintableFile extends PressedFile {
  readonly entry?: FileEntry;
}

export interface PrintedFile extends PressedFile {
  readonly entry: FileEntry;
}

/** For what is held of one step. A night of one or two languages has room, which then prints each file once. */
export interface Room {
  leftBytes: number;
}

export function newRoom(): Room {
  return { leftBytes: 32 * 1024 * 1024 };
}

/** Some milliseconds; then whatever else the worker does has its turn. */
const filesInARow = 50;

export async function printAll(
  files: readonly PrintableFile[],
  { manifest, reader }: Published,
  room: Room,
): Promise<readonly PrintedFile[]> {
  const printed: PrintedFile[] = [];
  for (const [index, file] of files.entries()) {
    if (index % filesInARow === filesInARow - 1) await others();
    const before = (await reader.files(manifest, groupAt(file.at)))[file.path];
    printed.push(isPrinted(file) ? file : once(file, before, room));
  }
  return printed;
}

function isPrinted(file: PrintableFile): file is PrintedFile {
  return file.entry !== undefined;
}

function once(file: PressedFile, before: FileEntry | undefined, room: Room): PrintedFile {
  const held = inHand(file);
  const isOnSite = before !== undefined && isSame(before, held.entry);
  if (!isOnSite && held.entry.size <= room.leftBytes) {
    room.leftBytes -= held.entry.size;
    return held;
  }
  const { path, at, type, receivedAt, entry } = held;
  return {
    path,
    at,
    type,
    receivedAt,
    entry,
    get bytes() {
      const { bytes } = file;
      if (sha256(bytes) === entry.object) return bytes;
      throw new Error(
        `${path} was printed twice, with other bytes each time: its page must not look at anything else`,
      );
    },
  };
}

/** With its bytes. */
export function inHand(file: PrintableFile): PrintedFile {
  if (isPrinted(file)) return file;
  const { path, at, bytes, type, receivedAt } = file;
  return { path, at, bytes, type, receivedAt, entry: { object: sha256(bytes), size: bytes.length, type } };
}

export function isSame(one: FileEntry, other: FileEntry): boolean {
  return one.object === other.object && one.type === other.type;
}
