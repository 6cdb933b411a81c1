// A run's report as the vault keeps it.
import { z } from "zod";
import { progressSchema } from "../readings/run-progress.schema.ts";

export const reportSchema = z.object({
  format: z.literal(1),
  endedAt: z.iso.datetime(),
  ...progressSchema.shape,
});
export type Report = z.infer<typeof reportSchema>;
