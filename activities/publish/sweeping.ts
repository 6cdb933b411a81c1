// How a clean-up and a publish that runs beside it keep out of each other's way. Both put an object and look at a list in
// an order that leaves no gap: the clean-up names what it is about to remove, looks at each one's age, removes it, and
// takes the list back; a publisher puts what it needs, then looks at the list before it swaps. Whichever was first, either
// the clean-up sees a young object, or the publisher sees its object on the list and puts it again once the list is gone.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { absent, type Condition } from "../../store/store.ts";
import { parseJson, writeJson } from "../vault.ts";
import { inParallel } from "./in-parallel.ts";
import { type Place } from "./place.ts";

const sweepKey = "site/sweep.json";
const sweepSchema = z.object({ format: z.literal(1), since: z.iso.datetime(), keys: z.array(z.string()) });

/** A clean-up stops removing this long after it wrote its list ... */
export const sweepEndsAfterMs = 30_000;
/** ... so that this long after, a list that is still there is a dead one's. */
const sweepIsDeadAfterMs = 90_000;
const lookAgainAfterMs = 500;

interface Sweep {
  readonly since: string;
  readonly keys: readonly string[];
  readonly version: string;
}

async function readSweep({ vault }: Place): Promise<Sweep | undefined> {
  const stored = await vault.store.read(sweepKey);
  if (stored === undefined) return undefined;
  return { ...parseJson(sweepKey, stored.body, sweepSchema), version: stored.version };
}

async function writeSweep(place: Place, keys: readonly string[], when: Condition): Promise<boolean> {
  return writeJson(place.vault.store, sweepKey, { format: 1, since: place.now().toISOString(), keys }, when);
}

const isDead = (sweep: Sweep, { now }: Place): boolean =>
  now().getTime() - Date.parse(sweep.since) > sweepIsDeadAfterMs;

/** Names what is about to be removed. False while another clean-up is at it. */
export async function announceSweep(place: Place, keys: readonly string[]): Promise<boolean> {
  const current = await readSweep(place);
  if (current === undefined) return writeSweep(place, keys, absent);
  if (current.keys.length > 0 && !isDead(current, place)) return false;
  return writeSweep(place, keys, { kind: "version", version: current.version });
}

/** Takes the list back, so that who waits for it goes on. */
export async function endSweep(place: Place): Promise<void> {
  const current = await readSweep(place);
  if (current === undefined || current.keys.length === 0) return;
  await writeSweep(place, [], { kind: "version", version: current.version });
}

/** Makes sure that no clean-up under way takes what was just put: `puts` has, by key, how to put it again. */
export async function spareFromSweep(
  place: Place,
  puts: ReadonlyMap<string, () => Promise<unknown>>,
): Promise<void> {
  const doomed = new Set<string>();
  for (;;) {
    const sweep = await readSweep(place);
    const listed = sweep?.keys.filter((key) => puts.has(key)) ?? [];
    if (sweep !== undefined && listed.length > 0) {
      for (const key of listed) doomed.add(key);
      if (isDead(sweep, place)) await endSweep(place);
      else await sleep(lookAgainAfterMs);
      continue;
    }
    if (doomed.size === 0) return;
    await inParallel(doomed, async (key) => puts.get(key)?.());
    doomed.clear();
  }
}
