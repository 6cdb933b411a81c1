// Metadata of a backup: its owner, and the snapshots, each of which names the lists of what the vault held.
import { z } from "zod";
import { hash } from "../../site/manifest.schema.ts";

export const format = 1;

export const backupNoteSchema = z.object({ format: z.literal(format), site: z.string() });

export const snapshotSchema = z.object({
  format: z.literal(format),
  /** Snapshots are in the order of these, whatever the clocks said. */
  number: z.int().min(1),
  at: z.iso.datetime(),
  /** The manifest of the published state, of which the backup has every file; null before the first publish. */
  state: hash.nullable(),
  version: z.int().min(0),
  /** The lists of the vault's files, by the beginning of their keys: each is a copy. */
  lists: z.record(z.string(), hash),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

const copiedFile = z.object({
  copy: hash,
  size: z.int().min(0),
  /** What a listing of the vault said of these bytes, so that they need not be read again. */
  tag: z.string().optional(),
});
export type CopiedFile = z.infer<typeof copiedFile>;

export const fileListSchema = z.object({ files: z.record(z.string(), copiedFile) });
