// The published state as readers see it: the pointer names a manifest, which names its parts, which name every file.
import { z } from "zod";

const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const pointerSchema = z.object({
  format: z.literal(1),
  manifest: hash,
  version: z.int().min(1),
  publishedAt: z.iso.datetime(),
  /** After this a reader should take the copy for a frozen one. */
  expires: z.iso.datetime(),
});
export type Pointer = z.infer<typeof pointerSchema>;

export const manifestSchema = z.object({
  format: z.literal(1),
  parent: hash.nullable(),
  version: z.int().min(1),
  run: z.string(),
  asOf: z.iso.datetime(),
  /** `en/current`, `en/2026-11`, `shared`: part -> hash of the part's file. */
  parts: z.record(z.string(), hash),
});
export type Manifest = z.infer<typeof manifestSchema>;

const fileEntry = z.object({ object: hash, size: z.int().min(0), type: z.string() });
export type FileEntry = z.infer<typeof fileEntry>;

export const partSchema = z.object({ files: z.record(z.string(), fileEntry) });
/** Path -> where its bytes are. */
export type Files = Record<string, FileEntry>;
