// Where a published site is looked at: in its store (store-source.ts), or as its readers get it over HTTP (live-site.ts).
import type { FileEntry, Manifest } from "../state/manifest.schema.ts";

/** Something that is not as it has to be. */
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
  | "stable"
  /** What an earlier state had there. */
  | "stale"
  | "left";

export type FileLook =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** In words why there are none. */
  | { readonly kind: "none"; readonly seen: string; readonly remedy?: string | undefined };

/** A state as it is seen. */
export interface StateTree {
  readonly hash: string;
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, FileEntry>;
}

export interface SiteSource {
  /** A file under exactly this path. */
  file(path: string): Promise<FileLook>;
  /** A stable path as a browser asks for it: a folder in place of its index.html. */
  page(path: string): Promise<FileLook>;
  /** When a state was published, as near as can be known from here. */
  publishedAt(state: Pick<StateTree, "hash" | "manifest">): Promise<Date | undefined>;
  /** Stable paths of ours that are still there although the current state does not have them. */
  leftBehind(current: StateTree, earlier: readonly StateTree[]): Promise<SiteFinding[]>;
  readonly remedies: Readonly<Record<SiteFault, string>>;
}
