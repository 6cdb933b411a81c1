// Words that identify a text wherever it appears: each response of the simulated service begins with a unique one, and everything
// that an intruder writes contains the intruder's.
import type { RequestKey } from "../../../readings/request.ts";

const mark = /\bZq[a-z]{6}\b/g;
export const forgedWord = "Zqforged";

/** A word for the so many-th answer; only letters, so that every rule accepts it. */
export function wordOf(count: number): string {
  const letters = String(count)
    .padStart(6, "0")
    .replaceAll(/\d/g, (digit) => "bcdfghjklm".charAt(Number(digit)));
  return `Zq${letters}`;
}

export function wordsIn(bytes: Uint8Array): string[] {
  return [...new Set(Buffer.from(bytes).toString("latin1").match(mark))];
}

/** The request that each word answered. */
export type Texts = Map<string, RequestKey>;
