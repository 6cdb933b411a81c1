// The calls of a UTC day, under the day's ceiling: each start of a run takes on what it planned, and in the end what it had to
// ask again because an answer was refused. Tries that got no answer are not counted.
import { z } from "zod";
import { always } from "../store/store.ts";
import type { RunProgress } from "./contracts.ts";
import { readJson, UnreadableFile, type Vault, writeJson } from "./vault.ts";

const schema = z.object({ format: z.literal(1), calls: z.int().min(0) });

export interface Start {
  readonly run: string;
  /** Which start of the run this is: a night that is started again has made calls already. Absent where none is made. */
  readonly start?: string | undefined;
}

export async function reserveCalls(vault: Vault, day: string, start: Start, calls: number): Promise<void> {
  await writeJson(vault.store, keyOf(day, start), { format: 1, calls }, always);
}

/** Known in the end alone, so that it counts for the runs that come after. */
export async function countAskedAgain(
  vault: Vault,
  start: string,
  { run, asOf, languages }: Pick<RunProgress, "run" | "asOf" | "languages">,
): Promise<void> {
  const counts = Object.values(languages).flatMap((tally) => Object.values(tally));
  const again = counts.reduce((sum, { retried }) => sum + retried, 0);
  if (again > 0) await reserveCalls(vault, asOf.slice(0, 10), { run, start: `${start}-again` }, again);
}

/** What starts of the day have taken on; a retry of one finds its own, which does not count for it. */
export async function callsReserved(vault: Vault, day: string, but?: Start): Promise<number> {
  let calls = 0;
  for await (const { key } of vault.store.list(`calls/${day}/`)) {
    if (but !== undefined && key === keyOf(day, but)) continue;
    calls += (await readJson(vault.store, key, schema).catch(ifUnreadable))?.calls ?? 0;
  }
  return calls;
}

function keyOf(day: string, { run, start = "none" }: Start): string {
  return `calls/${day}/${run}/${start}.json`;
}

/** A damaged file of this kind is not worth a night. */
function ifUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableFile)) throw error;
}
