// When each command that is run beside the nights last succeeded: a worker's metrics show it, so that an alert tells of one that
// nobody runs any more.
import { z } from "zod";
import { type Store, StoreFailure } from "../store/store.ts";
import { layout } from "./layout.ts";
import { changeNote, type Note, readNote } from "./note.ts";

export const upkeepTasks = ["gc", "verify", "backup"] as const;
export type UpkeepTask = (typeof upkeepTasks)[number];

const upkeepSchema = z.object({ succeeded: z.partialRecord(z.enum(upkeepTasks), z.iso.datetime()) });

export const upkeepNote: Note<z.infer<typeof upkeepSchema>> = {
  key: layout.upkeep,
  schema: upkeepSchema,
  empty: { succeeded: {} },
};

export async function lastUpkeep(vault: Store) {
  return (await readNote(vault, upkeepNote)).succeeded;
}

/** False where the vault can't be written, as with credentials that only read it: the command has succeeded all the same. */
export async function noteUpkeep(vault: Store, task: UpkeepTask, at: Date): Promise<boolean> {
  try {
    await changeNote(vault, upkeepNote, ({ succeeded }) => ({
      succeeded: { ...succeeded, [task]: at.toISOString() },
    }));
    return true;
  } catch (error) {
    if (error instanceof StoreFailure) return false;
    throw error;
  }
}
