// Answers as the vault keeps them, as JSON: captures, and those that were set aside. What is read back passes one of these.
import { z } from "zod";
import { failureTypes } from "../readings/failures.ts";

/** One accepted answer. `body` is the answer as received: readings are made from it again whenever they are needed. */
export const captureSchema = z.object({
  format: z.literal(1),
  key: z.string(),
  address: z.string(),
  receivedAt: z.iso.datetime(),
  /** How often it was asked until this answer came, in this run. */
  tries: z.int().min(1),
  run: z.string(),
  bodyHash: z.string().regex(/^[0-9a-f]{64}$/),
  body: z.string(),
  notes: z.array(z.string()),
  /** Only where a person let a refused answer through. */
  accepted: z.object({ by: z.string(), at: z.iso.datetime(), why: z.string() }).optional(),
});
export type Capture = z.infer<typeof captureSchema>;

/** The newest refused answer of a request, with the reason. */
export const quarantinedSchema = z.object({
  format: z.literal(1),
  key: z.string(),
  type: z.enum(failureTypes),
  /** The gate that refused it, where it was Unfit. */
  rule: z.string().optional(),
  reason: z.string(),
  at: z.iso.datetime(),
  tries: z.int().min(1),
  run: z.string(),
  address: z.string(),
  /** Absent where nothing came that could be kept. */
  body: z.string().optional(),
});
export type Quarantined = z.infer<typeof quarantinedSchema>;
