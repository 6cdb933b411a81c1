// Our own night, with the steps of `almanac worker` and `almanac nightly`: a worker in a separate process, the embedded Temporal
// server in memory, and everything gathered, judged, stored, rendered and published into folders.
import { createWorld, type World } from "../../test/support/night.ts";
import { clockMovedBy } from "../../test/support/noon.ts";
import type { TestTemporal } from "../../test/support/temporal.ts";
import type { Settings } from "../measures/measure.ts";
import { type Contender, type Night, ourName, seenBy, setUp } from "./contender.ts";
import { processorMsFromNow } from "./processes.ts";
import { at, type Work } from "./work.ts";

export function almanac(temporal: TestTemporal): Contender {
  return {
    name: ourName,
    async night(work, atEnd) {
      const world = await worldFor(work, temporal, atEnd);
      const worker = await world.worker();
      const spent = processorMsFromNow(worker.pid, temporal.pid());
      const night = await ourNight(world, work);
      return { ...night, processorMs: spent() };
    },
  };
}

/** A site with its clock at the night's instant; the worker is not started yet. */
export async function worldFor(
  work: Work,
  temporal: Pick<TestTemporal, "address">,
  atEnd: Settings["atEnd"],
): Promise<World> {
  const world = await createWorld(temporal, work.site, atEnd);
  await setUp(world.sandbox, work);
  Object.assign(world.env, clockMovedBy(at.getTime() - Date.now()));
  return world;
}

/** Runs with the workers of that world. */
export async function ourNight(world: World, work: Work): Promise<Omit<Night, "processorMs">> {
  const startedMs = performance.now();
  const ended = await (await world.nightly({ asOf: at.toISOString() })).result();
  const tookMs = performance.now() - startedMs;
  if (ended.state !== "done" || ended.skipped.length > 0)
    throw new Error(`the night ended as ${ended.state}, ${ended.skipped.length} requests skipped`);
  if (ended.published.length === 0) throw new Error("the night published nothing");
  return { tookMs, ...(await seenBy(world.sandbox, work)) };
}
