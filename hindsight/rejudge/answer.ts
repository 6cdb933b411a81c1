// The result of `almanac rejudge` for the vault: which captures would be refused today, which quarantined answers would be
// kept, and which files can't be read. Schemas hold it, because it also comes from other threads.
import { z } from "zod";
import { captureSchema } from "../../vault/capture.schema.ts";

const refusedSchema = z.object({
  key: z.string(),
  file: z.string(),
  receivedAt: z.string(),
  /** The gate that refuses it, or the kind of the service's refusal. */
  rule: z.string(),
  reason: z.string(),
  /** The person who accepted the answer, whose word stands. */
  accepted: captureSchema.shape.accepted,
  /** The path on which the site shows this text; absent where it does not. */
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
  /** The earliest date on which a period of the readable answers begins. */
  first: z.string().optional(),
  /** Captures that today's rules refuse. */
  refused: z.array(refusedSchema).readonly(),
  /** Quarantined answers that are good by today's readers and rules. */
  readable: z.array(readableSchema).readonly(),
  /** Files that can't be read; the other files are judged without them. */
  damaged: z.array(z.object({ file: z.string(), reason: z.string() })).readonly(),
});
export type Rejudged = Readonly<z.infer<typeof rejudgedSchema>>;

export interface RejudgeProgress {
  readonly judged: number;
  /** The sheet that was judged last. */
  readonly sheet: string;
}

/** One result from those of several threads, in the order of keys, whichever thread judged what. */
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

function inOrder<One extends { readonly file: string }>(all: readonly One[]) {
  return all.toSorted((one, other) => (one.file < other.file ? -1 : 1));
}
