// The published state as readers see it: the pointer names a manifest, which names its parts, which name every file.
import { z } from "zod";

/** The format of pointer and manifest; a reader of this version understands no other. */
export const format = 1;

export const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const pointerSchema = z.object({
  format: z.literal(format),
  manifest: hash,
  version: z.int().min(1),
  publishedAt: z.iso.datetime(),
  /** After this instant a reader should take the site for a frozen copy. */
  expires: z.iso.datetime(),
  /** Ed25519 over the canonical bytes of all the rest, in base64. */
  signature: z.string().optional(),
});
export type Pointer = z.infer<typeof pointerSchema>;

export const manifestSchema = z.object({
  format: z.literal(format),
  parent: hash.nullable(),
  version: z.int().min(1),
  /** A hash of everything that decided how the state was rendered: templates, settings, Unicode data. */
  fingerprint: z.string(),
  run: z.string(),
  asOf: z.iso.datetime(),
  /** `en/current`, `en/2026-11`, `shared`: part -> hash of the part's file. A group too large for one has a `~2`, `~3`. */
  parts: z.record(z.string(), hash),
  /**
   * For a publisher alone. By language: another hash when pages of other languages appear or go, which its own pages name. By
   * language and month: another one when the index policy decides otherwise on that month's pages.
   */
  dependencies: z.record(z.string(), z.string()).optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;

const fileEntry = z.object({ object: hash, size: z.int().min(0), type: z.string() });
export type FileEntry = z.infer<typeof fileEntry>;

export const partSchema = z.object({ files: z.record(z.string(), fileEntry) });
/** For each path the object with its bytes. */
export type Files = Readonly<Record<string, FileEntry>>;
