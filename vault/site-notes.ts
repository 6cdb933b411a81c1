// Small facts about a site, in one file: whether an operator removed the schedules, the hosts of pictures that are left out, the size
// of the quarantine when an alert last reported it, and recent response times. The times of upkeep are in another file, because a
// backup changes them. A damaged file counts as absent.
import { z } from "zod";
import { paceBounds } from "../readings/call-pace.ts";
import { languageNames } from "../readings/languages.ts";
import { endpointNames } from "../readings/endpoint-names.ts";
import { type Store, StoreFailure } from "../store/store.ts";
import { siteLayout } from "./layout.ts";
import { changeNote, type Note, readNote } from "./note.ts";

const longestMs = paceBounds.answerTimeoutSeconds.most * 1000;

const schema = z.object({
  /** Time at which an operator removed the schedules. If it is null, workers create missing schedules. */
  schedulesRemovedAt: z.iso.datetime().nullable(),
  leftOutPictures: z.partialRecord(z.enum(languageNames), z.array(z.string()).readonly()),
  quarantined: z.int().min(0),
  latencyMs: z.partialRecord(z.enum(endpointNames), z.int().min(0).max(longestMs)),
});
export type SiteNotes = z.infer<typeof schema>;

export const siteNotes: Note<SiteNotes> = {
  key: siteLayout.notes,
  schema,
  empty: { schedulesRemovedAt: null, leftOutPictures: {}, quarantined: 0, latencyMs: {} },
};

/** Changes some of the facts. Returns false if `make` returns undefined, for no change. */
export function changeSiteNotes(
  own: Store,
  make: (before: SiteNotes) => Partial<SiteNotes> | undefined,
): Promise<boolean> {
  return changeNote(own, siteNotes, (before) => {
    const change = make(before);
    return change && { ...before, ...change };
  });
}

export async function areSchedulesRemoved(own: Store): Promise<boolean> {
  return (await readNote(own, siteNotes)).schedulesRemovedAt !== null;
}

export const upkeepTasks = ["gc", "verify", "backup"] as const;
export type UpkeepTask = (typeof upkeepTasks)[number];

const upkeepSchema = z.object({ succeeded: z.partialRecord(z.enum(upkeepTasks), z.iso.datetime()) });

export const upkeepNote: Note<z.infer<typeof upkeepSchema>> = {
  key: siteLayout.upkeep,
  schema: upkeepSchema,
  empty: { succeeded: {} },
};

/** When each upkeep command last succeeded. */
export async function lastUpkeep(own: Store) {
  return (await readNote(own, upkeepNote)).succeeded;
}

/** Returns false if the vault can't be written, as with read-only credentials. The command has succeeded all the same. */
export async function noteUpkeep(own: Store, task: UpkeepTask, at: Date): Promise<boolean> {
  try {
    return await changeNote(own, upkeepNote, ({ succeeded }) => ({
      succeeded: { ...succeeded, [task]: at.toISOString() },
    }));
  } catch (error) {
    if (error instanceof StoreFailure) return false;
    throw error;
  }
}
