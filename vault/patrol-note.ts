// Progress and findings of the patrol: a note in the vault from which the patrol continues after a break and each day, and which
// `almanac status` reads. publish/mend/patrol.ts runs it.
import { z } from "zod";
import type { Store } from "../store/store.ts";
import { siteLayout } from "./layout.ts";
import { type Note, readNote } from "./note.ts";

const place = z.object({
  store: z.enum(["vault", "site"]),
  /** The last file of the vault, or group of the site's files, that was looked at. */
  after: z.string(),
});
export type PatrolPlace = z.infer<typeof place>;

const finding = z.object({
  store: z.enum(["vault", "site"]),
  /** The group of the site's files. */
  group: z.string().optional(),
  path: z.string(),
  expected: z.string(),
  seen: z.string(),
  remedy: z.string(),
});
export type PatrolFinding = z.infer<typeof finding>;

const count = z.int().min(0);
const patrolSchema = z.object({
  /** ID of the patrol that is running, or ran last. */
  id: z.string(),
  startedAt: z.iso.datetime(),
  /** End time; absent while it runs. */
  endedAt: z.iso.datetime().optional(),
  /** Places at which the patrol began and at which it continues. */
  from: place,
  next: place,
  /** Files and bytes checked, and the patrol's share in bytes. */
  files: count,
  sizeBytes: count,
  shareBytes: count,
  /** True if it has completed a round since it began. */
  isAround: z.boolean(),
  /** Days that a round takes at the byte limit, if longer than a month. */
  slowDays: count.optional(),
  findings: z.array(finding),
});
export type Patrol = z.infer<typeof patrolSchema>;

export const patrolNote: Note<Patrol, undefined> = {
  key: siteLayout.patrol,
  schema: patrolSchema,
  empty: undefined,
};

/** The patrol that is running, or ran last. */
export function lastPatrol(vault: Store): Promise<Patrol | undefined> {
  return readNote(vault, patrolNote);
}
