// The calls of a UTC day, under the day's ceiling: each start of a run takes on what it planned, and each time that an answer
// was refused and is asked for again, one more is drawn from what is left. Tries that got no answer are not counted: what
// none came for is given back in the end.
import { z } from "zod";
import { layout } from "./layout.ts";
import { changeNote, type Note, readNote } from "./note.ts";
import type { Vault } from "./vault.ts";

/** In one file, so that of plans and draws at once each knows of those before it. */
const schema = z.object({
  starts: z.record(z.string(), z.int().min(0)),
  drawn: z.int().min(0),
});
type DayCalls = z.infer<typeof schema>;

/** Begun anew where it is damaged: it is not worth a night. */
export function dayCallsNote(day: string): Note<DayCalls> {
  return { key: layout.dayCalls(day), schema, empty: { starts: {}, drawn: 0 }, mayBeLost: true };
}

export interface Start {
  readonly run: string;
  /** Which start of the run this is: a night that is started again has made calls already. Absent where none is made. */
  readonly start?: string | undefined;
}

/** Takes on what a plan wants, or as much of it as the ceiling has room for; a plan that is made again takes on anew. */
export async function takeOnCalls(
  vault: Vault,
  day: string,
  start: Start,
  { wanted, ceiling = Infinity }: { readonly wanted: number; readonly ceiling?: number | undefined },
): Promise<number> {
  let taken = 0;
  await changeNote(vault.store, dayCallsNote(day), (calls) => {
    taken = Math.max(0, Math.min(wanted, ceiling - sumOf(calls, start)));
    return { ...calls, starts: { ...calls.starts, [nameOf(start)]: taken } };
  });
  return taken;
}

/** Of what a start took on it has made so many calls when it ends; the rest is there for others. */
export async function settleCalls(vault: Vault, day: string, start: Start, made: number): Promise<void> {
  const name = nameOf(start);
  await changeNote(vault.store, dayCallsNote(day), (calls) => {
    const all = Object.entries(calls.starts);
    // With what it took on for the rest of an operation.
    const others = all.filter(([one]) => one !== name && !one.startsWith(`${name}-`));
    const settled = { ...calls, starts: { ...Object.fromEntries(others), [name]: made } };
    return sumOf(settled) < sumOf(calls) ? settled : undefined;
  });
}

/** One more call than was planned, if the ceiling has room for it. Of callers at once each has its own, or none. */
export async function drawCall(vault: Vault, day: string, ceiling: number): Promise<boolean> {
  return changeNote(vault.store, dayCallsNote(day), (calls) =>
    sumOf(calls) >= ceiling ? undefined : { ...calls, drawn: calls.drawn + 1 },
  );
}

/** What the day's starts have taken on, and what was drawn; a retry of one finds its own, which does not count for it. */
export async function callsTakenOn(vault: Vault, day: string, but?: Start): Promise<number> {
  return sumOf(await readNote(vault.store, dayCallsNote(day)), but);
}

function sumOf({ starts, drawn }: DayCalls, but?: Start): number {
  const own = but === undefined ? 0 : (starts[nameOf(but)] ?? 0);
  return Object.values(starts).reduce((sum, calls) => sum + calls, drawn - own);
}

function nameOf({ run, start = "none" }: Start): string {
  return `${run}/${start}`;
}
