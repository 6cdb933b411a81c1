// Progress and findings of the scrub: a note in the vault from which the scrub continues after a break and each day, and which
// `almanac status` reads. publish/repair/scrub.ts runs it.
import { z } from "zod";
import type { Store } from "../store/store.ts";
import { siteLayout } from "./files.ts";
import { type Note, readNote } from "./note.ts";

const position = z.object({
  store: z.enum(["vault", "site"]),
  /** The last file of the vault, or group of the site's files, that was looked at. */
  after: z.string(),
});
export type ScrubPosition = z.infer<typeof position>;

const finding = z.object({
  store: z.enum(["vault", "site"]),
  /** The group of the site's files. */
  group: z.string().optional(),
  path: z.string(),
  expected: z.string(),
  seen: z.string(),
  remedy: z.string(),
});
export type ScrubFinding = z.infer<typeof finding>;

const count = z.int().min(0);
const scrubSchema = z.object({
  /** ID of the scrub that is running, or ran last. */
  id: z.string(),
  startedAt: z.iso.datetime(),
  /** End time; absent while it runs. */
  endedAt: z.iso.datetime().optional(),
  /** Positions at which the scrub began and at which it continues. */
  from: position,
  next: position,
  /** Files and bytes checked, and the scrub's share in bytes. */
  files: count,
  sizeBytes: count,
  shareBytes: count,
  /** True if it has completed a round since it began. */
  isAround: z.boolean(),
  /** Days that a round takes at the byte limit, if longer than a month. */
  slowDays: count.optional(),
  findings: z.array(finding),
});
export type Scrub = z.infer<typeof scrubSchema>;

export const scrubNote: Note<Scrub, undefined> = {
  key: siteLayout.scrub,
  schema: scrubSchema,
  empty: undefined,
};

/** The scrub that is running, or ran last. */
export function lastScrub(vault: Store): Promise<Scrub | undefined> {
  return readNote(vault, scrubNote);
}
