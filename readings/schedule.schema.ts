// The part of the configuration that says when runs begin and how long they go on.
import { z } from "zod";

export const schedule = z.strictObject({
  nightly: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "a time of day such as 03:05")
    .default("03:05")
    .describe("when a night begins, in UTC; `almanac schedule apply` puts a change into effect"),
  deadlineHours: z
    .number()
    .min(0.01)
    .max(48)
    .default(6)
    .describe("how long a run goes on trying, from its start"),
  patrolMegabytes: z
    .number()
    .min(1)
    .max(1_000_000)
    .default(1_000)
    .describe("what the patrol of a day reads of vault and site at most, in search of damage"),
});
