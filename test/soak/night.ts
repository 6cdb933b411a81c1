// One night of the soak: the run with its faults, the publishes after it, and checks in between.
import { setTimeout as delay } from "node:timers/promises";
import type { RunProgress } from "../../readings/run-messages.ts";
import { catalogue } from "../../readings/catalogue.ts";
import type { Configuration } from "../../readings/configuration.schema.ts";
import { requestKey } from "../../readings/request.ts";
import { startBackfill } from "../../worker/temporal/runs.ts";
import { runPublish } from "../support/looks.ts";
import { nightlyId } from "../../workflows/names.ts";
import { pointerPath } from "../../publish/state/state.ts";
import type { World } from "../support/night.ts";
import { askedSince } from "./calls.ts";
import type { Crew } from "./crew.ts";
import { attacked, clocksWrong, type PublishDone } from "./enemies.ts";
import { startOf, publishTimesOf } from "./nights.ts";
import type { Trouble } from "./plan.ts";
import { inFlight } from "./site.ts";
import { bringAbout, inNight, inPublish } from "./troubles.ts";
import { lackingAfter, type Say, soundAt, versionOf } from "./whole.ts";
import { within } from "./workers.ts";

/** The longest waits of a night are for workers that died: 15 s for each of some steps, one after the other. */
const runMs = 240_000;
const publishMs = 120_000;

export interface Stage {
  readonly world: World;
  readonly crew: Crew;
  readonly configuration: Configuration;
  readonly tokenFile: string;
  readonly originMs: number;
}

/** State that one night passes to the next. */
export interface Left {
  readonly paths: ReadonlySet<string>;
  /** Skipped, and to be asked for again. */
  readonly lacking: readonly string[];
}

export type NightFigures = Awaited<ReturnType<typeof liveThrough>>;

export async function liveThrough(
  date: string,
  next: string | undefined,
  trouble: Trouble,
  expected: number,
  before: Left,
  stage: Stage,
  say: Say,
) {
  const { world, crew, configuration } = stage;
  const beganMs = performance.now();
  const asOf = startOf(date);
  await crew.moveClock(asOf);
  const wanted = wantedBy(date, configuration);
  const since = { wanted, before: await world.sandbox.stats(), ...stage, offsetMs: crew.offsetMs, asOf };
  const lostBefore = await placesLost(world);
  const pointerBefore = await world.site.read(pointerPath);

  const requests = expected + before.lacking.length;
  const night = { requests, callsBefore: since.before.calls, asOf };
  const { ended, troubles: inNightTroubles } = await runWith(trouble, night, stage);
  if (ended.planned !== requests) say(`${ended.planned} requests were planned, ${requests} expected`);
  let lacking = await lackingAfter(world, configuration, ended, say);
  const skipped = lacking.length;
  let paths = await soundAt(crew.now(), world, configuration, before.paths, say);
  if (lacking.some((key) => !wantedBy(next, configuration).has(key))) {
    // An operator's remedy: a backfill of the day requests the readings that the night skipped.
    const repairRun = await startBackfill(world.client, world.id, { asOf: asOf.toISOString() }, new Date());
    const repairedRun = await within(runMs, `the end of ${repairRun.id}`, repairRun.result());
    lacking = await lackingAfter(world, configuration, repairedRun, say);
    for (const key of lacking) say(`${key} is lacking although nothing refused it any more`);
  }
  const asked = await askedSince(world, since);
  // A worker frozen just before its call makes the call when it resumes, whatever happened to its request meanwhile.
  const late = inNightTroubles.includes("frozen") ? asked.twice.slice(0, inFlight) : [];
  const twice = asked.twice.slice(late.length);
  for (const key of twice) say(`${key} was asked for although its answer was stored`);
  const againAtMost = mostAgain(inNightTroubles) + (await placesLost(world)) - lostBefore;
  if (asked.again > againAtMost)
    say(`${asked.again} answers were asked for again, at most ${againAtMost} were under way`);

  const troubles = [...inNightTroubles];
  const publishNow = (at: Date) => (): Promise<PublishDone> =>
    within(publishMs, `the publish at ${at.toISOString()}`, runPublish(world));
  troubles.push(...(await attacked(trouble.attack, pointerBefore?.body, publishNow(crew.now()), stage, say)));
  troubles.push(...(await clocksWrong(trouble.clock, publishNow(crew.now()), stage, say)));
  for (const [index, moment] of publishTimesOf(date).entries()) {
    await crew.moveClock(moment);
    if (index === 0) troubles.push(...(await publishWith(trouble, publishNow(moment), stage)));
    else await publishNow(moment)();
  }
  paths = await soundAt(crew.now(), world, configuration, paths, say);
  const memory = await crew.steady.memory();
  return {
    ...asked,
    twice,
    /** Stored responses that a worker requested after it was frozen and resumed. */
    late: late.length,
    planned: ended.planned,
    skipped,
    troubles,
    againAtMost,
    version: await versionOf(world),
    memory,
    tookMs: performance.now() - beganMs,
    left: { paths, lacking } satisfies Left,
  };
}

/** A night with nothing new requests and writes nothing, and removes leftovers of dead workers from the vault. */
export async function onceMore(date: string, { world }: Stage, say: Say): Promise<void> {
  const before = { calls: (await world.sandbox.stats()).calls, version: await versionOf(world) };
  const ended = await result(world, startOf(date));
  const after = { calls: (await world.sandbox.stats()).calls, version: await versionOf(world) };
  if (ended.state !== "done" || ended.planned > 0) say(`begun once more it plans ${ended.planned} requests`);
  if (after.calls > before.calls) say(`begun once more it makes ${after.calls - before.calls} calls`);
  if (after.version > before.version) say(`begun once more it publishes version ${after.version}`);
}

async function runWith(
  trouble: Trouble,
  { requests, callsBefore, asOf }: { requests: number; callsBefore: number; asOf: Date },
  stage: Stage,
) {
  const { world } = stage;
  await world.sandbox.faults(trouble.rules);
  const over = new AbortController();
  const comesTo = inNight(requests, callsBefore, world, over.signal);
  const scene = { ...stage, comesTo, ended: over.signal };
  try {
    const [ended, troubles] = await beside(result(world, asOf), bringAbout(trouble, "night", scene), over);
    return { ended, troubles: [...(trouble.rules.length > 0 ? [trouble.service] : []), ...troubles] };
  } catch (error) {
    const id = nightlyId(world.id, asOf.toISOString().slice(0, 10));
    await world.client.workflow
      .getHandle(id)
      .terminate()
      .catch(() => undefined); // nobody waits for it any more
    throw error;
  } finally {
    await world.sandbox.clearFaults();
  }
}

async function publishWith(
  trouble: Trouble,
  publishNow: () => Promise<unknown>,
  stage: Stage,
): Promise<string[]> {
  const over = new AbortController();
  const scene = { ...stage, comesTo: inPublish(over.signal), ended: over.signal };
  const [, troubles] = await beside(publishNow(), bringAbout(trouble, "publish", scene), over);
  return troubles;
}

/** A fault that can't be caused ends the wait for the work; a caused one does not. */
async function beside<Work>(
  work: Promise<Work>,
  troubles: Promise<string[]>,
  over: AbortController,
): Promise<[Work, string[]]> {
  try {
    const done = await Promise.race([work, troubles.then(() => new Promise<never>(() => {}))]);
    over.abort();
    return [done, await troubles];
  } finally {
    over.abort();
  }
}

async function result(world: World, asOf: Date): Promise<RunProgress> {
  const run = await world.nightly({ asOf: asOf.toISOString() });
  const what = `the end of ${run.id}`;
  try {
    return await within(runMs, what, run.result());
  } catch (error) {
    const progress = await run.progress().catch(() => undefined);
    throw new Error(`${String(error)}; it stands at ${JSON.stringify(progress)}`, { cause: error });
  }
}

function wantedBy(date: string | undefined, configuration: Configuration): ReadonlySet<string> {
  if (date === undefined) return new Set();
  const sets = catalogue(configuration, startOf(date));
  return new Set(sets.flatMap((set) => set.requests.map(requestKey)));
}

/** Maximum number of calls in flight of a worker that dies, is given up, or can't store its responses. */
function mostAgain(troubles: readonly string[]): number {
  const lost: Record<string, number> = { killed: 1, frozen: 1, "vault refused": 2 };
  return troubles.reduce((sum, one) => sum + (lost[one] ?? 0) * inFlight, 0);
}

/** Number of stored responses that set rules have rejected. */
async function placesLost(world: World): Promise<number> {
  await delay(50); // the last lines are on their way
  return (await world.log()).split('"stored response superseded"').length - 1;
}
