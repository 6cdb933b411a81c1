// A measure and its result: lines of figures, with one figure per round.
import { z } from "zod";
import { type Spread, spreadOf } from "../rounds.ts";

export const lineSchema = z.object({
  /** Subject of the figures. */
  what: z.string(),
  unit: z.string(),
  digits: z.int().min(0).max(3),
  /** One per round; empty if it could not be measured. */
  figures: z.array(z.number()),
  /** Almanac's figure divided by this one's, of the same round. */
  ratios: z.array(z.number()).optional(),
  aim: z.object({ words: z.string(), holds: z.boolean() }).optional(),
  note: z.string().optional(),
  /** Reason why it was not measured on this machine, with the remedy. */
  missing: z.string().optional(),
  /** Error that affected only this line. */
  failed: z.string().optional(),
});
export type Line = z.infer<typeof lineSchema>;

/** Outcome of one measure: completed, failed, or timed out. */
export const outcomeSchema = z.object({
  name: z.string(),
  about: z.string(),
  state: z.enum(["measured", "failed", "out of time"]),
  seconds: z.number(),
  lines: z.array(lineSchema),
  failure: z.string().optional(),
});
export type Outcome = z.infer<typeof outcomeSchema>;

export interface Settings {
  /** Number of rounds, alternating. Default: the measure's own. */
  readonly rounds: number | undefined;
  /** Fraction of the requests and pages, for trial runs: only figures measured with all of them count. */
  readonly share: number;
  /** Registers a cleanup for the end of the measure, whether it succeeds or fails. */
  readonly atEnd: (end: () => Promise<void>) => void;
}

export interface Measure {
  readonly name: string;
  /** Description with its parameters, printed above the lines. */
  readonly about: string;
  /** Time limit on two cores that other programs use too. */
  readonly boundSeconds: number;
  /** Only with `npm run bench:long`, or by name. */
  readonly long?: boolean;
  /** Runs only by name: it takes about an hour. */
  readonly named?: boolean;
  run(settings: Settings): Promise<Line[]>;
}

export function atMost(spread: Spread, most: number, unit = ""): Line["aim"] {
  return { words: `at most ${most}${unit}`, holds: spread.median <= most };
}

export function atLeast(spread: Spread, least: number, unit = ""): Line["aim"] {
  return { words: `at least ${least.toLocaleString("en")}${unit}`, holds: spread.median >= least };
}

/** Ratios per round, as far as both have figures. */
export function ratiosOf(ours: readonly number[], theirs: readonly number[]): number[] {
  const both = Math.min(ours.length, theirs.length);
  return ours.slice(0, both).map((figure, round) => figure / (theirs[round] ?? Number.NaN));
}

export function medianOf(figures: readonly number[]): number {
  return spreadOf(figures).median;
}
