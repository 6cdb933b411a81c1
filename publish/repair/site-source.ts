// A source is where a published site is read for checking: its store (store-source.ts), or HTTP as for readers (live-site.ts). Its files
// are compared with their entries in the manifest. A difference is a finding or, once it is fixed, a repair.
import { sha256 } from "../../vault/files.ts";
import type { FileEntry, Manifest } from "../../site/manifest.schema.ts";

/** One file of the site that is not as it has to be. */
export interface SiteFinding {
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
  /** The next step, in words. */
  readonly remedy: string;
}

export interface RepairedPath {
  readonly path: string;
  readonly deed: "restored" | "written" | "removed";
  readonly reason: string;
}

/** Reports a repair. Only the first one of each path counts. */
export type TellRepair = (path: string, deed: RepairedPath["deed"], reason: string) => void;

type SiteFault =
  | "pointer"
  | "signature"
  | "expired"
  | "manifest"
  | "object"
  /** An object that only earlier states have. */
  | "earlier"
  | "public"
  /** A public path that shows the bytes of an earlier state. */
  | "stale"
  | "left";

export type FileLook =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** `seen` says why there are no bytes. */
  | { readonly kind: "none"; readonly seen: string; readonly remedy?: string };

/** A state as a source shows it. */
export interface StateTree {
  readonly hash: string;
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, FileEntry>;
}

export interface SiteSource {
  /** Reads the file under exactly this path. */
  file(path: string): Promise<FileLook>;
  /** Reads a public path as a browser does, with a folder in place of its index.html. */
  page(path: string): Promise<FileLook>;
  /** Best known time at which a state was published. */
  publishedAt(state: Pick<StateTree, "hash" | "manifest">): Promise<Date | undefined>;
  /** Public paths of ours that are still there although the current state does not have them. */
  leftBehind(current: StateTree, earlier: readonly StateTree[]): Promise<SiteFinding[]>;
  readonly remedies: Readonly<Record<SiteFault, string>>;
}

/** The difference; undefined when the bytes are the ones that the entry names. */
export function differenceFrom({ object, size }: FileEntry, look: FileLook): ContentMismatch | undefined {
  if (look.kind === "none") return { seen: look.seen, hash: undefined, remedy: look.remedy };
  const hash = sha256(look.bytes);
  if (hash === object && look.bytes.length === size) return undefined;
  return { seen: inWords(hash, look.bytes.length), hash, remedy: undefined };
}

interface ContentMismatch {
  readonly seen: string;
  /** The hash of the bytes that are there, where there are any. */
  readonly hash: string | undefined;
  /** The store's own remedy, if it has a better one. */
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
