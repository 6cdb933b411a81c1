// What `almanac rejudge` answers of the vault: which answers that are kept would be refused today, which of those set aside
// would be kept, and what can't be read. It comes from other threads, too.
import { z } from "zod";
import { captureSchema } from "../../vault/capture.schema.ts";

const refusedSchema = z.object({
  key: z.string(),
  file: z.string(),
  receivedAt: z.string(),
  /** The gate, or how the service refused. */
  rule: z.string(),
  reason: z.string(),
  /** By a person, whose word stands. */
  accepted: captureSchema.shape.accepted,
  /** Where the site shows this text; absent where it does not. */
  path: z.string().optional(),
});
export type RefusedAnswer = Readonly<z.infer<typeof refusedSchema>>;

const readableSchema = z.object({
  key: z.string(),
  file: z.string(),
  receivedAt: z.string(),
  /** Why it was set aside. */
  reason: z.string(),
});
export type ReadableAgain = Readonly<z.infer<typeof readableSchema>>;

export const rejudgedSchema = z.object({
  captures: z.number(),
  standIns: z.number(),
  setAside: z.number(),
  /** The earliest date on which a period of these begins. */
  first: z.string().optional(),
  /** Kept, and refused by today's rules. */
  refused: z.array(refusedSchema).readonly(),
  /** Set aside, and good by today's readers and rules. */
  readable: z.array(readableSchema).readonly(),
  /** Files that can't be read: the others are judged without them. */
  damaged: z.array(z.object({ file: z.string(), reason: z.string() })).readonly(),
});
export type Rejudged = Readonly<z.infer<typeof rejudgedSchema>>;

/** How far it is. */
export interface RejudgeProgress {
  readonly judged: number;
  /** The sheet that was judged last. */
  readonly sheet: string;
}

/** One answer of those that share the work, in the order of files, whoever looked at which. */
export function mergedRejudged(parts: readonly Rejudged[]): Rejudged {
  const sum = (count: (part: Rejudged) => number) => parts.reduce((total, part) => total + count(part), 0);
  return {
    captures: sum(({ captures }) => captures),
    standIns: sum(({ standIns }) => standIns),
    setAside: sum(({ setAside }) => setAside),
    first: parts.flatMap(({ first }) => first ?? []).sort()[0],
    refused: inOrder(parts.flatMap(({ refused }) => refused)),
    readable: inOrder(parts.flatMap(({ readable }) => readable)),
    damaged: inOrder(parts.flatMap(({ damaged }) => damaged)),
  };
}

function inOrder<One extends { readonly file: string }>(all: readonly One[]): One[] {
  return all.toSorted((one, other) => (one.file < other.file ? -1 : 1));
}
