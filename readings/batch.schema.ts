// The input of a batch of calls: a contract between builds, because a run that is pinned to one build has its calls made by the
// endpoint's owner, of whichever build that is. Only optional fields may be added to this format.
import { z } from "zod";

export const batchSchema = z.object({
  format: z.literal(1),
  run: z.string(),
  /** Request keys, packed by `packKeys`. */
  keys: z.array(z.string()),
  /** Maximum calls of the language in flight while other languages wait. */
  width: z.int().min(1),
  /** Whether the plan saw that the vault has nothing of them: no response in quarantine, no note that they are refused. */
  isFresh: z.boolean(),
  /** Whether they are horoscopes and the plan saw nothing of the period before. */
  isFirst: z.boolean().optional(),
  /** The calls that were made for them before. */
  triesBefore: z.int().min(0),
  /** The calls are beyond those that the plan counted under the day's ceiling. */
  isExtra: z.boolean(),
});
export type BatchInput = z.infer<typeof batchSchema>;
