// Review: whether a set of texts may be published, by the configuration's `review`, the decisions of people, and the date. An approval
// names the hash of each text that was seen, so that a changed text needs another one. vault/text-decisions.ts reads the decisions.
import { z } from "zod";
import { addDays, firstDayOf, isPeriodKind, localDate } from "./calendar.ts";
import type { ReadingRequest } from "./request.ts";
import { languageNames, operationNames, rowOf } from "./tables.ts";

const modes = ["none", "before", "after"] as const;
export const reviewSchema = z
  .partialRecord(
    z.enum(languageNames),
    z.strictObject({
      mode: z.enum(modes).default("none").describe("review `before` or `after` publication"),
      late: z
        .enum(["hold", "publish"])
        .default("hold")
        .describe("if a set is not approved by its midnight: `hold` the previous one, or `publish` it"),
      operations: z
        .partialRecord(z.enum(operationNames), z.enum(modes))
        .default({})
        .describe("modes of single operations, in place of `mode`"),
    }),
  )
  .default({})
  .describe("languages whose texts need review (docs/editors.md)");

export const reviewOutcomes = { approve: "approved", reject: "rejected" } as const;
export type ReviewDecision = keyof typeof reviewOutcomes;

/** The review of an operation in a language. */
export interface ReviewRule {
  readonly mode: (typeof modes)[number];
  readonly late: "hold" | "publish";
}

export function reviewOf(
  { language, operation }: Pick<ReadingRequest, "language" | "operation">,
  { review }: { readonly review: z.infer<typeof reviewSchema> },
): ReviewRule {
  const own = review[language];
  return { mode: own?.operations[operation] ?? own?.mode ?? "none", late: own?.late ?? "hold" };
}

/** `open`: the set may be published. */
export type Clearance = "open" | "waiting" | "rejected";

/**
 * Whether a set may be published with these decisions on its texts. A rejected text never may, even without review. `isDue`: the set's
 * midnight has passed.
 */
export function clearanceOf(
  { mode, late }: ReviewRule,
  decisions: readonly (ReviewDecision | undefined)[],
  isDue: boolean,
): Clearance {
  if (decisions.includes("reject")) return "rejected";
  if (mode !== "before" || decisions.every((decision) => decision === "approve")) return "open";
  return late === "publish" && isDue ? "open" : "waiting";
}

/**
 * The local date on whose midnight `late` decides: the set's first date. A pair's and a person's text have none, and get the first
 * midnight after they were received.
 */
export function decidedOn(
  { operation, period }: Pick<ReadingRequest, "operation" | "period">,
  receivedAt: string,
  zone: string,
): string {
  const { due } = rowOf(operation);
  return isPeriodKind(due) ? firstDayOf(due, period) : addDays(localDate(zone, new Date(receivedAt)), 1);
}
