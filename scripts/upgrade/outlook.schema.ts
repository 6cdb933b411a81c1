// What a version of Almanac says of a project and of itself: the one document that goes from the version that may be installed to
// the one that is. A later version may say more in it; what stands here stays.
import { z } from "zod";

const problemSchema = z.object({
  /** Of what, such as `configuration`. */
  of: z.string(),
  what: z.string(),
});
export type Problem = z.infer<typeof problemSchema>;

const changeSchema = z.object({
  path: z.string(),
  kind: z.string(),
  reason: z.enum(["new", "changed", "gone"]),
  object: z.string().optional(),
  growsBytes: z.number(),
});

export const outlookSchema = z.object({
  format: z.literal(1),
  version: z.string(),
  /** What an owner or a program may name: commands, options, settings, variables, published paths. */
  names: z.record(z.string(), z.array(z.string())),
  /** What it refuses, or warns of. */
  problems: z.array(problemSchema),
  /** So many files of the vault were read. */
  read: z.int(),
  /** How its first publish would differ from what is published; absent where it can't be said. */
  changes: z.array(changeSchema).optional(),
});
export type Outlook = z.infer<typeof outlookSchema>;
