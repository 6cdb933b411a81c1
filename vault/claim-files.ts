// Claims: the small files that say who is asking for which requests. claims.ts takes them and gives them back; claim-sweep.ts
// removes the old ones.
import { z } from "zod";
import { layout } from "./layout.ts";
import type { FoundNote, Note } from "./note.ts";

const holdSchema = z.object({
  /** Of the holder's activity: the next one takes the hold over. */
  attempt: z.int().min(1),
  /** How long the attempt lasts at most. Whoever has seen the hold for so long knows that it is over (seen-holds.ts). */
  lastsMs: z.number().min(0),
  /** When Temporal gave the attempt out: attempts are counted anew where it has forgotten some. Earlier workers leave it out. */
  begunMs: z.number().optional(),
});
export type ClaimHold = z.infer<typeof holdSchema>;

const claimSchema = z.object({
  /** The editions that had the claim, the last two where there were more. By them a worker of 0.1.0 knows that it is not alone. */
  editions: z.array(z.string()),
  /** The claim's holders, of one edition. Workers of the version before say by their clock when an attempt is over. */
  holders: z.record(z.string(), z.union([holdSchema, z.iso.datetime()])),
});
export type Claimed = z.infer<typeof claimSchema>;

/** A damaged claim counts as one that nobody holds, because nobody is known to have it. */
export function claimNote(name: string): Note<Claimed> {
  return { key: layout.claim(name), schema: claimSchema, empty: { editions: [], holders: {} } };
}

/** Stands for whoever had a claim that was damaged. */
export const unknownEdition = "unknown";

/** The editions that have had the claim once this one takes it. */
export function claimedBy(edition: string, { value, damage }: FoundNote<Claimed>): string[] {
  const before = damage === undefined ? value.editions : [unknownEdition];
  return [...new Set([...before, edition])].slice(-2);
}
