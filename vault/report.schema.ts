// A run's report as the vault keeps it.
import { z } from "zod";
import { failureTypes } from "../readings/failures.ts";
import { languageNames } from "../readings/languages.ts";
import { operationNames } from "../readings/operations.ts";

const count = z.int().min(0);
const counts = z.object({
  planned: count,
  kept: count,
  held: count,
  retried: count,
  setAside: count,
  calls: count,
  unanswered: count,
  answerMs: count,
});
const language = z.enum(languageNames);

export const reportSchema = z.object({
  format: z.literal(1),
  endedAt: z.iso.datetime(),
  run: z.string(),
  startedAt: z.iso.datetime(),
  asOf: z.iso.datetime(),
  state: z.enum(["planning", "gathering", "done", "cancelled", "failed"]),
  failure: z.string().optional(),
  planned: count,
  held: count,
  outOfReach: count,
  leftOut: count,
  languages: z.partialRecord(language, z.partialRecord(z.enum(operationNames), counts)),
  setAside: z.array(
    z.object({
      key: z.string(),
      type: z.enum([...failureTypes, "OutOfReach", "OverCeiling", "Deadline", "Fault"]),
      reason: z.string(),
    }),
  ),
  refused: z.array(
    z.object({
      operation: z.enum(operationNames),
      reason: z.string(),
      languages: z.array(language),
      asked: count,
      notAsked: count,
    }),
  ),
  broken: z.partialRecord(language, z.string()),
  published: z.array(z.object({ version: count, languages: z.array(language) })),
});
export type Report = z.infer<typeof reportSchema>;
