// The note that an operator removed the schedules. Without it, workers create the schedules that Temporal lacks.
import { z } from "zod";
import { layout } from "./layout.ts";
import type { Note } from "./note.ts";

const removedSchedulesSchema = z.object({ removedAt: z.iso.datetime() });

export const removedSchedulesNote: Note<z.infer<typeof removedSchedulesSchema>, undefined> = {
  key: layout.removedSchedules,
  schema: removedSchedulesSchema,
  empty: undefined,
};
