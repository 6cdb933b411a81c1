// Requests of the soak for a worker's memory, and the conclusions from thirty nights.
import { z } from "zod";

export const memoryQuestion = z.object({ kind: z.literal("memory?") });
export const memoryAnswer = z.object({ kind: z.literal("memory"), rss: z.number(), heapUsed: z.number() });
export type MemoryAnswer = z.infer<typeof memoryAnswer>;

/** The median of the last third over that of the first. */
export function growthOf(values: readonly number[]): number {
  const third = Math.ceil(values.length / 3);
  return medianOf(values.slice(-third)) / medianOf(values.slice(0, third));
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
