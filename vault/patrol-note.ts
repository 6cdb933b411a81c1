// How far the patrol has come, and what it found: a note in the vault, by which it goes on after a break and each day, and which
// `almanac status` reads. publish/mend/patrol.ts walks.
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
  /** The patrol that goes, or went last. */
  id: z.string(),
  startedAt: z.iso.datetime(),
  /** When it ended; absent while it goes. */
  endedAt: z.iso.datetime().optional(),
  /** Where it began, and where it goes on. */
  from: place,
  next: place,
  /** What it looked at, and what is its share. */
  files: count,
  sizeBytes: count,
  shareBytes: count,
  /** Whether it went once around since it began. */
  isAround: z.boolean(),
  /** How many days a round takes at the limit of bytes, where that is longer than a month. */
  slowDays: count.optional(),
  findings: z.array(finding),
});
export type Patrol = z.infer<typeof patrolSchema>;

export const patrolNote: Note<Patrol, undefined> = {
  key: siteLayout.patrol,
  schema: patrolSchema,
  empty: undefined,
};

/** The patrol that goes, or went last. */
export function lastPatrol(vault: Store): Promise<Patrol | undefined> {
  return readNote(vault, patrolNote);
}
