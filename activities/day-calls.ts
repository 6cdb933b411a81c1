// The calls of a UTC day, under the day's ceiling: each start of a run takes on what it planned, and each time that an answer
// was refused and is asked for again, one more is drawn from what is left. Tries that got no answer are not counted.
import { z } from "zod";
import { absent, always } from "../store/store.ts";
import { parseJson, UnreadableFile, type Vault, writeJson } from "./vault.ts";

const schema = z.object({ format: z.literal(1), calls: z.int().min(0) });

export interface Start {
  readonly run: string;
  /** Which start of the run this is: a night that is started again has made calls already. Absent where none is made. */
  readonly start?: string | undefined;
}

export async function reserveCalls(vault: Vault, day: string, start: Start, calls: number): Promise<void> {
  await writeJson(vault.store, keyOf(day, start), { format: 1, calls }, always);
}

/** One more call than was planned, if the ceiling has room for it. Of callers at once each has its own, or none. */
export async function drawCall(vault: Vault, day: string, ceiling: number): Promise<boolean> {
  for (;;) {
    // Read before all is added up: what another has drawn since then makes the write fail.
    const drawn = await vault.store.read(drawnKey(day));
    if ((await callsReserved(vault, day)) >= ceiling) return false;
    const calls = (drawn === undefined ? 0 : callsIn(drawnKey(day), drawn.body)) + 1;
    const when = drawn === undefined ? absent : ({ kind: "version", version: drawn.version } as const);
    if (await writeJson(vault.store, drawnKey(day), { format: 1, calls }, when)) return true;
  }
}

/** What starts of the day have taken on; a retry of one finds its own, which does not count for it. */
export async function callsReserved(vault: Vault, day: string, but?: Start): Promise<number> {
  let calls = 0;
  for await (const { key } of vault.store.list(`calls/${day}/`)) {
    if (but !== undefined && key === keyOf(day, but)) continue;
    const stored = await vault.store.read(key);
    if (stored !== undefined) calls += callsIn(key, stored.body);
  }
  return calls;
}

function keyOf(day: string, { run, start = "none" }: Start): string {
  return `calls/${day}/${run}/${start}.json`;
}

function drawnKey(day: string): string {
  return `calls/${day}/drawn.json`;
}

/** A damaged file of this kind is not worth a night. */
function callsIn(key: string, body: Uint8Array): number {
  try {
    return parseJson(key, body, schema).calls;
  } catch (error) {
    if (error instanceof UnreadableFile) return 0;
    throw error;
  }
}
