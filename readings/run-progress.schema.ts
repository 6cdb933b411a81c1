// How far a run has come, in keys and counts: the answer to a query, and what the vault keeps as the run's report.
import { z } from "zod";
import { failureTypes } from "./failures.ts";
import { languageNames } from "./languages.ts";
import { operationNames } from "./operations.ts";

const count = z.int().min(0);
/** Counts of one operation in one edition. */
const counts = z.object({
  planned: count,
  stored: count,
  held: count,
  retried: count,
  skipped: count,
  /** Calls for requests that were stored or skipped. */
  calls: count,
  /** Planned requests without a response, or that were not sent. */
  unanswered: count,
  /** The sum of the response times of all stored answers. */
  answerMs: count,
});
const language = z.enum(languageNames);

const tally = z.partialRecord(z.enum(operationNames), counts);

/** Why a request has no reading: one of the four failures, no time or no call left for it, or a fault of our own. */
const skippedType = z.enum([...failureTypes, "OutOfReach", "OverCeiling", "Deadline", "Fault"]);

/** An operation that the service refuses alike, whatever the request: most likely it is not in the subscription. */
const refusedOperation = z.object({
  operation: z.enum(operationNames),
  /** The service's words, the same each time. */
  reason: z.string(),
  languages: z.array(language).readonly(),
  /** Requests that this run sent in vain. */
  requested: count,
  /** Requests that were left out for it. */
  notRequested: count,
});

/** A stored response of the vault that can't be read. */
const damagedAnswer = z.object({ key: z.string(), reason: z.string() });

export const progressSchema = z.object({
  run: z.string(),
  startedAt: z.iso.datetime(),
  asOf: z.iso.datetime(),
  /** `failed`: it could not be planned or brought to its end, or no language of it could be published. */
  state: z.enum(["planning", "gathering", "done", "cancelled", "failed"]),
  /** Why the run itself failed. */
  failure: z.string().optional(),
  planned: count,
  held: count,
  outOfReach: count,
  leftOut: count,
  languages: z.partialRecord(language, tally),
  /** The first of the skipped requests, without those of a refused operation. */
  skipped: z.array(z.object({ key: z.string(), type: skippedType, reason: z.string() })).readonly(),
  refused: z.array(refusedOperation).readonly(),
  broken: z.partialRecord(language, z.string()),
  /** The first of the responses that the run found damaged; absent if it found none. */
  damaged: z.array(damagedAnswer).readonly().optional(),
  published: z.array(z.object({ version: count, languages: z.array(language).readonly() })),
});

export type RunProgress = z.infer<typeof progressSchema>;
export type DamagedAnswer = Readonly<z.infer<typeof damagedAnswer>>;
export type SkippedType = z.infer<typeof skippedType>;
export type RefusedOperation = Readonly<z.infer<typeof refusedOperation>>;
export type Counts = z.infer<typeof counts>;
export type Tally = z.infer<typeof tally>;
