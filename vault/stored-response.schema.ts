// The schemas of stored and quarantined responses. Every file that is read back is checked against its schema.
import { z } from "zod";
import { failureTypes } from "../readings/failures.ts";

/** One accepted answer. `body` is the answer as received: readings are made from it again whenever they are needed. */
export const storedResponseSchema = z.object({
  format: z.literal(1),
  key: z.string(),
  address: z.string(),
  receivedAt: z.iso.datetime(),
  /** How often the request was sent in this run until this response came. */
  tries: z.int().min(1),
  run: z.string(),
  bodyHash: z.string().regex(/^[0-9a-f]{64}$/),
  body: z.string(),
  notes: z.array(z.string()),
  /** The person who accepted a refused answer. */
  accepted: z.object({ by: z.string(), at: z.iso.datetime(), why: z.string() }).optional(),
});
export type StoredResponse = z.infer<typeof storedResponseSchema>;

/** The newest refused answer of a request, with the reason. */
export const quarantinedSchema = z.object({
  format: z.literal(1),
  key: z.string(),
  type: z.enum(failureTypes),
  /** The rule that refused an Unfit answer. */
  rule: z.string().optional(),
  reason: z.string(),
  at: z.iso.datetime(),
  tries: z.int().min(1),
  run: z.string(),
  address: z.string(),
  /** Absent if no response came that could be stored. */
  body: z.string().optional(),
});
export type Quarantined = z.infer<typeof quarantinedSchema>;
