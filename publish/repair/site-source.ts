// A source is where a published site is read for checking: its store (store-source.ts), or HTTP as for readers (live-site.ts).
import type { FileEntry, Manifest } from "../state/manifest.schema.ts";

/** One file of the site that is not as it has to be. */
export interface SiteFinding {
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
  /** What to do next. */
  readonly remedy: string;
}

export type SiteFault =
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
  /** When a state was published, as nearly as the source knows it. */
  publishedAt(state: Pick<StateTree, "hash" | "manifest">): Promise<Date | undefined>;
  /** Public paths of ours that are still there although the current state does not have them. */
  leftBehind(current: StateTree, earlier: readonly StateTree[]): Promise<SiteFinding[]>;
  readonly remedies: Readonly<Record<SiteFault, string>>;
}
