// How a clean-up and a publish that runs beside it keep out of each other's way.
//
// The clean-up, for each batch: (1) writes its list of keys, (2) reads the pointer and drops from the batch whatever the
// state it names reaches, (3) looks at each key's age, (4) removes those that are still old, (5) notes that the list is over.
// The publisher: (a) puts what its base does not list, (b) looks at all lists; where one of its puts is on a list that is
// not yet over, it waits until it is, then proposes its step anew, which puts those again, and looks once more; (c) swaps
// the pointer.
//
// Claim: what the publisher put is there when its swap succeeds, and stays. Take its last put of a key, and suppose that a
// removal of it comes after. The look (3) before that removal did not see the put, which would have made the key young: so
// it came before the put, and the list (1) before that. Lists stay long after they are over, so the publisher's look (b)
// after the put found that list. It had not seen it over before the put, since the removal came later; so it put the key
// again after it was over: that was not the last put. What the base lists is not put, but is reached from the pointer, as is
// all that a rollback may choose (see kept-states.ts): it is on no list. A swap before (2) is dropped by (2) besides.
//
// A list must outlast its end: with one that goes at once, a put between (3) and (4) and a look after (5) lose the object.
//
// What this leans on: a read, a listing and a removal hold for all calls that begin after they were answered; a put
// renews the age; a removal takes effect within `sweepIsDeadAfterMs` of its list or never (5 attempts of 15 s on a bucket,
// begun within 30 s, and a minute for clocks that differ); a publisher looks within an hour of its first put.
import { always } from "../../store/store.ts";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { readJson, writeJson } from "../../vault/json.ts";
import { folders, layout } from "../../vault/layout.ts";
import { inParallel } from "../../store/parallel-calls.ts";
import type { PublishingPlace } from "./publishing-place.ts";
import type { Puts } from "./puts.ts";

export const sweepSchema = z.object({
  format: z.literal(1),
  since: z.iso.datetime(),
  over: z.boolean(),
  keys: z.array(z.string()),
});

/** A clean-up begins no removal later than this after it wrote its list. */
const sweepEndsAfterMs = 30_000;
/** A list that is not over by then is a dead clean-up's. */
export const sweepIsDeadAfterMs = 5 * 60_000;
/** By then every publisher that had put something before the list was over has looked at it, or is dead. */
const sweepIsForgottenAfterMs = 2 * 60 * 60_000;
const lookAgainAfterMs = 500;
const firstReportMs = 2_000;
const reportEveryMs = 30_000;

export interface Sweep {
  readonly note: string;
  readonly since: string;
  readonly keys: readonly string[];
}

/** Names what is about to be removed. */
export async function announceSweep(place: PublishingPlace, keys: readonly string[]): Promise<Sweep> {
  const sweep = { note: layout.sweep(randomUUID()), since: place.now().toISOString(), keys };
  await write(place, sweep, false);
  return sweep;
}

/** Whether a removal may still begin. */
export function sweepHasTime({ since }: Sweep, { now }: PublishingPlace): boolean {
  return now().getTime() - Date.parse(since) < sweepEndsAfterMs;
}

/** Says that nothing is removed any more. Not where a removal failed: it may yet take effect. */
export async function endSweep(place: PublishingPlace, sweep: Sweep): Promise<void> {
  await write(place, sweep, true);
}

async function write({ vault }: PublishingPlace, { note, since, keys }: Sweep, over: boolean) {
  await writeJson(vault.store, note, { format: 1, since, over, keys }, always);
}

/** Clears away the lists that no publisher needs any more. */
export async function forgetSweeps(place: PublishingPlace): Promise<void> {
  const past = place.now().getTime() - sweepIsForgottenAfterMs;
  const sweeps = await Array.fromAsync(place.vault.store.list(folders.sweeps));
  const old = sweeps.filter(({ modifiedAt }) => modifiedAt.getTime() < past);
  if (old.length > 0) await place.vault.store.remove(old.map(({ key }) => key));
}

/** Forgets what a clean-up may have taken of these puts, once it is over; false where there is none of that. */
export async function forgetSwept(place: PublishingPlace, { keys, seenSweeps }: Puts): Promise<boolean> {
  const beganMs = performance.now();
  let reportAtMs = beganMs + firstReportMs;
  for (;;) {
    const waitedMs = performance.now() - beganMs;
    const sweeps = (await readSweeps(place, seenSweeps, waitedMs)).filter((sweep) =>
      sweep.keys.some((key) => keys.has(key)),
    );
    const pending = sweeps.find(({ over }) => !over);
    if (pending === undefined) {
      for (const { note } of sweeps) seenSweeps.add(note);
      for (const key of sweeps.flatMap((sweep) => sweep.keys)) keys.delete(key);
      return sweeps.length > 0;
    }
    if (performance.now() >= reportAtMs) {
      place.log.warn({ sweep: pending.note, since: pending.since }, waitWords(pending, waitedMs));
      reportAtMs = performance.now() + reportEveryMs;
    }
    await new Promise((resolve) => setTimeout(resolve, lookAgainAfterMs));
  }
}

function waitWords({ note, since }: Pick<Sweep, "note" | "since">, waitedMs: number): string {
  const seconds = (ms: number) => Math.round(ms / 1000);
  return (
    `waiting for the clean-up (almanac gc) that began ${since}, by its own clock: it may be removing files of this publish. ` +
    `Waited ${seconds(waitedMs)} s of at most ${seconds(sweepIsDeadAfterMs)} s, then the publish continues by itself. ` +
    `If no \`almanac gc\` is running, its machine died: nothing is to be done (${note})`
  );
}

/** The clean-ups that have not ended, by their own word. */
export async function unfinishedSweeps(
  place: PublishingPlace,
): Promise<readonly Pick<Sweep, "note" | "since">[]> {
  return (await readSweeps(place, new Set(), 0)).filter(({ over }) => !over);
}

/** `watchedMs`: for how long they have been watched. It bounds the wait even if the clock of a clean-up's machine is ahead. */
async function readSweeps(place: PublishingPlace, without: ReadonlySet<string>, watchedMs: number) {
  const { store } = place.vault;
  const notes = new Set(await Array.fromAsync(store.list(folders.sweeps), ({ key }) => key));
  const sweeps = await inParallel(notes.difference(without), async (note) => {
    const found = await readJson(store, note, sweepSchema);
    if (found === undefined) return []; // forgotten meanwhile
    const agedMs = place.now().getTime() - Date.parse(found.since);
    return [{ ...found, note, over: found.over || Math.max(agedMs, watchedMs) > sweepIsDeadAfterMs }];
  });
  return sweeps.flat();
}
