// Compares a file with its entry in the manifest, and says in words what differs.
import { sha256 } from "../../vault/sha256.ts";
import type { FileEntry } from "../state/manifest.schema.ts";
import type { SiteFault, SiteFinding, FileLook, SiteSource } from "./site-source.ts";

/** The difference; undefined when the bytes are the ones that the entry names. */
export function differenceFrom({ object, size }: FileEntry, look: FileLook): ContentMismatch | undefined {
  if (look.kind === "none") return { seen: look.seen, hash: undefined, remedy: look.remedy };
  const hash = sha256(look.bytes);
  if (hash === object && look.bytes.length === size) return undefined;
  return { seen: inWords(hash, look.bytes.length), hash, remedy: undefined };
}

export interface ContentMismatch {
  readonly seen: string;
  /** The hash of the bytes that are there, where there are any. */
  readonly hash: string | undefined;
  /** The store's own remedy, where it knows better what to do. */
  readonly remedy: string | undefined;
}

export function findingOf(
  path: string,
  { object, size }: FileEntry,
  { seen, remedy }: ContentMismatch,
  fault: SiteFault,
  { remedies }: SiteSource,
): SiteFinding {
  return { path, expected: inWords(object, size), seen, remedy: remedy ?? remedies[fault] };
}

export function inWords(hash: string, sizeBytes: number): string {
  return `sha256 ${hash} (${sizeBytes} bytes)`;
}
